package io.rdma4j.udp;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;
import java.net.InetSocketAddress;

/**
 * A way to a peer's socket, or to a multicast group, as frames for it need it: resolved once, so that sending allocates no
 * addresses.
 */
final class Destination {
    /** The peer, as the engine knows it. */
    final Gid remote;

    /** Where the datagrams go. */
    final InetSocketAddress socket;

    /** What the ICRC covers of the IP and UDP headers. */
    final PacketAddresses addresses;

    /** IPv4 TOS or IPv6 traffic class. */
    final int trafficClass;

    /** IPv4 TTL or IPv6 hop limit, at least 1: a frame with 0 would be nobody's to take. */
    final int hopLimit;

    /** Whether this is a multicast group. */
    final boolean isGroup;

    /** Whether the addresses are IPv4, where frame k of a batch has identification k. */
    final boolean ipv4;

    /** Whether batches may go out segmented; cleared for good when the kernel refuses one. */
    boolean gso;

    Destination(Path path, PacketAddresses addresses, boolean gso) {
        this.remote = path.remote();
        this.socket = new InetSocketAddress(remote.address(), remote.devicePort());
        this.trafficClass = path.trafficClass();
        this.hopLimit = Math.max(path.hopLimit(), 1);
        this.isGroup = remote.isMulticast();
        this.addresses = addresses;
        this.ipv4 = addresses.isIpv4();
        this.gso = gso;
    }
}
