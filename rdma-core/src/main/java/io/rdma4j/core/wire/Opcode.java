package io.rdma4j.core.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Every legal BTH opcode with its layout: the one table that says which headers a packet has and what it may carry (§2).
 *
 * <p>Offsets are bytes from the start of the BTH; -1 where the opcode does not have the header.
 */
public enum Opcode {
    RC_SEND_FIRST(0x00, Operation.SEND, Position.FIRST, PayloadRule.FULL),
    RC_SEND_MIDDLE(0x01, Operation.SEND, Position.MIDDLE, PayloadRule.FULL),
    RC_SEND_LAST(0x02, Operation.SEND, Position.LAST, PayloadRule.SOME),
    RC_SEND_LAST_WITH_IMMEDIATE(0x03, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.IMMEDIATE),
    RC_SEND_ONLY(0x04, Operation.SEND, Position.ONLY, PayloadRule.ANY),
    RC_SEND_ONLY_WITH_IMMEDIATE(0x05, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.IMMEDIATE),
    RC_RDMA_WRITE_FIRST(0x06, Operation.RDMA_WRITE, Position.FIRST, PayloadRule.FULL, ExtensionHeader.RETH),
    RC_RDMA_WRITE_MIDDLE(0x07, Operation.RDMA_WRITE, Position.MIDDLE, PayloadRule.FULL),
    RC_RDMA_WRITE_LAST(0x08, Operation.RDMA_WRITE, Position.LAST, PayloadRule.SOME),
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(
            0x09, Operation.RDMA_WRITE, Position.LAST, PayloadRule.SOME, ExtensionHeader.IMMEDIATE),
    RC_RDMA_WRITE_ONLY(0x0A, Operation.RDMA_WRITE, Position.ONLY, PayloadRule.ANY, ExtensionHeader.RETH),
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0x0B,
            Operation.RDMA_WRITE,
            Position.ONLY,
            PayloadRule.ANY,
            ExtensionHeader.RETH,
            ExtensionHeader.IMMEDIATE),
    RC_RDMA_READ_REQUEST(0x0C, Operation.READ_REQUEST, Position.ONLY, PayloadRule.NONE, ExtensionHeader.RETH),
    RC_RDMA_READ_RESPONSE_FIRST(0x0D, Operation.READ_RESPONSE, Position.FIRST, PayloadRule.FULL, ExtensionHeader.AETH),
    RC_RDMA_READ_RESPONSE_MIDDLE(0x0E, Operation.READ_RESPONSE, Position.MIDDLE, PayloadRule.FULL),
    RC_RDMA_READ_RESPONSE_LAST(0x0F, Operation.READ_RESPONSE, Position.LAST, PayloadRule.SOME, ExtensionHeader.AETH),
    RC_RDMA_READ_RESPONSE_ONLY(0x10, Operation.READ_RESPONSE, Position.ONLY, PayloadRule.ANY, ExtensionHeader.AETH),
    RC_ACKNOWLEDGE(0x11, Operation.ACKNOWLEDGE, Position.ONLY, PayloadRule.NONE, ExtensionHeader.AETH),
    RC_ATOMIC_ACKNOWLEDGE(
            0x12,
            Operation.ATOMIC_ACKNOWLEDGE,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.AETH,
            ExtensionHeader.ATOMIC_ACK_ETH),
    RC_COMPARE_SWAP(0x13, Operation.COMPARE_SWAP, Position.ONLY, PayloadRule.NONE, ExtensionHeader.ATOMIC_ETH),
    RC_FETCH_ADD(0x14, Operation.FETCH_ADD, Position.ONLY, PayloadRule.NONE, ExtensionHeader.ATOMIC_ETH),
    RC_SEND_LAST_WITH_INVALIDATE(0x16, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.IETH),
    RC_SEND_ONLY_WITH_INVALIDATE(0x17, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.IETH),
    RC_FLUSH(0x1C, Operation.FLUSH, Position.ONLY, PayloadRule.NONE, ExtensionHeader.FETH, ExtensionHeader.RETH),
    RC_ATOMIC_WRITE(0x1D, Operation.ATOMIC_WRITE, Position.ONLY, PayloadRule.EIGHT, ExtensionHeader.RETH),
    UC_SEND_FIRST(0x20, Operation.SEND, Position.FIRST, PayloadRule.FULL),
    UC_SEND_MIDDLE(0x21, Operation.SEND, Position.MIDDLE, PayloadRule.FULL),
    UC_SEND_LAST(0x22, Operation.SEND, Position.LAST, PayloadRule.SOME),
    UC_SEND_LAST_WITH_IMMEDIATE(0x23, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.IMMEDIATE),
    UC_SEND_ONLY(0x24, Operation.SEND, Position.ONLY, PayloadRule.ANY),
    UC_SEND_ONLY_WITH_IMMEDIATE(0x25, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.IMMEDIATE),
    UC_RDMA_WRITE_FIRST(0x26, Operation.RDMA_WRITE, Position.FIRST, PayloadRule.FULL, ExtensionHeader.RETH),
    UC_RDMA_WRITE_MIDDLE(0x27, Operation.RDMA_WRITE, Position.MIDDLE, PayloadRule.FULL),
    UC_RDMA_WRITE_LAST(0x28, Operation.RDMA_WRITE, Position.LAST, PayloadRule.SOME),
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(
            0x29, Operation.RDMA_WRITE, Position.LAST, PayloadRule.SOME, ExtensionHeader.IMMEDIATE),
    UC_RDMA_WRITE_ONLY(0x2A, Operation.RDMA_WRITE, Position.ONLY, PayloadRule.ANY, ExtensionHeader.RETH),
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0x2B,
            Operation.RDMA_WRITE,
            Position.ONLY,
            PayloadRule.ANY,
            ExtensionHeader.RETH,
            ExtensionHeader.IMMEDIATE),
    UD_SEND_ONLY(0x64, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.DETH),
    UD_SEND_ONLY_WITH_IMMEDIATE(
            0x65, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.DETH, ExtensionHeader.IMMEDIATE),
    CNP(0x81, Operation.CNP, Position.ONLY, PayloadRule.NONE, ExtensionHeader.CNP_RESERVED),
    XRC_SEND_FIRST(0xA0, Operation.SEND, Position.FIRST, PayloadRule.FULL, ExtensionHeader.XRCETH),
    XRC_SEND_MIDDLE(0xA1, Operation.SEND, Position.MIDDLE, PayloadRule.FULL, ExtensionHeader.XRCETH),
    XRC_SEND_LAST(0xA2, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.XRCETH),
    XRC_SEND_LAST_WITH_IMMEDIATE(
            0xA3, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.XRCETH, ExtensionHeader.IMMEDIATE),
    XRC_SEND_ONLY(0xA4, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.XRCETH),
    XRC_SEND_ONLY_WITH_IMMEDIATE(
            0xA5, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.XRCETH, ExtensionHeader.IMMEDIATE),
    XRC_RDMA_WRITE_FIRST(
            0xA6, Operation.RDMA_WRITE, Position.FIRST, PayloadRule.FULL, ExtensionHeader.XRCETH, ExtensionHeader.RETH),
    XRC_RDMA_WRITE_MIDDLE(0xA7, Operation.RDMA_WRITE, Position.MIDDLE, PayloadRule.FULL, ExtensionHeader.XRCETH),
    XRC_RDMA_WRITE_LAST(0xA8, Operation.RDMA_WRITE, Position.LAST, PayloadRule.SOME, ExtensionHeader.XRCETH),
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE(
            0xA9,
            Operation.RDMA_WRITE,
            Position.LAST,
            PayloadRule.SOME,
            ExtensionHeader.XRCETH,
            ExtensionHeader.IMMEDIATE),
    XRC_RDMA_WRITE_ONLY(
            0xAA, Operation.RDMA_WRITE, Position.ONLY, PayloadRule.ANY, ExtensionHeader.XRCETH, ExtensionHeader.RETH),
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0xAB,
            Operation.RDMA_WRITE,
            Position.ONLY,
            PayloadRule.ANY,
            ExtensionHeader.XRCETH,
            ExtensionHeader.RETH,
            ExtensionHeader.IMMEDIATE),
    XRC_RDMA_READ_REQUEST(
            0xAC,
            Operation.READ_REQUEST,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.XRCETH,
            ExtensionHeader.RETH),
    XRC_RDMA_READ_RESPONSE_FIRST(0xAD, Operation.READ_RESPONSE, Position.FIRST, PayloadRule.FULL, ExtensionHeader.AETH),
    XRC_RDMA_READ_RESPONSE_MIDDLE(0xAE, Operation.READ_RESPONSE, Position.MIDDLE, PayloadRule.FULL),
    XRC_RDMA_READ_RESPONSE_LAST(0xAF, Operation.READ_RESPONSE, Position.LAST, PayloadRule.SOME, ExtensionHeader.AETH),
    XRC_RDMA_READ_RESPONSE_ONLY(0xB0, Operation.READ_RESPONSE, Position.ONLY, PayloadRule.ANY, ExtensionHeader.AETH),
    XRC_ACKNOWLEDGE(0xB1, Operation.ACKNOWLEDGE, Position.ONLY, PayloadRule.NONE, ExtensionHeader.AETH),
    XRC_ATOMIC_ACKNOWLEDGE(
            0xB2,
            Operation.ATOMIC_ACKNOWLEDGE,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.AETH,
            ExtensionHeader.ATOMIC_ACK_ETH),
    XRC_COMPARE_SWAP(
            0xB3,
            Operation.COMPARE_SWAP,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.XRCETH,
            ExtensionHeader.ATOMIC_ETH),
    XRC_FETCH_ADD(
            0xB4,
            Operation.FETCH_ADD,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.XRCETH,
            ExtensionHeader.ATOMIC_ETH),
    XRC_SEND_LAST_WITH_INVALIDATE(
            0xB6, Operation.SEND, Position.LAST, PayloadRule.SOME, ExtensionHeader.XRCETH, ExtensionHeader.IETH),
    XRC_SEND_ONLY_WITH_INVALIDATE(
            0xB7, Operation.SEND, Position.ONLY, PayloadRule.ANY, ExtensionHeader.XRCETH, ExtensionHeader.IETH),
    XRC_FLUSH(
            0xBC,
            Operation.FLUSH,
            Position.ONLY,
            PayloadRule.NONE,
            ExtensionHeader.XRCETH,
            ExtensionHeader.FETH,
            ExtensionHeader.RETH),
    XRC_ATOMIC_WRITE(
            0xBD,
            Operation.ATOMIC_WRITE,
            Position.ONLY,
            PayloadRule.EIGHT,
            ExtensionHeader.XRCETH,
            ExtensionHeader.RETH);

    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[256];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final Transport transport;
    private final Operation operation;
    private final Position position;
    private final PayloadRule payloadRule;
    private final int xrcethOffset;
    private final int dethOffset;
    private final int fethOffset;
    private final int rethOffset;
    private final int atomicEthOffset;
    private final int aethOffset;
    private final int atomicAckEthOffset;
    private final int immediateOffset;
    private final int invalidateOffset;
    private final int headerLength;

    Opcode(int code, Operation operation, Position position, PayloadRule payloadRule, ExtensionHeader... headers) {
        this.code = code;
        this.transport = Transport.ofOpcode(code);
        this.operation = operation;
        this.position = position;
        this.payloadRule = payloadRule;
        int[] offsets = new int[ExtensionHeader.values().length];
        Arrays.fill(offsets, -1);
        int end = Bth.LENGTH;
        for (ExtensionHeader header : headers) {
            offsets[header.ordinal()] = end;
            end += header.length();
        }
        this.xrcethOffset = offsets[ExtensionHeader.XRCETH.ordinal()];
        this.dethOffset = offsets[ExtensionHeader.DETH.ordinal()];
        this.fethOffset = offsets[ExtensionHeader.FETH.ordinal()];
        this.rethOffset = offsets[ExtensionHeader.RETH.ordinal()];
        this.atomicEthOffset = offsets[ExtensionHeader.ATOMIC_ETH.ordinal()];
        this.aethOffset = offsets[ExtensionHeader.AETH.ordinal()];
        this.atomicAckEthOffset = offsets[ExtensionHeader.ATOMIC_ACK_ETH.ordinal()];
        this.immediateOffset = offsets[ExtensionHeader.IMMEDIATE.ordinal()];
        this.invalidateOffset = offsets[ExtensionHeader.IETH.ordinal()];
        this.headerLength = end;
    }

    /** The opcode of a BTH's first byte (its low eight bits count), or null when the code is reserved. */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code & 0xFF];
    }

    /** The same operation and position in another transport, or null where that has none (§2). */
    public @Nullable Opcode in(Transport other) {
        return BY_CODE[other.opcodeBase() | (code & Transport.OPERATION_MASK)];
    }

    /** The byte on the wire, 0 to 255. */
    public int code() {
        return code;
    }

    public Transport transport() {
        return transport;
    }

    public Operation operation() {
        return operation;
    }

    public Position position() {
        return position;
    }

    public PayloadRule payloadRule() {
        return payloadRule;
    }

    /** Whether such packets go from requester to responder. */
    public boolean isRequest() {
        return operation.isRequest();
    }

    /** Whether such packets go from responder to requester. */
    public boolean isResponse() {
        return operation.isResponse();
    }

    /** Bytes of BTH and extension headers together; the payload begins here. */
    public int headerLength() {
        return headerLength;
    }

    public boolean hasXrceth() {
        return xrcethOffset >= 0;
    }

    public boolean hasDeth() {
        return dethOffset >= 0;
    }

    public boolean hasFeth() {
        return fethOffset >= 0;
    }

    public boolean hasReth() {
        return rethOffset >= 0;
    }

    public boolean hasAtomicEth() {
        return atomicEthOffset >= 0;
    }

    public boolean hasAeth() {
        return aethOffset >= 0;
    }

    public boolean hasAtomicAckEth() {
        return atomicAckEthOffset >= 0;
    }

    public boolean hasImmediate() {
        return immediateOffset >= 0;
    }

    /** Whether the packet carries an R_Key to invalidate (IETH). */
    public boolean hasInvalidate() {
        return invalidateOffset >= 0;
    }

    public int xrcethOffset() {
        return xrcethOffset;
    }

    public int dethOffset() {
        return dethOffset;
    }

    public int fethOffset() {
        return fethOffset;
    }

    public int rethOffset() {
        return rethOffset;
    }

    public int atomicEthOffset() {
        return atomicEthOffset;
    }

    public int aethOffset() {
        return aethOffset;
    }

    public int atomicAckEthOffset() {
        return atomicAckEthOffset;
    }

    public int immediateOffset() {
        return immediateOffset;
    }

    public int invalidateOffset() {
        return invalidateOffset;
    }
}
