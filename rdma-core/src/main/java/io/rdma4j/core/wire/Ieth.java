package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The invalidate extended header (§3). */
public final class Ieth extends Flyweight {
    public static final int LENGTH = 4;

    /** Points at the header that begins at {@code offset}. */
    public Ieth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The R_Key that the receiver is to invalidate. */
    public int key() {
        return get32(0);
    }

    public Ieth key(int value) {
        put32(0, value);
        return this;
    }

    @Override
    public String toString() {
        return "IETH(0x%x)".formatted(key());
    }
}
