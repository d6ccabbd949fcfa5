package io.rdma4j.benchmarks;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import java.nio.ByteBuffer;

/** A device with memory to write to. */
final class WriteTarget implements AutoCloseable {
    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final QueuePair queuePair;

    WriteTarget(String host, ByteBuffer memory, int mtu) {
        device = RdmaDevices.open("udp://" + host + "?port=0&mtu=" + mtu);
        domain = device.allocateProtectionDomain();
        completions = device.createCompletionQueue(16);
        region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions));
    }

    /** Connects, and tells what a writer needs: queue pair address, memory address, key. */
    String accept(QueuePairAddress writer) {
        queuePair.connect(writer);
        return queuePair.localAddress() + " " + region.address() + " " + region.remoteKey();
    }

    @Override
    public void close() {
        queuePair.close();
        region.close();
        completions.close();
        domain.close();
        device.close();
    }
}
