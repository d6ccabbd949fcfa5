package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** The base transport header that every packet begins with (§3). */
public final class Bth extends Flyweight {
    public static final int LENGTH = 12;

    /** Full membership of the default partition, the only key RoCE has (§3). */
    public static final int DEFAULT_PKEY = 0xFFFF;

    /** The only transport header version there is; packets with another are dropped (§7.1). */
    public static final int VERSION = 0;

    private static final int SOLICITED = 0x80;
    private static final int MIGRATED = 0x40;
    private static final int PAD = 0x30;
    private static final int PAD_SHIFT = 4;
    private static final int TVER = 0x0F;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int ACK_REQUEST = 0x80;

    /** Points at the header that begins at {@code offset}. */
    public Bth wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /**
     * Writes the whole header: the given fields, the default P_Key, and zero for everything else. The setters then change
     * what is to differ.
     */
    public Bth init(Opcode opcode, int destinationQp, int psn) {
        put32(0, opcode.code() << 24 | DEFAULT_PKEY);
        put32(4, destinationQp & 0xFFFFFF);
        put32(8, psn & Psn.MASK);
        return this;
    }

    /** The opcode byte, which need not be a known opcode's. */
    public int opcode() {
        return get8(0);
    }

    public Bth opcode(int code) {
        put8(0, code);
        return this;
    }

    public boolean solicited() {
        return (get8(1) & SOLICITED) != 0;
    }

    public Bth solicited(boolean value) {
        putBits(1, SOLICITED, value ? SOLICITED : 0);
        return this;
    }

    /** MigReq: 1 is the normal state of a queue pair without path migration. */
    public boolean migrated() {
        return (get8(1) & MIGRATED) != 0;
    }

    public Bth migrated(boolean value) {
        putBits(1, MIGRATED, value ? MIGRATED : 0);
        return this;
    }

    /** How many zero bytes, 0 to 3, fill the payload up to a multiple of 4. */
    public int padCount() {
        return (get8(1) & PAD) >>> PAD_SHIFT;
    }

    public Bth padCount(int value) {
        putBits(1, PAD, value << PAD_SHIFT);
        return this;
    }

    public int version() {
        return get8(1) & TVER;
    }

    public Bth version(int value) {
        putBits(1, TVER, value);
        return this;
    }

    public int pkey() {
        return get16(2);
    }

    public Bth pkey(int value) {
        put16(2, value);
        return this;
    }

    public boolean fecn() {
        return (get8(4) & FECN) != 0;
    }

    public Bth fecn(boolean value) {
        putBits(4, FECN, value ? FECN : 0);
        return this;
    }

    public boolean becn() {
        return (get8(4) & BECN) != 0;
    }

    public Bth becn(boolean value) {
        putBits(4, BECN, value ? BECN : 0);
        return this;
    }

    /** The six reserved bits beside FECN and BECN; ignored on receipt. */
    public int reserved6() {
        return get8(4) & 0x3F;
    }

    public Bth reserved6(int value) {
        putBits(4, 0x3F, value);
        return this;
    }

    public int destinationQp() {
        return get24(4);
    }

    public Bth destinationQp(int value) {
        put24(4, value);
        return this;
    }

    public boolean ackRequest() {
        return (get8(8) & ACK_REQUEST) != 0;
    }

    public Bth ackRequest(boolean value) {
        putBits(8, ACK_REQUEST, value ? ACK_REQUEST : 0);
        return this;
    }

    /** The seven reserved bits beside AckReq; ignored on receipt. */
    public int reserved7() {
        return get8(8) & 0x7F;
    }

    public Bth reserved7(int value) {
        putBits(8, 0x7F, value);
        return this;
    }

    public int psn() {
        return get24(8);
    }

    public Bth psn(int value) {
        put24(8, value);
        return this;
    }

    @Override
    public String toString() {
        Opcode known = Opcode.of(opcode());
        return "BTH(%s qpn=0x%06x psn=%d%s%s pad=%d pkey=0x%04x)"
                .formatted(
                        known != null ? known : "0x%02x".formatted(opcode()),
                        destinationQp(),
                        psn(),
                        ackRequest() ? " A" : "",
                        solicited() ? " SE" : "",
                        padCount(),
                        pkey());
    }
}
