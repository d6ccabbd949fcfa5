package io.rdma4j.testkit.sweep;

import java.util.SplittableRandom;

/** The lengths messages have: mostly around the edges of packets, sometimes long. */
record MessageSizes(int mtu) {
    private static final int SMALL_MULTIPLE = 6;

    /** The next length, at most {@code limit}. */
    int next(SplittableRandom random, int limit) {
        return Math.min(limit, draw(random, limit));
    }

    private int draw(SplittableRandom random, int limit) {
        return switch (random.nextInt(20)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 3;
            case 3 -> 4;
            case 4 -> mtu - 1;
            case 5 -> mtu;
            case 6 -> mtu + 1;
            case 7 -> 2 * mtu;
            case 8 -> 2 * mtu + 1 + random.nextInt(mtu);
            case 9, 10, 11 -> random.nextInt(1, SMALL_MULTIPLE * mtu);
            case 12 -> limit > SMALL_MULTIPLE * mtu ? random.nextInt(SMALL_MULTIPLE * mtu, limit + 1) : limit;
            default -> random.nextInt(1, mtu);
        };
    }

    /** How many packets a message of that length takes. */
    int packets(int length) {
        return Math.max(1, (length + mtu - 1) / mtu);
    }
}
