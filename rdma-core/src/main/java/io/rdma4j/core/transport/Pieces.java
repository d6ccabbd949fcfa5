package io.rdma4j.core.transport;

import io.rdma4j.core.queue.ScatterGatherList;

/** Walks a range of bytes of a scatter/gather list, one contiguous piece after another. Reused; allocates nothing. */
public final class Pieces {
    private ScatterGatherList list = new ScatterGatherList(0);
    private int next;
    private long skip;
    private int left;
    private int element;
    private long address;
    private int length;

    /** Begins at byte {@code offset} of the list, for {@code bytes} bytes. */
    public void over(ScatterGatherList elements, long offset, int bytes) {
        list = elements;
        next = 0;
        skip = offset;
        left = bytes;
    }

    /** Goes to the next piece; false when the range, or the list, is at its end. */
    public boolean advance() {
        while (left > 0 && next < list.count()) {
            element = next++;
            long elementLength = list.length(element);
            if (skip < elementLength) {
                address = list.address(element) + skip;
                length = (int) Math.min(left, elementLength - skip);
                left -= length;
                skip = 0;
                return true;
            }
            skip -= elementLength;
        }
        return false;
    }

    /** Which element of the list the piece lies in. */
    public int element() {
        return element;
    }

    public int key() {
        return list.key(element);
    }

    public long address() {
        return address;
    }

    public int length() {
        return length;
    }
}
