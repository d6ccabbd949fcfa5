package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The responder's resources (§7.2, §7.4): a ring of the last max_dest_rd_atomic READs and atomics, kept so that a
 * duplicate is answered from them, and the order in which answers are due.
 */
public final class ReadAtomicSlots {
    /** One READ or atomic. */
    public static final class Slot {
        public boolean valid;
        public boolean atomic;
        public int firstPsn;
        public int lastPsn;
        public int msn;

        /** READ: what is read. */
        public long address;

        public int key;
        public long length;

        /** Atomic: what the word held before. */
        public long result;

        /** An answer is due, from {@link #cursor} to {@link #answerLast}; it began at {@link #answerFirst}. */
        public boolean pending;

        public int answerFirst;
        public int answerLast;
        public int cursor;

        /** READ: the answer ends that many bytes into what is read. */
        public long answerEnd;

        /** The pending answer repeats one that has been given. */
        private boolean repeated;

        private boolean covers(int psn) {
            return valid && Psn.diff(psn, firstPsn) >= 0 && Psn.diff(psn, lastPsn) <= 0;
        }
    }

    private final Slot[] slots;
    /** Slots with pending answers, in PSN order. */
    private final Slot[] due;

    private int newest;
    private int dueCount;

    public ReadAtomicSlots(int capacity) {
        slots = new Slot[capacity];
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot();
        }
        due = new Slot[capacity];
    }

    public int capacity() {
        return slots.length;
    }

    /**
     * A ring of another size with the newest of these requests. Those whose answers are due are the last to be left out: a
     * peer that keeps to the new limit has its answers already.
     */
    public ReadAtomicSlots resized(int capacity) {
        List<Slot> kept = new ArrayList<>();
        for (int i = 1; i <= slots.length; i++) {
            kept.add(slots[(newest + i) % slots.length]);
        }
        for (Iterator<Slot> oldestFirst = kept.iterator(); kept.size() > capacity && oldestFirst.hasNext(); ) {
            if (!oldestFirst.next().pending) {
                oldestFirst.remove();
            }
        }
        while (kept.size() > capacity) {
            kept.remove(0);
        }
        ReadAtomicSlots other = new ReadAtomicSlots(capacity);
        for (int i = 0; i < kept.size(); i++) {
            other.slots[i] = kept.get(i);
            other.newest = i;
        }
        for (int i = 0; i < dueCount; i++) {
            if (kept.contains(due[i])) {
                other.due[other.dueCount++] = due[i];
            }
        }
        return other;
    }

    /**
     * Whether {@link #allocate} would give a slot. A repeated answer is no obstacle: a peer that keeps to the limit asks for
     * more only when it has that answer, so the repetition was asked for by a packet that strayed.
     */
    public boolean hasRoom() {
        if (slots.length == 0) {
            return false;
        }
        Slot next = slots[(newest + 1) % slots.length];
        return !next.pending || next.repeated;
    }

    /**
     * A slot for a new request; null when the oldest one was never answered, or there is none at all. A repetition that is
     * due from it is dropped: a requester that asks for something new has what it asked for before.
     */
    public @Nullable Slot allocate() {
        if (!hasRoom()) {
            return null;
        }
        newest = (newest + 1) % slots.length;
        Slot slot = slots[newest];
        if (slot.pending) {
            remove(slot);
        }
        return slot;
    }

    /** The newest remembered request that used {@code psn} (PSNs wrap), or null when it was overwritten. */
    public @Nullable Slot find(int psn) {
        for (int age = 0; age < slots.length; age++) {
            Slot slot = slots[(newest - age + slots.length) % slots.length];
            if (slot.covers(psn)) {
                return slot;
            }
        }
        return null;
    }

    /** Queues the answer of a new request, from PSN {@code from} to {@code to}. */
    public void schedule(Slot slot, int from, int to) {
        insert(slot, dueCount, from, to);
        slot.answerEnd = slot.length;
        slot.repeated = false;
    }

    /**
     * Queues an answer again, in PSN order, since a peer takes answers in no other. One that is still under way goes back
     * to {@code from} and on to {@code to}, so that there are never two of a kind.
     *
     * @param end of a READ: how many bytes into it the answer ends
     */
    public void repeat(Slot slot, int from, int to, long end) {
        if (!slot.pending) {
            int at = 0;
            while (at < dueCount && Psn.isNewer(slot.firstPsn, due[at].firstPsn)) {
                at++;
            }
            insert(slot, at, from, to);
            slot.answerEnd = end;
            slot.repeated = true;
            return;
        }
        if (Psn.isNewer(to, slot.answerLast)) {
            slot.answerLast = to;
        }
        slot.answerEnd = Math.max(slot.answerEnd, end);
        if (!Psn.isNewer(from, slot.cursor)) {
            slot.answerFirst = from;
            slot.cursor = from;
        }
    }

    private void insert(Slot slot, int at, int from, int to) {
        System.arraycopy(due, at, due, at + 1, dueCount - at);
        due[at] = slot;
        dueCount++;
        slot.answerFirst = from;
        slot.answerLast = to;
        slot.cursor = from;
        slot.pending = true;
    }

    /** The slot whose answer is due next, or null. */
    public @Nullable Slot nextDue() {
        return dueCount == 0 ? null : due[0];
    }

    /** The answer of {@link #nextDue} is complete. */
    public void answered() {
        remove(due[0]);
    }

    /** Drops all answers that are due. */
    public void cancelAll() {
        while (dueCount > 0) {
            answered();
        }
    }

    private void remove(Slot slot) {
        int at = 0;
        while (due[at] != slot) {
            at++;
        }
        dueCount--;
        System.arraycopy(due, at + 1, due, at, dueCount - at);
        slot.pending = false;
    }
}
