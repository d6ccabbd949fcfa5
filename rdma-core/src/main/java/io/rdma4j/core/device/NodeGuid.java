package io.rdma4j.core.device;

import io.rdma4j.verbs.Gid;

/** Makes an EUI-64 from address and port, so that a device has the same one each time it is opened. */
final class NodeGuid {
    /** Locally administered, as befits an address that no registry gave out. */
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;

    private static final long GROUP = 0x0100_0000_0000_0000L;

    /** Fibonacci hashing: spreads what differs in few bits. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private NodeGuid() {}

    static long of(Gid gid, int port) {
        long mixed = ((((gid.addressHigh() * SPREAD) ^ gid.addressLow()) * SPREAD) ^ port) * SPREAD;
        return (mixed & ~GROUP) | LOCALLY_ADMINISTERED;
    }
}
