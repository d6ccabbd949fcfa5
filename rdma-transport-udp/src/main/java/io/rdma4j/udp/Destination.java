package io.rdma4j.udp;

import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;
import java.net.InetSocketAddress;

/** A peer's socket as frames for it need it: resolved once, so that sending allocates no addresses. */
final class Destination {
    /** The peer, as the engine knows it. */
    final Gid remote;

    /** Where the datagrams go. */
    final InetSocketAddress socket;

    /** What the ICRC covers of the IP and UDP headers. */
    final PacketAddresses addresses;

    /** Whether the addresses are IPv4, where frame k of a batch has identification k. */
    final boolean ipv4;

    /** Whether batches may go out segmented; cleared for good when the kernel refuses one. */
    boolean gso;

    Destination(Gid remote, InetSocketAddress socket, PacketAddresses addresses, boolean gso) {
        this.remote = remote;
        this.socket = socket;
        this.addresses = addresses;
        this.ipv4 = addresses.isIpv4();
        this.gso = gso;
    }
}
