package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.Waiter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in real time, looking a few thousand times a second; an interrupt ends a wait early. */
final class RealTimeWaiter implements Waiter {
    private static final long BETWEEN_LOOKS_NANOS = 200_000;

    @Override
    public void await(BooleanSupplier condition, long millis) {
        long start = System.nanoTime();
        long patience = TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start >= patience || Thread.interrupted()) {
                return;
            }
            LockSupport.parkNanos(this, BETWEEN_LOOKS_NANOS);
        }
    }
}
