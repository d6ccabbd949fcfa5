package io.rdma4j.core.memory;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/**
 * Hands out keys of a 24-bit index and an 8-bit variant (§11.1). A freed index rests behind all other free ones before
 * it is used again, and returns with another variant, so that a stale key is refused for as long as possible.
 */
final class KeyAllocator {
    private static final int VARIANT_BITS = 8;

    private final int limit;
    private final RandomGenerator random;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    /** Index 0 is never used: key 0 is what forgetful programs send. */
    private int next = 1;

    KeyAllocator(int limit, RandomGenerator random) {
        this.limit = limit;
        this.random = random;
    }

    /** A fresh key, or 0 when all are in use. */
    int allocate() {
        if (next <= limit) {
            return next++ << VARIANT_BITS | random.nextInt(1 << VARIANT_BITS);
        }
        Integer recycled = free.poll();
        return recycled == null ? 0 : recycled;
    }

    void release(int key) {
        int variant = key + 1 & 0xFF;
        free.add(indexOf(key) << VARIANT_BITS | variant);
    }

    static int indexOf(int key) {
        return key >>> VARIANT_BITS;
    }
}
