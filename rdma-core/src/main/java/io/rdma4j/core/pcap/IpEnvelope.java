package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.PacketAddresses;

/**
 * The IP and UDP headers around a RoCE packet, as far as they are free.
 *
 * @param addresses both ends
 * @param identification IPv4 only
 * @param trafficClass IPv4 TOS or IPv6 traffic class
 * @param hopLimit IPv4 TTL or IPv6 hop limit
 * @param flowLabel IPv6 only
 */
public record IpEnvelope(PacketAddresses addresses, int identification, int trafficClass, int hopLimit, int flowLabel) {
    private static final int DEFAULT_HOP_LIMIT = 64;

    /** Traffic class 0, hop limit 64, flow label 0. */
    public static IpEnvelope of(PacketAddresses addresses, int identification) {
        return new IpEnvelope(addresses, identification, 0, DEFAULT_HOP_LIMIT, 0);
    }
}
