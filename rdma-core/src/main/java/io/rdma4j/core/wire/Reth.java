package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The RDMA extended header: the remote memory a WRITE, READ, FLUSH or ATOMIC WRITE is about (§3). */
public final class Reth extends Flyweight {
    public static final int LENGTH = 16;

    /** Points at the header that begins at {@code offset}. */
    public Reth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The remote virtual address. */
    public long address() {
        return get64(0);
    }

    public Reth address(long value) {
        put64(0, value);
        return this;
    }

    /** The R_Key. */
    public int key() {
        return get32(8);
    }

    public Reth key(int value) {
        put32(8, value);
        return this;
    }

    /** The DMA length in bytes, unsigned: 2^31 is the longest legal message (§6.1). */
    public long length() {
        return get32(12) & 0xFFFFFFFFL;
    }

    public Reth length(long value) {
        put32(12, (int) value);
        return this;
    }

    @Override
    public String toString() {
        return "RETH(va=0x%x rkey=0x%x len=%d)".formatted(address(), key(), length());
    }
}
