package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;
import java.util.Arrays;

/**
 * The READ and atomic requests that a requester has sent and that are not fully answered, oldest first: at most
 * max_rd_atomic (§6.1). A READ in several requests has an entry for each.
 *
 * <p>Entries outlive a rollback, because a request that is sent again must stay within the one it repeats: a responder
 * remembers requests as they came first (§7.4). One that is sent again in parts becomes as many entries, for the first may
 * never have arrived, and then it is the parts that the responder remembers, each in a place of its own.
 */
public final class OutstandingReads {
    private final int[] firstPsns;
    private final int[] lastPsns;
    private final boolean[] repeated;
    private int oldest;
    private int size;

    /** For {@code limit} requests; what is still to be sent again, in parts, takes as many places more at most. */
    public OutstandingReads(int limit) {
        firstPsns = new int[2 * limit];
        lastPsns = new int[2 * limit];
        repeated = new boolean[2 * limit];
    }

    /** How many requests may be out at once. */
    public int limit() {
        return firstPsns.length / 2;
    }

    public int size() {
        return size;
    }

    /** The same requests with room for {@code capacity}, or for as many as there are. */
    public OutstandingReads resized(int capacity) {
        OutstandingReads other = new OutstandingReads(Math.max(capacity, size));
        for (int i = 0; i < size; i++) {
            int at = place(i);
            other.push(firstPsns[at], lastPsns[at]);
            other.repeated[i] = repeated[at];
        }
        return other;
    }

    /** Notes a request that is sent for the first time. */
    public void push(int firstPsn, int lastPsn) {
        int at = place(size++);
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
        return lastPsns[place(indexCovering(psn))];
    }

    /** How many of the requests begin before {@code psn}. */
    public int countBefore(int psn) {
        int count = 0;
        while (count < size && Psn.diff(firstPsns[place(count)], psn) < 0) {
            count++;
        }
        return count;
    }

    /** Whether there is a place for the other part of a request that is sent again in two. */
    public boolean hasRoom() {
        return size < firstPsns.length;
    }

    /** The request that covers {@code lastPsn} is sent again up to there, and the rest of it by itself. */
    public void split(int lastPsn) {
        int index = indexCovering(lastPsn);
        int at = place(index);
        if (lastPsns[at] == lastPsn) {
            return;
        }
        for (int i = size - 1; i > index; i--) {
            firstPsns[place(i + 1)] = firstPsns[place(i)];
            lastPsns[place(i + 1)] = lastPsns[place(i)];
            repeated[place(i + 1)] = repeated[place(i)];
        }
        size++;
        int rest = place(index + 1);
        firstPsns[rest] = Psn.next(lastPsn);
        lastPsns[rest] = lastPsns[at];
        repeated[rest] = repeated[at];
        lastPsns[at] = lastPsn;
    }

    private int indexCovering(int psn) {
        for (int i = 0; i < size; i++) {
            int at = place(i);
            if (Psn.diff(psn, firstPsns[at]) >= 0 && Psn.diff(psn, lastPsns[at]) <= 0) {
                return i;
            }
        }
        throw new IllegalStateException(String.format("PSN 0x%06x is in no outstanding request", psn));
    }

    private int place(int index) {
        return (oldest + index) % firstPsns.length;
    }

    public void pop() {
        oldest = place(1);
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
