package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.UdpHeader;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Finds the RoCEv2 frame in a captured record. UDP port 4791 is taken for RoCE; any other only when the caller names it,
 * since any bytes look like some frame.
 */
public final class FrameDecoder {
    private final Set<Integer> extraPorts;

    /** Takes only port 4791 for RoCE. */
    public FrameDecoder() {
        this(Set.of());
    }

    /** Takes port 4791 and these destination ports for RoCE. */
    public FrameDecoder(Set<Integer> extraPorts) {
        this.extraPorts = Set.copyOf(extraPorts);
    }

    /** Decodes one record; never fails, but says in words what it is if it is no RoCEv2 frame. */
    public CapturedFrame decode(PcapPacket packet) {
        ByteBuffer data = packet.data();
        int at = packet.linkType().ipOffset(data);
        if (at == LinkType.NOT_IP) {
            return new OtherFrame("no IP packet");
        }
        int available = data.limit() - at;
        int version = (data.get(at) & 0xFF) >>> 4;
        ByteBuffer ip = data.slice(at, available);
        return switch (version) {
            case 4 -> decodeIpv4(packet, ip);
            case 6 -> decodeIpv6(packet, ip);
            default -> new OtherFrame("IP version " + version);
        };
    }

    private CapturedFrame decodeIpv4(PcapPacket packet, ByteBuffer ip) {
        if (ip.limit() < Ipv4Header.LENGTH) {
            return cut("IPv4 header", ip.limit(), Ipv4Header.LENGTH);
        }
        Ipv4Header header = new Ipv4Header().wrap(ip, 0);
        if (header.protocol() != Ipv4Header.UDP) {
            return new OtherFrame("IP protocol " + header.protocol() + ", not UDP");
        }
        if (header.isFragment()) {
            return new OtherFrame("an IP fragment");
        }
        if (header.headerLength() != Ipv4Header.LENGTH) {
            return new OtherFrame("an IPv4 header of " + header.headerLength() + " bytes; RoCEv2 has no IP options");
        }
        return decodeUdp(packet, ip, Ipv4Header.LENGTH, header.totalLength());
    }

    private CapturedFrame decodeIpv6(PcapPacket packet, ByteBuffer ip) {
        if (ip.limit() < Ipv6Header.LENGTH) {
            return cut("IPv6 header", ip.limit(), Ipv6Header.LENGTH);
        }
        Ipv6Header header = new Ipv6Header().wrap(ip, 0);
        if (header.nextHeader() != Ipv4Header.UDP) {
            return new OtherFrame("IPv6 next header " + header.nextHeader() + ", not UDP");
        }
        return decodeUdp(packet, ip, Ipv6Header.LENGTH, Ipv6Header.LENGTH + header.payloadLength());
    }

    private CapturedFrame decodeUdp(PcapPacket packet, ByteBuffer ip, int udpAt, int ipLength) {
        if (ip.limit() < udpAt + UdpHeader.LENGTH) {
            return cut("UDP header", ip.limit() - udpAt, UdpHeader.LENGTH);
        }
        UdpHeader udp = new UdpHeader().wrap(ip, udpAt);
        int port = udp.destinationPort();
        if (port != UdpHeader.ROCE_PORT && !extraPorts.contains(port)) {
            return new OtherFrame("UDP port " + port);
        }
        if (udp.length() != ipLength - udpAt) {
            return new OtherFrame("UDP length " + udp.length() + " where the IP header leaves " + (ipLength - udpAt));
        }
        if (ip.limit() < ipLength) {
            return cut("IP packet", ip.limit(), ipLength);
        }
        int length = udp.length() - UdpHeader.LENGTH;
        if (length < RocePacket.MIN_LENGTH) {
            return new OtherFrame("UDP payload of " + length + " bytes, too short for BTH and ICRC");
        }
        return new RoceFrame(packet.timestampNanos(), copy(ip, ipLength), udpAt);
    }

    private static OtherFrame cut(String what, int captured, int length) {
        return new OtherFrame("cut: " + captured + " of " + length + " bytes of the " + what);
    }

    /** The frame's own bytes, without what Ethernet adds to reach its shortest length. */
    private static ByteBuffer copy(ByteBuffer ip, int length) {
        return ByteBuffer.allocate(length).put(0, ip, 0, length);
    }
}
