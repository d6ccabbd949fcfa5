package io.rdma4j.core.ud;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.UdpHeader;
import io.rdma4j.verbs.AddressVector;
import java.nio.ByteBuffer;

/**
 * What stands before the payload of a received datagram (§3, §14): the IPv6 header, or 20 bytes 0 and the IPv4 header. It
 * is made anew from what the link tells; what that does not know has its usual value.
 */
final class RouteHeader {
    static final int LENGTH = Ipv6Header.LENGTH;

    private static final int IPV4_OFFSET = LENGTH - Ipv4Header.LENGTH;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private final Ipv4Header ipv4 = new Ipv4Header();
    private final Ipv6Header ipv6 = new Ipv6Header();

    /**
     * The header of a packet; valid until the next call.
     *
     * @param packetBytes from the BTH to the ICRC
     */
    ByteBuffer of(Arrival arrival, int packetBytes) {
        int trafficClass = arrival.trafficClass == Arrival.UNKNOWN ? 0 : arrival.trafficClass;
        int hopLimit = arrival.hopLimit == Arrival.UNKNOWN ? AddressVector.DEFAULT_HOP_LIMIT : arrival.hopLimit;
        int udpBytes = UdpHeader.LENGTH + packetBytes;
        if (PacketAddresses.isIpv4(arrival.localHigh, arrival.localLow)) {
            for (int i = 0; i < IPV4_OFFSET; i++) {
                bytes.put(i, (byte) 0);
            }
            ipv4.wrap(bytes, IPV4_OFFSET)
                    .init()
                    .trafficClass(trafficClass)
                    .hopLimit(hopLimit)
                    .totalLength(Ipv4Header.LENGTH + udpBytes)
                    .source((int) arrival.senderLow)
                    .destination((int) arrival.localLow);
            ipv4.checksum(ipv4.computeChecksum());
        } else {
            ipv6.wrap(bytes, 0)
                    .init()
                    .trafficClass(trafficClass)
                    .hopLimit(hopLimit)
                    .flowLabel(arrival.flowLabel == Arrival.UNKNOWN ? 0 : arrival.flowLabel)
                    .payloadLength(udpBytes)
                    .source(arrival.senderHigh, arrival.senderLow)
                    .destination(arrival.localHigh, arrival.localLow);
        }
        return bytes;
    }
}
