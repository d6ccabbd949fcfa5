package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.UdpHeader;
import java.nio.ByteBuffer;

/** Puts the IP and UDP headers of an envelope around a RoCE packet, checksums included. Reused. */
final class IpPacketWriter {
    private final Ipv4Header ipv4 = new Ipv4Header();
    private final Ipv6Header ipv6 = new Ipv6Header();
    private final UdpHeader udp = new UdpHeader();

    /** How long the headers before the RoCE packet are. */
    static int headerLength(IpEnvelope envelope) {
        return ipLength(envelope) + UdpHeader.LENGTH;
    }

    /** Index of the UDP header in the IP packet. */
    static int ipLength(IpEnvelope envelope) {
        return envelope.addresses().isIpv4() ? Ipv4Header.LENGTH : Ipv6Header.LENGTH;
    }

    /**
     * Writes the IP packet at an index of {@code target}.
     *
     * @param offset index of the BTH in {@code buffer}
     * @param length bytes from the BTH to the ICRC, both included
     */
    void write(ByteBuffer target, int at, IpEnvelope envelope, ByteBuffer buffer, int offset, int length) {
        PacketAddresses addresses = envelope.addresses();
        int udpLength = UdpHeader.LENGTH + length;
        if (addresses.isIpv4()) {
            putIpv4(target, at, envelope, udpLength);
        } else {
            putIpv6(target, at, envelope, udpLength);
        }
        int udpAt = at + ipLength(envelope);
        udp.wrap(target, udpAt)
                .sourcePort(addresses.sourcePort)
                .destinationPort(addresses.destinationPort)
                .length(udpLength)
                .checksum(0);
        target.put(udpAt + UdpHeader.LENGTH, buffer, offset, length);
        udp.checksum(udp.computeChecksum(addresses));
    }

    private void putIpv4(ByteBuffer target, int at, IpEnvelope envelope, int udpLength) {
        PacketAddresses addresses = envelope.addresses();
        ipv4.wrap(target, at)
                .init()
                .trafficClass(envelope.trafficClass())
                .totalLength(Ipv4Header.LENGTH + udpLength)
                .identification(envelope.identification())
                .hopLimit(envelope.hopLimit())
                .source((int) addresses.sourceLow)
                .destination((int) addresses.destinationLow);
        ipv4.checksum(ipv4.computeChecksum());
    }

    private void putIpv6(ByteBuffer target, int at, IpEnvelope envelope, int udpLength) {
        PacketAddresses addresses = envelope.addresses();
        ipv6.wrap(target, at)
                .init()
                .trafficClass(envelope.trafficClass())
                .flowLabel(envelope.flowLabel())
                .payloadLength(udpLength)
                .hopLimit(envelope.hopLimit())
                .source(addresses.sourceHigh, addresses.sourceLow)
                .destination(addresses.destinationHigh, addresses.destinationLow);
    }
}
