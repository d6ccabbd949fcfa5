package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** Immediate data: 32 bits that go to the consumer untouched (§3). */
public final class ImmediateData extends Flyweight {
    public static final int LENGTH = 4;

    /** Points at the header that begins at {@code offset}. */
    public ImmediateData wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The data, in host order. */
    public int value() {
        return get32(0);
    }

    public ImmediateData value(int value) {
        put32(0, value);
        return this;
    }

    @Override
    public String toString() {
        return "IMM(0x%x)".formatted(value());
    }
}
