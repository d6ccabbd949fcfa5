package io.rdma4j.core.queue;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Positions of a ring of preallocated slots between posting threads and the owner. Positions only grow; a slot is
 * {@code position mod size}.
 *
 * <p>Producers hold {@link #lock} (a total order in a queue pair); the owner consumes without it. A slot returns to the
 * producers when a completion at or after it has been <em>polled</em> (§6.2), which a poller reports by {@link #release}.
 */
public abstract class WorkQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final int capacity;
    private final int mask;

    private volatile long posted;
    private volatile long freed;

    WorkQueue(int capacity) {
        this.capacity = capacity;
        this.mask = Math.max(1, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1) - 1;
    }

    /** Work requests that fit. */
    public final int capacity() {
        return capacity;
    }

    /** Slots to allocate: a power of two, at least {@link #capacity}. */
    final int slots() {
        return mask + 1;
    }

    final int slotOf(long position) {
        return (int) position & mask;
    }

    /** Held by posting threads; the owner takes it to {@link #reset} alone. */
    public final ReentrantLock lock() {
        return lock;
    }

    /** One past the newest published position. */
    public final long posted() {
        return posted;
    }

    /** Whether another request fits. Lock held. */
    public final boolean hasRoom() {
        return posted - freed < capacity;
    }

    /** How many more requests fit. Lock held. */
    public final int room() {
        return capacity - (int) (posted - freed);
    }

    /** Publishes the slot at {@link #posted}. Lock held. */
    public final void publish() {
        publish(1);
    }

    /** Publishes so many slots from {@link #posted} on, all at once. Lock held. */
    public final void publish(int count) {
        assert lock.isHeldByCurrentThread();
        long position = posted;
        posted = position + count;
    }

    /** Gives slots before {@code position} back; called by pollers, serialised by the completion ring's lock. */
    final void release(long position) {
        if (position > freed) {
            freed = position;
        }
    }

    /** Forgets everything posted. Owner thread, with the completions of this queue already purged. */
    public final void reset() {
        lock.lock();
        try {
            posted = 0;
            freed = 0;
        } finally {
            lock.unlock();
        }
    }
}
