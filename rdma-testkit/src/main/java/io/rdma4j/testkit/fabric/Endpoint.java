package io.rdma4j.testkit.fabric;

import io.rdma4j.verbs.Gid;

/**
 * An address and UDP port in the form the engine and the ICRC use: the halves of the 16 address bytes, IPv4 as
 * IPv4-mapped.
 */
record Endpoint(long high, long low, int port) {
    /** Where a GID is reached: a GID of a port other than 4791 carries that port beside its address. */
    static Endpoint of(Gid gid) {
        return new Endpoint(gid.addressHigh(), gid.addressLow(), gid.devicePort());
    }
}
