package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The extended header of COMPARE SWAP and FETCH ADD. The swap-or-add operand stands before the compare operand (§3). */
public final class AtomicEth extends Flyweight {
    public static final int LENGTH = 28;

    /** Points at the header that begins at {@code offset}. */
    public AtomicEth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** The remote virtual address. */
    public long address() {
        return get64(0);
    }

    public AtomicEth address(long value) {
        put64(0, value);
        return this;
    }

    /** The R_Key. */
    public int key() {
        return get32(8);
    }

    public AtomicEth key(int value) {
        put32(8, value);
        return this;
    }

    /** What COMPARE SWAP stores, what FETCH ADD adds. */
    public long swapOrAdd() {
        return get64(12);
    }

    public AtomicEth swapOrAdd(long value) {
        put64(12, value);
        return this;
    }

    /** What COMPARE SWAP compares with; 0 for FETCH ADD. */
    public long compare() {
        return get64(20);
    }

    public AtomicEth compare(long value) {
        put64(20, value);
        return this;
    }

    @Override
    public String toString() {
        return "ATOMICETH(va=0x%x rkey=0x%x swap_add=0x%x cmp=0x%x)"
                .formatted(address(), key(), swapOrAdd(), compare());
    }
}
