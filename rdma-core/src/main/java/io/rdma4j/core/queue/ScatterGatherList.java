package io.rdma4j.core.queue;

import io.rdma4j.verbs.ScatterGatherElement;

/** The elements of one work request, copied into its slot. Lengths are unsigned 32-bit values held in longs. */
public final class ScatterGatherList {
    private final long[] addresses;
    private final long[] lengths;
    private final int[] keys;
    private int count;
    private long totalLength;

    /** An empty list with room for {@code capacity} elements. */
    public ScatterGatherList(int capacity) {
        addresses = new long[capacity];
        lengths = new long[capacity];
        keys = new int[capacity];
    }

    public int capacity() {
        return addresses.length;
    }

    public void clear() {
        count = 0;
        totalLength = 0;
    }

    public void add(ScatterGatherElement element) {
        add(element.address(), element.length(), element.localKey());
    }

    public void add(long address, long length, int key) {
        addresses[count] = address;
        lengths[count] = length;
        keys[count] = key;
        totalLength += length;
        count++;
    }

    /** Becomes the same as a list of no more elements than fit here. */
    void copyFrom(ScatterGatherList other) {
        int n = other.count;
        System.arraycopy(other.addresses, 0, addresses, 0, n);
        System.arraycopy(other.lengths, 0, lengths, 0, n);
        System.arraycopy(other.keys, 0, keys, 0, n);
        count = n;
        totalLength = other.totalLength;
    }

    public int count() {
        return count;
    }

    public long address(int i) {
        return addresses[i];
    }

    public long length(int i) {
        return lengths[i];
    }

    public int key(int i) {
        return keys[i];
    }

    /** Sum of the lengths, bytes. */
    public long totalLength() {
        return totalLength;
    }
}
