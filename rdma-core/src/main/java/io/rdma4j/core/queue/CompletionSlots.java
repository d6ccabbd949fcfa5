package io.rdma4j.core.queue;

/**
 * Room for completions, made apart from the ring that will use it: a large one takes long to allocate, which is for the
 * caller's thread to do and not for the owner's.
 */
public final class CompletionSlots {
    private final CompletionEntry[] entries;
    private final int capacity;

    public CompletionSlots(int capacity) {
        this.capacity = capacity;
        this.entries = new CompletionEntry[Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new CompletionEntry();
        }
    }

    /** Completions that may wait, which is less than there are slots unless it is a power of two. */
    public int capacity() {
        return capacity;
    }

    CompletionEntry at(long position) {
        return entries[indexOf(position)];
    }

    /** Exchanges two slots, so that a purge closes a gap without copying. */
    void swap(long one, long other) {
        CompletionEntry entry = at(one);
        entries[indexOf(one)] = at(other);
        entries[indexOf(other)] = entry;
    }

    /** Takes over the entry that {@code from} has at a position. */
    void adopt(CompletionSlots from, long position) {
        entries[indexOf(position)] = from.at(position);
    }

    private int indexOf(long position) {
        return (int) position & (entries.length - 1);
    }
}
