package io.rdma4j.core.qp;

/**
 * The READ and atomic requests that a requester has sent and that are not fully answered, oldest first: at most
 * max_rd_atomic (§6.1). A READ in several requests has an entry for each.
 */
public final class OutstandingReads {
    private final int[] firstPsns;
    private final int[] lastPsns;
    private final boolean[] repeated;
    private int oldest;
    private int size;

    public OutstandingReads(int capacity) {
        firstPsns = new int[capacity];
        lastPsns = new int[capacity];
        repeated = new boolean[capacity];
    }

    public int size() {
        return size;
    }

    public boolean isFull() {
        return size == firstPsns.length;
    }

    /**
     * Notes a request.
     *
     * @param isRepeated some of its PSNs were requested before, so that answers to the earlier request may still come,
     *     cut into FIRST, MIDDLE and LAST in another way
     */
    public void push(int firstPsn, int lastPsn, boolean isRepeated) {
        int at = (oldest + size++) % firstPsns.length;
        firstPsns[at] = firstPsn;
        lastPsns[at] = lastPsn;
        repeated[at] = isRepeated;
    }

    public int oldestFirstPsn() {
        return firstPsns[oldest];
    }

    public int oldestLastPsn() {
        return lastPsns[oldest];
    }

    public boolean isOldestRepeated() {
        return repeated[oldest];
    }

    public void pop() {
        oldest = (oldest + 1) % firstPsns.length;
        size--;
    }

    public void clear() {
        size = 0;
    }
}
