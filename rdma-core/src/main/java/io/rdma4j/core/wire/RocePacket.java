package io.rdma4j.core.wire;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A received packet, checked once: after {@link #parse} has found nothing wrong, no accessor can fail. Reused for packet
 * after packet; valid while the buffer holds the packet.
 *
 * <p>An accessor of a header that the opcode does not have returns 0.
 */
public final class RocePacket {
    /** Bytes of the ICRC that ends every packet. */
    public static final int ICRC_LENGTH = 4;

    /** The shortest packet: BTH and ICRC. */
    public static final int MIN_LENGTH = Bth.LENGTH + ICRC_LENGTH;

    /** The layout of what is malformed: it has no extension headers, so that their accessors return 0. */
    private static final Opcode NO_EXTENSIONS = Opcode.RC_SEND_ONLY;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(MIN_LENGTH);

    private ByteBuffer buffer = NOTHING;
    private int offset;
    private int length = MIN_LENGTH;
    private boolean known;
    private Opcode layout = NO_EXTENSIONS;
    private int word0;
    private int word1;
    private int word2;
    private int payloadLength;

    /**
     * Takes a packet apart and checks all that can be checked without knowing the queue pair (§7.1), the ICRC excepted.
     *
     * <p>Whatever is found wrong, the BTH's fields can be read afterwards, all zero when not even a BTH is there: a queue
     * pair may have to answer a reserved opcode (§2).
     *
     * @param newBuffer big-endian, borrowed until the next call
     * @param newOffset index of the BTH
     * @param newLength bytes from the BTH to the ICRC, both included
     * @return null when the packet is well formed
     */
    public @Nullable DropReason parse(ByteBuffer newBuffer, int newOffset, int newLength) {
        Objects.checkFromIndexSize(newOffset, newLength, newBuffer.limit());
        buffer = NOTHING;
        offset = 0;
        length = MIN_LENGTH;
        known = false;
        layout = NO_EXTENSIONS;
        payloadLength = 0;
        if (newLength < MIN_LENGTH) {
            word0 = 0;
            word1 = 0;
            word2 = 0;
            return DropReason.TOO_SHORT;
        }
        buffer = newBuffer;
        offset = newOffset;
        length = newLength;
        word0 = buffer.getInt(offset);
        word1 = buffer.getInt(offset + 4);
        word2 = buffer.getInt(offset + 8);
        return checkLayout();
    }

    private @Nullable DropReason checkLayout() {
        if (version() != Bth.VERSION) {
            return DropReason.BAD_VERSION;
        }
        Opcode opcode = Opcode.of(opcodeCode());
        if (opcode == null) {
            return DropReason.UNKNOWN_OPCODE;
        }
        int rest = length - ICRC_LENGTH - opcode.headerLength();
        if (rest < 0) {
            return DropReason.TOO_SHORT;
        }
        known = true;
        layout = opcode;
        // All headers are multiples of 4, so this says whether the pad does its duty (§1). Linux takes packets without,
        // but nobody sends them, and §7.1 counts an inconsistent pad among the silent drops.
        if ((rest & 3) != 0 || padCount() > rest) {
            return DropReason.BAD_PAD;
        }
        payloadLength = rest - padCount();
        if (payloadLength != 0 && opcode.payloadRule() == PayloadRule.NONE) {
            return DropReason.LENGTH_MISMATCH;
        }
        return null;
    }

    /**
     * The opcode of a well-formed packet.
     *
     * @throws IllegalStateException when the packet is not; {@link Opcode#of} of {@link #opcodeCode()} may still know it
     */
    public Opcode opcode() {
        if (!known) {
            throw new IllegalStateException("no opcode: the packet is not well formed");
        }
        return layout;
    }

    /** The opcode byte as it stands in the BTH. */
    public int opcodeCode() {
        return word0 >>> 24;
    }

    public boolean solicited() {
        return (word0 & 0x800000) != 0;
    }

    public boolean migrated() {
        return (word0 & 0x400000) != 0;
    }

    public int padCount() {
        return word0 >>> 20 & 3;
    }

    public int version() {
        return word0 >>> 16 & 0x0F;
    }

    public int pkey() {
        return word0 & 0xFFFF;
    }

    public boolean fecn() {
        return (word1 & 0x80000000) != 0;
    }

    public boolean becn() {
        return (word1 & 0x40000000) != 0;
    }

    public int destinationQp() {
        return word1 & 0xFFFFFF;
    }

    public boolean ackRequest() {
        return (word2 & 0x80000000) != 0;
    }

    public int psn() {
        return word2 & Psn.MASK;
    }

    public long rethAddress() {
        return long64(layout.rethOffset(), 0);
    }

    public int rethKey() {
        return int32(layout.rethOffset(), 8);
    }

    /** The DMA length, unsigned: 0 to 2^32 - 1. */
    public long rethLength() {
        return int32(layout.rethOffset(), 12) & 0xFFFFFFFFL;
    }

    /** The AETH syndrome, which {@link Syndrome} explains. */
    public int syndrome() {
        return int32(layout.aethOffset(), 0) >>> 24;
    }

    public int msn() {
        return int32(layout.aethOffset(), 0) & 0xFFFFFF;
    }

    /** The immediate data in host order. */
    public int immediate() {
        return int32(layout.immediateOffset(), 0);
    }

    /** The R_Key that the receiver is to invalidate. */
    public int invalidateKey() {
        return int32(layout.invalidateOffset(), 0);
    }

    public long atomicAddress() {
        return long64(layout.atomicEthOffset(), 0);
    }

    public int atomicKey() {
        return int32(layout.atomicEthOffset(), 8);
    }

    public long atomicSwapOrAdd() {
        return long64(layout.atomicEthOffset(), 12);
    }

    public long atomicCompare() {
        return long64(layout.atomicEthOffset(), 20);
    }

    /** What an ATOMIC ACKNOWLEDGE brings back. */
    public long atomicOriginal() {
        return long64(layout.atomicAckEthOffset(), 0);
    }

    public int dethQkey() {
        return int32(layout.dethOffset(), 0);
    }

    public int dethSourceQp() {
        return int32(layout.dethOffset(), 4) & 0xFFFFFF;
    }

    public int xrcSrqNumber() {
        return int32(layout.xrcethOffset(), 0) & 0xFFFFFF;
    }

    public int flushSelectivity() {
        return int32(layout.fethOffset(), 0) >>> 4 & 3;
    }

    public int flushPlacement() {
        return int32(layout.fethOffset(), 0) & 0x0F;
    }

    /** The buffer that was parsed. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Index of the BTH in {@link #buffer()}. */
    public int offset() {
        return offset;
    }

    /** Bytes from the BTH to the ICRC, both included. */
    public int length() {
        return length;
    }

    /** Index of the first payload byte in {@link #buffer()}. */
    public int payloadOffset() {
        return offset + layout.headerLength();
    }

    /** Bytes of payload without pad; 0 unless the packet is well formed. */
    public int payloadLength() {
        return payloadLength;
    }

    /** The ICRC as an int; on the wire its least significant byte comes first. */
    public int icrc() {
        return Icrc.read(buffer, offset + length - ICRC_LENGTH);
    }

    @Override
    public String toString() {
        return known
                ? "%s qpn=0x%06x psn=%d payload=%d".formatted(layout, destinationQp(), psn(), payloadLength)
                : "0x%02x qpn=0x%06x psn=%d malformed".formatted(opcodeCode(), destinationQp(), psn());
    }

    private int int32(int header, int field) {
        return header < 0 ? 0 : buffer.getInt(offset + header + field);
    }

    private long long64(int header, int field) {
        return header < 0 ? 0 : buffer.getLong(offset + header + field);
    }
}
