package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;
import java.util.Arrays;

/**
 * The READ and atomic requests that a requester has sent and that are not fully answered, oldest first: at most
 * max_rd_atomic (§6.1). A READ in several requests has an entry for each.
 *
 * <p>Entries outlive a rollback, because a request that is sent again must stay within the one it repeats: a responder
 * remembers requests as they came first (§7.4).
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

    /** The same requests with room for {@code capacity}, or for as many as there are. */
    public OutstandingReads resized(int capacity) {
        OutstandingReads other = new OutstandingReads(Math.max(capacity, size));
        for (int i = 0; i < size; i++) {
            int at = (oldest + i) % firstPsns.length;
            other.push(firstPsns[at], lastPsns[at]);
            other.repeated[i] = repeated[at];
        }
        return other;
    }

    /** Notes a request that is sent for the first time. */
    public void push(int firstPsn, int lastPsn) {
        int at = (oldest + size++) % firstPsns.length;
        firstPsns[at] = firstPsn;
        lastPsns[at] = lastPsn;
        repeated[at] = false;
    }

    public int oldestFirstPsn() {
        return firstPsns[oldest];
    }

    public int oldestLastPsn() {
        return lastPsns[oldest];
    }

    /** Whether the oldest request may have been sent more than once, so that its answers may be cut in several ways. */
    public boolean isOldestRepeated() {
        return repeated[oldest];
    }

    /** The last PSN of the request that used {@code psn}, which must be among these. */
    public int lastPsnCovering(int psn) {
        for (int i = 0; i < size; i++) {
            int at = (oldest + i) % firstPsns.length;
            if (Psn.diff(psn, firstPsns[at]) >= 0 && Psn.diff(psn, lastPsns[at]) <= 0) {
                return lastPsns[at];
            }
        }
        throw new IllegalStateException(String.format("PSN 0x%06x is in no outstanding request", psn));
    }

    public void pop() {
        oldest = (oldest + 1) % firstPsns.length;
        size--;
    }

    /** After a rollback: all will be sent again. */
    public void markRepeated() {
        Arrays.fill(repeated, true);
    }

    public void clear() {
        size = 0;
    }
}
