package io.rdma4j.tools.vsh;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work that another thread may interrupt while it is done, and not before or after. */
final class InterruptibleWork {
    private @Nullable Thread worker;

    /** Does the work. */
    <T extends @Nullable Object> T during(Supplier<T> work) {
        begin();
        try {
            return work.get();
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
    }

    private synchronized void end() {
        worker = null;
        Thread.interrupted(); // one that came too late is not for what follows
    }

    /** Interrupts the thread that is at work; when none is, does nothing. */
    synchronized void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }
}
