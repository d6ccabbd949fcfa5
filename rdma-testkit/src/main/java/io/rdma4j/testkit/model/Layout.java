package io.rdma4j.testkit.model;

import java.util.SplittableRandom;

/**
 * Which part of the memories a lane uses for what. Each queue pair has a stripe of its own, in which nothing is written
 * that the same step reads: a peer may gather or read again after a loss (§7.4).
 *
 * @param sources where the requester gathers from
 * @param sinks where READs and atomics of the requester go
 * @param receives where the responder's receives lie, in every step
 * @param targets where WRITEs go
 * @param readable where READs read
 * @param words where atomics work
 */
record Layout(Zone sources, Zone sinks, Zone receives, Zone targets, Zone readable, Zone words) {
    static final int STRIPE = 16 << 10;
    private static final int RECEIVES = 6 << 10;
    private static final int WORDS = 64;

    /** No message is longer, so that each fits each zone. */
    static final int MAX_MESSAGE = 4_000;

    static Layout draw(int queuePair, SplittableRandom random) {
        int base = queuePair * STRIPE;
        int end = base + STRIPE;
        int ownCut = base + random.nextInt(MAX_MESSAGE, STRIPE - MAX_MESSAGE);
        int words = end - WORDS;
        int peerCut = base + RECEIVES + random.nextInt(MAX_MESSAGE, words - base - RECEIVES - MAX_MESSAGE);
        return new Layout(
                new Zone(base, ownCut),
                new Zone(ownCut, end),
                receives(queuePair),
                new Zone(base + RECEIVES, peerCut),
                new Zone(peerCut, words),
                new Zone(words, end));
    }

    static Zone receives(int queuePair) {
        int base = queuePair * STRIPE;
        return new Zone(base, base + RECEIVES);
    }

    /**
     * A range of a node's memory.
     *
     * @param from first offset
     * @param to first offset beyond
     */
    record Zone(int from, int to) {
        /** Where {@code length} bytes of the zone begin. */
        int place(int length, SplittableRandom random) {
            return random.nextInt(from, to - length + 1);
        }
    }
}
