package io.rdma4j.core.wire;

/** What may stand between BTH and payload, in the order of the wire (§2): no opcode has two of them the other way round. */
enum ExtensionHeader {
    XRCETH(Xrceth.LENGTH),
    DETH(Deth.LENGTH),
    FETH(Feth.LENGTH),
    RETH(Reth.LENGTH),
    ATOMIC_ETH(AtomicEth.LENGTH),
    AETH(Aeth.LENGTH),
    ATOMIC_ACK_ETH(AtomicAckEth.LENGTH),
    IMMEDIATE(ImmediateData.LENGTH),
    IETH(Ieth.LENGTH),
    /** The 16 reserved bytes that every CNP carries (§17). */
    CNP_RESERVED(16);

    private final int length;

    ExtensionHeader(int length) {
        this.length = length;
    }

    int length() {
        return length;
    }
}
