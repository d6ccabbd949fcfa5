package io.rdma4j.benchmarks;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A frame with the bytes of an RDMA WRITE's middle packet: a header of 12 bytes, payload, a CRC of 4 bytes. It costs what
 * the real one costs at least: one copy and one CRC pass on each side.
 */
final class RawFrame {
    static final int HEADER = 12;
    static final int OVERHEAD = HEADER + 4;
    private static final int NUMBER = 4;

    private final ByteBuffer memory;
    private final int payload;
    private final CRC32 crc = new CRC32();
    private int cursor;

    /**
     * Frames that carry a memory round and round.
     *
     * @param memory the source or the target of copies; a multiple of {@code payload}
     */
    RawFrame(ByteBuffer memory, int payload) {
        this.memory = memory;
        this.payload = payload;
    }

    int length() {
        return payload + OVERHEAD;
    }

    /** Writes frame {@code number} at an index. */
    void write(ByteBuffer to, int at, int number) {
        to.putInt(at, 0x07000000).putInt(at + NUMBER, number).putInt(at + 8, 0);
        to.put(at + HEADER, memory, cursor, payload);
        to.putInt(at + HEADER + payload, checksum(to, at));
        advance();
    }

    /** Takes the frame at an index; returns its number, or -1 when it is damaged. */
    int read(ByteBuffer from, int at, int length) {
        if (length != length() || from.getInt(at + HEADER + payload) != checksum(from, at)) {
            return -1;
        }
        memory.put(cursor, from, at + HEADER, payload);
        advance();
        return from.getInt(at + NUMBER);
    }

    private void advance() {
        cursor += payload;
        if (cursor == memory.capacity()) {
            cursor = 0;
        }
    }

    private int checksum(ByteBuffer bytes, int at) {
        int position = bytes.position();
        int limit = bytes.limit();
        crc.reset();
        crc.update(bytes.limit(at + HEADER + payload).position(at));
        bytes.limit(limit).position(position);
        return (int) crc.getValue();
    }
}
