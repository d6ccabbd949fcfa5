package io.rdma4j.core.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A view of one header in a buffer: reused for packet after packet, never copying, by absolute access only. Every header
 * is big-endian (§3), so the buffer must have Java's default byte order.
 */
abstract class Flyweight {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    ByteBuffer buffer = NOTHING;
    int offset;

    final void moveTo(ByteBuffer newBuffer, int newOffset) {
        assert newBuffer.order() == ByteOrder.BIG_ENDIAN;
        buffer = newBuffer;
        offset = newOffset;
    }

    final int get8(int index) {
        return buffer.get(offset + index) & 0xFF;
    }

    final int get16(int index) {
        return buffer.getShort(offset + index) & 0xFFFF;
    }

    /** The low 24 bits of the 32-bit word at an index; 24-bit fields always end such a word. */
    final int get24(int index) {
        return buffer.getInt(offset + index) & 0xFFFFFF;
    }

    final int get32(int index) {
        return buffer.getInt(offset + index);
    }

    final long get64(int index) {
        return buffer.getLong(offset + index);
    }

    final void put8(int index, int value) {
        buffer.put(offset + index, (byte) value);
    }

    final void put16(int index, int value) {
        buffer.putShort(offset + index, (short) value);
    }

    /** Sets the low 24 bits of the word at an index and leaves its high byte. */
    final void put24(int index, int value) {
        buffer.putInt(offset + index, (buffer.getInt(offset + index) & 0xFF000000) | (value & 0xFFFFFF));
    }

    final void put32(int index, int value) {
        buffer.putInt(offset + index, value);
    }

    final void put64(int index, long value) {
        buffer.putLong(offset + index, value);
    }

    /** Sets some bits of a byte and leaves the others. */
    final void putBits(int index, int mask, int bits) {
        put8(index, (get8(index) & ~mask) | (bits & mask));
    }
}
