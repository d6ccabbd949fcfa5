package io.rdma4j.core.queue;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a completion queue: one producer, the owner; consumers take turns behind a short lock, which the owner
 * takes too when it moves entries ({@link #purge}, {@link #resize}).
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
    private final ReentrantLock consumers = new ReentrantLock();
    private final AtomicInteger armed = new AtomicInteger(ARM_NONE);
    private final @Nullable Listener listener;

    /** Replaced by the owner under {@link #consumers}: so both may read it, the owner without the lock. */
    private volatile CompletionSlots slots;

    /** One past the newest published entry; written by the owner through {@link #publish}. */
    private volatile long published;

    /** The oldest unpolled entry; written under {@link #consumers}. */
    private volatile long consumed;

    /** Set by the owner, once. */
    private volatile boolean overrun;

    public CompletionRing(int number, CompletionSlots slots, @Nullable Listener listener) {
        this.number = number;
        this.slots = slots;
        this.listener = listener;
    }

    public CompletionRing(int number, int capacity, @Nullable Listener listener) {
        this(number, new CompletionSlots(capacity), listener);
    }

    public int number() {
        return number;
    }

    public int capacity() {
        return slots.capacity();
    }

    /**
     * The entry to fill next, or null when the ring is full, which is an overrun: the ring takes nothing more (§10), and
     * an armed one raises its event, lest a consumer sleep on what will never come. Owner thread.
     */
    public @Nullable CompletionEntry claim() {
        if (overrun) {
            return null;
        }
        CompletionSlots room = slots;
        if (published - consumed >= room.capacity()) {
            overrun = true;
            raiseIfArmed(true);
            return null;
        }
        return room.at(published);
    }

    /** Whether a completion was lost. Any thread. */
    public boolean isOverrun() {
        return overrun;
    }

    /** Publishes the entry that {@link #claim} gave. Owner thread. */
    public void publish() {
        long position = published;
        boolean solicited = slots.at(position).solicited;
        published = position + 1;
        raiseIfArmed(solicited);
    }

    /** After a change that a consumer must see: either it sees the change or it is armed by now. */
    private void raiseIfArmed(boolean solicited) {
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
     * @throws RdmaException EIO when the ring has overrun and raises no event any more
     */
    public boolean arm(boolean solicitedOnly) {
        int wanted = solicitedOnly ? ARM_SOLICITED : ARM_NEXT;
        int level;
        do {
            level = armed.get();
        } while (!armed.compareAndSet(level, Math.max(level, wanted)));
        refuseIfOverrun("ibv_req_notify_cq");
        return published != consumed;
    }

    public boolean isEmpty() {
        return published == consumed;
    }

    /**
     * Takes up to {@code count} entries, oldest first, into {@code into}. Any thread; never blocks for long.
     *
     * @throws RdmaException EIO when the ring has overrun and everything from before is taken
     */
    public int poll(WorkCompletion[] into, int count) {
        if (published == consumed) {
            if (count > 0
                    && overrun
                    && published == consumed) { // asked in this order, nothing that came in between is missed
                refuseIfOverrun("ibv_poll_cq");
            }
            return 0;
        }
        consumers.lock();
        try {
            CompletionSlots room = slots;
            long position = consumed;
            int n = (int) Math.min(count, published - position);
            for (int i = 0; i < n; i++) {
                if (into[i] == null) { // before any is taken, so that none is lost
                    throw new RdmaException(ErrorCode.EINVAL, "ibv_poll_cq: into[" + i + "] is null");
                }
            }
            for (int i = 0; i < n; i++) {
                take(room.at(position + i), into[i]);
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
            CompletionSlots room = slots;
            long keep = consumed;
            for (long at = consumed; at < published; at++) {
                CompletionEntry entry = room.at(at);
                if (entry.queuePair != queuePair) {
                    room.swap(at, keep);
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

    /**
     * Goes on in other slots with what is unpolled, in order (§10). Owner thread.
     *
     * @throws RdmaException EINVAL when more is unpolled than would fit, EIO after an overrun; nothing is changed then
     */
    public void resize(CompletionSlots other) {
        consumers.lock();
        try {
            refuseIfOverrun("ibv_resize_cq");
            long unpolled = published - consumed;
            if (unpolled > other.capacity()) {
                throw new RdmaException(
                        ErrorCode.EINVAL,
                        "ibv_resize_cq: " + other.capacity() + " entries are too few for the " + unpolled
                                + " that wait in completion queue " + number);
            }
            CompletionSlots old = slots;
            for (long at = consumed; at < published; at++) {
                other.adopt(old, at);
            }
            slots = other;
        } finally {
            consumers.unlock();
        }
    }

    private void refuseIfOverrun(String verb) {
        if (overrun) {
            throw new RdmaException(
                    ErrorCode.EIO,
                    verb + ": completion queue " + number + " has overrun: a completion found all " + capacity()
                            + " entries waiting to be polled, so it was lost, and with it the queue pairs that use"
                            + " the queue; close it, and make one that holds all requests that may be outstanding");
        }
    }
}
