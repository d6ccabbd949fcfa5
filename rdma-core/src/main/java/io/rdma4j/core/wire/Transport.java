package io.rdma4j.core.wire;

/** The transport service an opcode belongs to: the top three bits of its code (§2). */
public enum Transport {
    /** Reliable connected. */
    RC,
    /** Unreliable connected. */
    UC,
    /** Reliable datagram: obsolete, no opcode of it is known here. */
    RD,
    /** Unreliable datagram. */
    UD,
    /** Congestion notification packets. */
    CNP,
    /** Extended reliable connected. */
    XRC,
    /** Left to manufacturers; no opcode of it is known here. */
    MANUFACTURER_6,
    /** Left to manufacturers; no opcode of it is known here. */
    MANUFACTURER_7;

    /** The bits of an opcode byte that tell the operation. */
    static final int OPERATION_MASK = 0x1F;

    private static final Transport[] BY_CODE = values();

    /** The transport of any opcode byte, known or reserved; only the low eight bits count. */
    public static Transport ofOpcode(int opcodeCode) {
        return BY_CODE[(opcodeCode & 0xFF) >>> 5];
    }

    /** The opcode byte of this transport whose operation bits are all 0. */
    int opcodeBase() {
        return code() << 5;
    }

    /** The code: the opcode byte's top three bits. */
    public int code() {
        return ordinal();
    }
}
