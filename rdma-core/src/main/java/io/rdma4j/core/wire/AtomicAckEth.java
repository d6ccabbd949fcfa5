package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The answer to an atomic (§3). */
public final class AtomicAckEth extends Flyweight {
    public static final int LENGTH = 8;

    /** Points at the header that begins at {@code offset}. */
    public AtomicAckEth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** What the 64 bits of remote memory held before. */
    public long original() {
        return get64(0);
    }

    public AtomicAckEth original(long value) {
        put64(0, value);
        return this;
    }

    @Override
    public String toString() {
        return "ATOMICACKETH(orig=0x%x)".formatted(original());
    }
}
