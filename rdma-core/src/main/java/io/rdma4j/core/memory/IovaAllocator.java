package io.rdma4j.core.memory;

import java.nio.ByteBuffer;

/**
 * Hands out I/O virtual addresses: increasing, with an unmapped gap between regions so that an overrun is an error and
 * not a neighbour's data, and congruent to the native address modulo a page so that alignment means the same on both
 * sides. Deterministic, because tests replay addresses.
 */
final class IovaAllocator {
    private static final long FIRST = 0x0000_1000_0000_0000L;
    private static final int PAGE = 4096;
    private static final long GUARD = 16 * PAGE;

    private long next = FIRST;

    long allocate(ByteBuffer first, long length) {
        long address = next + first.alignmentOffset(0, PAGE);
        next = (address + length + GUARD + PAGE - 1) & -PAGE;
        return address;
    }
}
