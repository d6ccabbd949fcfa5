package io.rdma4j.core.queue;

import io.rdma4j.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a completion queue: one producer, the owner; consumers take turns behind a short lock.
 *
 * <p>Arming follows §10: one shot, {@code NONE < SOLICITED < NEXT}. The producer publishes and then reads the arm level,
 * a consumer arms and then looks at the ring; the volatile read-modify-writes on both sides guarantee that one of them
 * sees the other.
 */
public final class CompletionRing {
    /** Told on the owner thread that an armed ring got a completion. */
    @FunctionalInterface
    public interface Listener {
        void onCompletionEvent();
    }

    private static final int ARM_NONE = 0;
    private static final int ARM_SOLICITED = 1;
    private static final int ARM_NEXT = 2;

    private final int number;
    private final int capacity;
    private final int mask;
    private final CompletionEntry[] entries;
    private final ReentrantLock consumers = new ReentrantLock();
    private final AtomicInteger armed = new AtomicInteger(ARM_NONE);
    private final @Nullable Listener listener;

    /** One past the newest published entry; written by the owner through {@link #publish}. */
    private volatile long published;

    /** The oldest unpolled entry; written under {@link #consumers}. */
    private volatile long consumed;

    private boolean overrun;

    public CompletionRing(int number, int capacity, @Nullable Listener listener) {
        this.number = number;
        this.capacity = capacity;
        this.listener = listener;
        int slots = Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        this.mask = slots - 1;
        this.entries = new CompletionEntry[slots];
        for (int i = 0; i < slots; i++) {
            entries[i] = new CompletionEntry();
        }
    }

    public int number() {
        return number;
    }

    public int capacity() {
        return capacity;
    }

    /**
     * The entry to fill next, or null when the ring is full, which is an overrun: the ring takes nothing more (§10).
     * Owner thread.
     */
    public @Nullable CompletionEntry claim() {
        if (overrun || published - consumed >= capacity) {
            overrun = true;
            return null;
        }
        return entries[(int) published & mask];
    }

    /** Whether a completion was lost. Owner thread. */
    public boolean isOverrun() {
        return overrun;
    }

    /** Publishes the entry that {@link #claim} gave. Owner thread. */
    public void publish() {
        long position = published;
        boolean solicited = entries[(int) position & mask].solicited;
        published = position + 1;
        if (listener == null) {
            return;
        }
        int level = armed.getAndAdd(0); // a full fence between publishing and looking
        if (level == ARM_NONE || (level == ARM_SOLICITED && !solicited)) {
            return;
        }
        if (armed.compareAndSet(level, ARM_NONE) || armed.getAndSet(ARM_NONE) != ARM_NONE) {
            listener.onCompletionEvent();
        }
    }

    /**
     * Arms the ring for one event; arming for solicited only does not take back an arming for all.
     *
     * @return whether entries are waiting already, so that the consumer must poll before it waits
     */
    public boolean arm(boolean solicitedOnly) {
        int wanted = solicitedOnly ? ARM_SOLICITED : ARM_NEXT;
        int level;
        do {
            level = armed.get();
        } while (!armed.compareAndSet(level, Math.max(level, wanted)));
        return published != consumed;
    }

    public boolean isEmpty() {
        return published == consumed;
    }

    /** Takes up to {@code count} entries, oldest first, into {@code into}. Any thread; never blocks for long. */
    public int poll(WorkCompletion[] into, int count) {
        if (published == consumed) {
            return 0;
        }
        consumers.lock();
        try {
            long position = consumed;
            int n = (int) Math.min(count, published - position);
            for (int i = 0; i < n; i++) {
                take(entries[(int) (position + i) & mask], into[i]);
            }
            consumed = position + n;
            return n;
        } finally {
            consumers.unlock();
        }
    }

    private static void take(CompletionEntry entry, WorkCompletion into) {
        entry.copyTo(into);
        if (entry.origin != null) {
            entry.origin.release(entry.releaseTo);
            entry.origin = null;
        }
    }

    /** Removes the unpolled entries of a queue pair that is reset or destroyed (§8.5). Owner thread. */
    public void purge(int queuePair) {
        consumers.lock();
        try {
            long keep = consumed;
            for (long at = consumed; at < published; at++) {
                CompletionEntry entry = entries[(int) at & mask];
                if (entry.queuePair != queuePair) {
                    entries[(int) at & mask] = entries[(int) keep & mask];
                    entries[(int) keep & mask] = entry;
                    keep++;
                } else {
                    entry.origin = null;
                }
            }
            published = keep;
        } finally {
            consumers.unlock();
        }
    }
}
