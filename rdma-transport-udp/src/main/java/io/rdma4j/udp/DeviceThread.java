package io.rdma4j.udp;

import io.netty.util.concurrent.FastThreadLocalThread;

/**
 * The owner thread of one device. A type of its own, so that a control call that would make one device wait for another
 * is recognised on any device's loop.
 */
final class DeviceThread extends FastThreadLocalThread {
    DeviceThread(Runnable loop) {
        super(loop, "rdma4j-opening");
        setDaemon(true); // an open device does not keep a program alive
    }

    static boolean isCurrent() {
        return Thread.currentThread() instanceof DeviceThread;
    }
}
