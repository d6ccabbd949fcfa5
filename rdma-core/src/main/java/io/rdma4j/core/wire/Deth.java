package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The datagram extended header of every UD packet (§3). */
public final class Deth extends Flyweight {
    public static final int LENGTH = 8;

    /** Points at the header that begins at {@code offset}. */
    public Deth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The Q_Key that must match the receiving queue pair's. */
    public int qkey() {
        return get32(0);
    }

    public Deth qkey(int value) {
        put32(0, value);
        return this;
    }

    /** The number of the sending queue pair. Setting it leaves the reserved byte before it. */
    public int sourceQp() {
        return get24(4);
    }

    public Deth sourceQp(int value) {
        put24(4, value);
        return this;
    }

    /** The reserved byte; ignored on receipt. */
    public int reserved() {
        return get8(4);
    }

    public Deth reserved(int value) {
        put8(4, value);
        return this;
    }

    @Override
    public String toString() {
        return "DETH(qkey=0x%08x srcqp=%d)".formatted(qkey(), sourceQp());
    }
}
