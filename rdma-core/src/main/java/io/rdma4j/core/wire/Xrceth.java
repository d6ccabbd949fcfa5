package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The XRC extended header, right after the BTH of every XRC request packet (§3). */
public final class Xrceth extends Flyweight {
    public static final int LENGTH = 4;

    /** Points at the header that begins at {@code offset}. */
    public Xrceth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The number of the shared receive queue the request goes to. Setting it leaves the reserved byte before it. */
    public int srqNumber() {
        return get24(0);
    }

    public Xrceth srqNumber(int value) {
        put24(0, value);
        return this;
    }

    /** The reserved byte; ignored on receipt. */
    public int reserved() {
        return get8(0);
    }

    public Xrceth reserved(int value) {
        put8(0, value);
        return this;
    }

    @Override
    public String toString() {
        return "XRCETH(srq=%d)".formatted(srqNumber());
    }
}
