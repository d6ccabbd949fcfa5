package io.rdma4j.testkit.check;

/** Turns PSNs of 24 bits into positions that only grow (§5): a PSN is never half the space away from the newest. */
final class Positions {
    private static final int SHIFT = 8;

    private long newest;
    private int newestPsn;

    Positions(int startPsn) {
        newestPsn = startPsn;
    }

    /** The position of a PSN; the first PSN of the connection has 0. */
    long of(int psn) {
        int difference = ((psn - newestPsn) << SHIFT) >> SHIFT;
        return newest + difference;
    }

    /** Tells of a position that was reached. */
    void reached(long position) {
        if (position > newest) {
            newestPsn = (int) (newestPsn + (position - newest)) & 0xFFFFFF;
            newest = position;
        }
    }
}
