package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The ACK extended header of responses (§3). */
public final class Aeth extends Flyweight {
    public static final int LENGTH = 4;

    /** Points at the header that begins at {@code offset}. */
    public Aeth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** Writes both fields at once. */
    public Aeth set(int syndrome, int msn) {
        put32(0, syndrome << 24 | (msn & 0xFFFFFF));
        return this;
    }

    /** What {@link Syndrome} explains. */
    public int syndrome() {
        return get8(0);
    }

    public Aeth syndrome(int value) {
        put8(0, value);
        return this;
    }

    /** Messages the responder has completed, modulo 2^24. Setting it leaves the syndrome. */
    public int msn() {
        return get24(0);
    }

    public Aeth msn(int value) {
        put24(0, value);
        return this;
    }

    @Override
    public String toString() {
        return "AETH(0x%02x %s msn=%d)".formatted(syndrome(), Syndrome.describe(syndrome()), msn());
    }
}
