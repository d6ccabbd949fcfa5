package io.rdma4j.tools.sweep;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** While something runs, Ctrl-C stops it and then waits until what was done so far is printed. */
final class StopOnExit {
    /** A seed takes a fraction of a second; whoever wants it quicker than this presses again or kills. */
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;

    private StopOnExit(Runnable stop) {
        hook = new Thread(() -> {
            stop.run();
            awaitClosed();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void awaitClosed() {
        try {
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sweep: a seed did not come to its end within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs {@code work}; when the JVM is told to exit meanwhile, {@code stop} has to make it come to its end soon. */
    static int during(IntSupplier work, Runnable stop) {
        StopOnExit guard = new StopOnExit(stop);
        try {
            return work.getAsInt();
        } finally {
            guard.close();
        }
    }

    private void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // Then the hook has just been told.
        }
    }
}
