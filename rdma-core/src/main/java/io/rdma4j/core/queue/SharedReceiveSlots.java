package io.rdma4j.core.queue;

/**
 * Room for the receives of a {@link SharedReceiveRing}, made apart from the ring that will use it: a large one takes long
 * to allocate, which is for the caller's thread to do and not for the owner's.
 */
public final class SharedReceiveSlots {
    private final ReceiveWorkEntry[] entries;
    private final int capacity;
    private final int maxElements;

    public SharedReceiveSlots(int capacity, int maxElements) {
        this.capacity = capacity;
        this.maxElements = maxElements;
        this.entries = new ReceiveWorkEntry[Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new ReceiveWorkEntry(maxElements);
        }
    }

    /** Receives that may wait, which is less than there are slots unless it is a power of two. */
    public int capacity() {
        return capacity;
    }

    public int maxElements() {
        return maxElements;
    }

    ReceiveWorkEntry at(long position) {
        return entries[indexOf(position)];
    }

    /** Takes over the entry that {@code from} has at a position. */
    void adopt(SharedReceiveSlots from, long position) {
        entries[indexOf(position)] = from.at(position);
    }

    private int indexOf(long position) {
        return (int) position & (entries.length - 1);
    }
}
