package io.rdma4j.core.queue;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The receives of a shared receive queue between posting threads and the owner, who takes them for many queue pairs, first
 * posted first taken (§12).
 *
 * <p>A receive is copied to the queue pair that takes it, and its slot is free from then on: slots come free in the order of
 * posting, although the messages end in any order. Producers hold {@link #lock}; the owner takes without it, and with it
 * {@link #resize resizes}.
 */
public final class SharedReceiveRing {
    /** Told on the owner thread that fewer receives are left than the armed limit. */
    @FunctionalInterface
    public interface LimitListener {
        void onLimitReached();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final int protectionDomain;
    private final LimitListener listener;

    /** Replaced by the owner under {@link #lock}: so producers may read it there, and the owner without. */
    private volatile SharedReceiveSlots slots;

    /** One past the newest published receive; written under {@link #lock}. */
    private volatile long posted;

    /** The oldest receive in the slots; written by the owner. */
    private volatile long taken;

    /** Receives that were taken and came back unused; all of them are older than those in the slots. Owner thread. */
    private final PriorityQueue<ReceiveWorkEntry> returned =
            new PriorityQueue<>(Comparator.comparingLong((ReceiveWorkEntry entry) -> entry.position));

    /** How many of them there are; written by the owner. */
    private volatile int returnedCount;

    /** The armed limit, 0 when none is; written by the owner. */
    private volatile int limit;

    /** A ring whose receives use the local keys of a domain. */
    public SharedReceiveRing(int protectionDomain, SharedReceiveSlots slots, LimitListener listener) {
        this.protectionDomain = protectionDomain;
        this.slots = slots;
        this.listener = listener;
    }

    public int protectionDomain() {
        return protectionDomain;
    }

    public int capacity() {
        return slots.capacity();
    }

    public int maxElements() {
        return slots.maxElements();
    }

    /** The armed limit, 0 when none is. Any thread. */
    public int limit() {
        return limit;
    }

    /** Held by posting threads. */
    public ReentrantLock lock() {
        return lock;
    }

    /** Whether another receive fits. Lock held. */
    public boolean hasRoom() {
        return count() < slots.capacity();
    }

    /** The slot to fill next. Lock held, and there is room. */
    public ReceiveWorkEntry next() {
        return slots.at(posted);
    }

    /** Publishes the slot that {@link #next} gave. Lock held. */
    public void publish() {
        assert lock.isHeldByCurrentThread();
        long position = posted;
        posted = position + 1;
    }

    /** Receives that are posted and not taken. */
    private long count() {
        return posted - taken + returnedCount;
    }

    /** Where a queue pair keeps the receive that it has taken. */
    public ReceiveWorkEntry newEntry() {
        return new ReceiveWorkEntry(maxElements());
    }

    /**
     * Takes the oldest receive. Owner thread.
     *
     * @return whether there was one
     */
    public boolean take(ReceiveWorkEntry into) {
        ReceiveWorkEntry back = returned.poll();
        if (back != null) {
            into.copyFrom(back);
            returnedCount = returned.size();
        } else {
            long position = taken;
            if (position == posted) {
                return false;
            }
            into.copyFrom(slots.at(position));
            into.position = position;
            taken = position + 1;
        }
        reportLimit();
        return true;
    }

    /** A receive that was taken has served no message: it is the next again, or one of the next. Owner thread. */
    public void giveBack(ReceiveWorkEntry entry) {
        ReceiveWorkEntry copy = newEntry();
        copy.copyFrom(entry);
        returned.add(copy);
        returnedCount = returned.size();
    }

    /**
     * Arms the limit; fewer receives than it already raise its event at once. Owner thread.
     *
     * @throws RdmaException EINVAL when it is negative or above the capacity
     */
    public void armLimit(int newLimit) {
        if (newLimit < 0 || newLimit > capacity()) {
            throw refused("srq_limit " + newLimit + " is not in 0.." + capacity());
        }
        limit = newLimit;
        reportLimit();
    }

    /** §12: strictly below, and once. */
    private void reportLimit() {
        int armed = limit;
        if (armed != 0 && count() < armed) {
            limit = 0;
            listener.onLimitReached();
        }
    }

    /**
     * Goes on in other slots with what is posted, in order. Owner thread.
     *
     * @throws RdmaException EINVAL when more is posted than would fit, or the armed limit is higher; nothing is changed
     *     then
     */
    public void resize(SharedReceiveSlots other) {
        lock.lock();
        try {
            if (count() > other.capacity()) {
                throw refused("max_wr " + other.capacity() + " is too few for the " + count() + " that are posted");
            }
            if (limit > other.capacity()) {
                throw refused("max_wr " + other.capacity() + " is below the armed limit, " + limit);
            }
            SharedReceiveSlots old = slots;
            for (long at = taken; at < posted; at++) {
                other.adopt(old, at);
            }
            slots = other;
        } finally {
            lock.unlock();
        }
    }

    private static RdmaException refused(String why) {
        return new RdmaException(ErrorCode.EINVAL, "ibv_modify_srq: " + why);
    }
}
