package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;
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

        /** It was answered in full before, so that an answer that is due now is a repetition. */
        public boolean answered;

        /** An answer is due, from {@link #cursor} to {@link #answerLast}; it began at {@link #answerFirst}. */
        public boolean pending;

        public int answerFirst;
        public int answerLast;
        public int cursor;

        private boolean covers(int psn) {
            return valid && Psn.diff(psn, firstPsn) >= 0 && Psn.diff(psn, lastPsn) <= 0;
        }
    }

    private final Slot[] slots;
    private final int[] due;
    private int newest;
    private int dueOldest;
    private int dueCount;

    public ReadAtomicSlots(int capacity) {
        slots = new Slot[capacity];
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot();
        }
        due = new int[capacity];
    }

    public int capacity() {
        return slots.length;
    }

    /** Whether {@link #allocate} would give a slot. */
    public boolean hasRoom() {
        return slots.length > 0 && isReusable(slots[(newest + 1) % slots.length]);
    }

    private static boolean isReusable(Slot slot) {
        return !slot.pending || slot.answered;
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
            cancel(newest);
        }
        slot.answered = false;
        return slot;
    }

    private void cancel(int index) {
        int kept = 0;
        for (int i = 0; i < dueCount; i++) {
            int entry = due[(dueOldest + i) % due.length];
            if (entry != index) {
                due[(dueOldest + kept++) % due.length] = entry;
            }
        }
        dueCount = kept;
        slots[index].pending = false;
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

    /** Queues the answer from PSN {@code from} to {@code to}. */
    public void schedule(Slot slot, int from, int to) {
        slot.answerFirst = from;
        slot.answerLast = to;
        slot.cursor = from;
        slot.pending = true;
        due[(dueOldest + dueCount++) % due.length] = indexOf(slot);
    }

    /** The slot whose answer is due next, or null. */
    public @Nullable Slot nextDue() {
        return dueCount == 0 ? null : slots[due[dueOldest]];
    }

    /** The answer of {@link #nextDue} is complete. */
    public void answered() {
        Slot slot = slots[due[dueOldest]];
        slot.pending = false;
        slot.answered = true;
        dueOldest = (dueOldest + 1) % due.length;
        dueCount--;
    }

    /** Drops all answers that are due. */
    public void cancelAll() {
        while (dueCount > 0) {
            answered();
        }
    }

    private int indexOf(Slot slot) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == slot) {
                return i;
            }
        }
        throw new IllegalArgumentException("not a slot of this queue pair");
    }
}
