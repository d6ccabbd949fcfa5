package io.rdma4j.testkit.sweep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a node's memory holds at the start: pseudo-random bytes, each a function of its place, so none is a copy. */
final class InitialMemory {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private InitialMemory() {}

    /** The initial content of {@code length} bytes of a node's memory. */
    static byte[] bytes(long seed, Side side, int length) {
        ByteBuffer bytes = ByteBuffer.allocate((length + 7) & -8).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putLong(word(seed, side, bytes.position()));
        }
        byte[] exact = new byte[length];
        System.arraycopy(bytes.array(), 0, exact, 0, length);
        return exact;
    }

    /** The initial 64-bit value at an offset that is a multiple of 8, in the host's order, little-endian (§3). */
    static long word(long seed, Side side, int offset) {
        long z = seed * GOLDEN + (2L * offset + side.ordinal() + 1) * 0xD1342543DE82EF95L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
