package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The FLUSH extended header (§3). */
public final class Feth extends Flyweight {
    public static final int LENGTH = 4;

    /** Selectivity: the memory range of the RETH. */
    public static final int RANGE = 0;

    /** Selectivity: the whole memory region. */
    public static final int REGION = 1;

    /** Placement bit: the data are visible to everybody. */
    public static final int GLOBAL_VISIBILITY = 1;

    /** Placement bit: the data survive a loss of power. */
    public static final int PERSISTENCE = 2;

    /** Points at the header that begins at {@code offset}. */
    public Feth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** How much is flushed: {@link #RANGE} or {@link #REGION}. */
    public int selectivity() {
        return get8(3) >>> 4 & 3;
    }

    public Feth selectivity(int value) {
        putBits(3, 0x30, value << 4);
        return this;
    }

    /** How far: {@link #GLOBAL_VISIBILITY} and {@link #PERSISTENCE} in any union. */
    public int placement() {
        return get8(3) & 0x0F;
    }

    public Feth placement(int value) {
        putBits(3, 0x0F, value);
        return this;
    }

    /** The 26 reserved bits; ignored on receipt. */
    public int reserved() {
        return get32(0) >>> 6;
    }

    public Feth reserved(int value) {
        put32(0, (get32(0) & 0x3F) | value << 6);
        return this;
    }

    @Override
    public String toString() {
        return "FETH(selectivity=%d placement=%d)".formatted(selectivity(), placement());
    }
}
