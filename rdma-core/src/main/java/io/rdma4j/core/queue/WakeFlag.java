package io.rdma4j.core.queue;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes many wake-ups one: whoever raises the flag first wakes the sleeper, who clears it before looking for work. Both
 * sides use read-modify-writes between their own store and the look at the other's, so work that comes too late for the
 * look finds the flag cleared and wakes again.
 */
public final class WakeFlag {
    private final AtomicBoolean raised = new AtomicBoolean();

    /**
     * Asks for a look, after the work was published. Any thread.
     *
     * @return whether nobody asked since the last look, so that the sleeper must be woken
     */
    public boolean raise() {
        return !raised.getAndSet(true);
    }

    /** About to look for work; called before the look. */
    public void clear() {
        raised.getAndSet(false);
    }
}
