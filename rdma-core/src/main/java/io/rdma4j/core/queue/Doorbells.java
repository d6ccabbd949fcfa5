package io.rdma4j.core.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owner thread which queue pairs have new work: an intrusive stack that any thread pushes on and the owner
 * takes whole. An entry is on it at most once, so ringing costs nothing while an earlier ring is still unanswered.
 */
public final class Doorbells {
    /** What can be rung for; a queue pair is one. */
    public abstract static class Entry {
        private final AtomicInteger armed = new AtomicInteger();
        private @Nullable Entry next;

        /** For subclasses. */
        protected Entry() {}

        /**
         * The owner is about to look at this entry's queues. Clearing comes before looking, and both sides use
         * read-modify-writes, so a ring that comes too late for the look pushes the entry again.
         *
         * @return the entry that was taken after this one
         */
        public final @Nullable Entry unlinkAndDisarm() {
            Entry following = next;
            next = null;
            armed.getAndSet(0);
            return following;
        }
    }

    private final AtomicReference<@Nullable Entry> top = new AtomicReference<>();

    /**
     * Rings for {@code entry}, after its queue was published. Any thread.
     *
     * @return whether this ring is the first since the owner last took the entry, so that a wake-up is due
     */
    public boolean ring(Entry entry) {
        if (entry.armed.getAndSet(1) != 0) {
            return false;
        }
        Entry head;
        do {
            head = top.get();
            entry.next = head;
        } while (!top.compareAndSet(head, entry));
        return true;
    }

    /** Takes all entries, the latest first; walk them with {@link Entry#unlinkAndDisarm}. Owner thread. */
    public @Nullable Entry takeAll() {
        return top.get() == null ? null : top.getAndSet(null);
    }

    public boolean isEmpty() {
        return top.get() == null;
    }
}
