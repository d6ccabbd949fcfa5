package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.UdpHeader;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A captured RoCEv2 frame: IP and UDP headers and the RoCE packet. Everything in it can be read as a field, shown as text
 * or as a map, and encoded again.
 */
public final class RoceFrame implements CapturedFrame {
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;
    private static final int LRH = 8;

    private final long timestampNanos;
    private final ByteBuffer bytes;
    private final boolean ipv4;
    private final Ipv4Header ipv4Header = new Ipv4Header();
    private final Ipv6Header ipv6Header = new Ipv6Header();
    private final UdpHeader udp;
    private final RocePacket packet = new RocePacket();
    private final @Nullable DropReason malformed;

    /**
     * @param bytes from the IP header to the ICRC, exactly
     * @param udpAt index of the UDP header
     */
    RoceFrame(long timestampNanos, ByteBuffer bytes, int udpAt) {
        this.timestampNanos = timestampNanos;
        this.bytes = bytes;
        this.ipv4 = udpAt == Ipv4Header.LENGTH;
        if (ipv4) {
            ipv4Header.wrap(bytes, 0);
        } else {
            ipv6Header.wrap(bytes, 0);
        }
        this.udp = new UdpHeader().wrap(bytes, udpAt);
        int bthAt = udpAt + UdpHeader.LENGTH;
        this.malformed = packet.parse(bytes, bthAt, bytes.limit() - bthAt);
    }

    /**
     * The frame that a RoCE packet makes with its IP and UDP headers; a copy.
     *
     * @param timestampNanos nanoseconds since 1970
     * @param offset index of the BTH
     * @param length bytes from the BTH to the ICRC, both included, at least {@link RocePacket#MIN_LENGTH}
     */
    public static RoceFrame of(long timestampNanos, IpEnvelope envelope, ByteBuffer buffer, int offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(IpPacketWriter.headerLength(envelope) + length);
        new IpPacketWriter().write(bytes, 0, envelope, buffer, offset, length);
        return new RoceFrame(timestampNanos, bytes, IpPacketWriter.ipLength(envelope));
    }

    /** When the frame was captured, in nanoseconds since 1970. */
    public long timestampNanos() {
        return timestampNanos;
    }

    public boolean isIpv4() {
        return ipv4;
    }

    /** The IPv4 header, or null when the frame is IPv6. */
    public @Nullable Ipv4Header ipv4() {
        return ipv4 ? ipv4Header : null;
    }

    /** The IPv6 header, or null when the frame is IPv4. */
    public @Nullable Ipv6Header ipv6() {
        return ipv4 ? null : ipv6Header;
    }

    public UdpHeader udp() {
        return udp;
    }

    /** The packet; beyond its BTH only meaningful when {@link #malformed()} is null. */
    public RocePacket packet() {
        return packet;
    }

    /** The BTH with its reserved bits. */
    public Bth bth() {
        return new Bth().wrap(bytes, packet.offset());
    }

    /** What is wrong with the packet's layout, or null. */
    public @Nullable DropReason malformed() {
        return malformed;
    }

    /** Both ends, as a UDP socket would show them. */
    public PacketAddresses addresses() {
        PacketAddresses addresses = new PacketAddresses();
        if (ipv4) {
            return addresses
                    .source(0, IPV4_MAPPED | Integer.toUnsignedLong(ipv4Header.source()), udp.sourcePort())
                    .destination(
                            0, IPV4_MAPPED | Integer.toUnsignedLong(ipv4Header.destination()), udp.destinationPort());
        }
        return addresses
                .source(ipv6Header.sourceHigh(), ipv6Header.sourceLow(), udp.sourcePort())
                .destination(ipv6Header.destinationHigh(), ipv6Header.destinationLow(), udp.destinationPort());
    }

    /** IPv4 TOS or IPv6 traffic class. */
    public int trafficClass() {
        return ipv4 ? ipv4Header.trafficClass() : ipv6Header.trafficClass();
    }

    /** IPv4 TTL or IPv6 hop limit. */
    public int hopLimit() {
        return ipv4 ? ipv4Header.hopLimit() : ipv6Header.hopLimit();
    }

    /** A copy of the payload, without pad. */
    public ByteBuffer payload() {
        return copy(packet.payloadOffset(), packet.payloadLength());
    }

    /** The bytes from the IP header to the ICRC, as captured. */
    public ByteBuffer bytes() {
        return bytes.asReadOnlyBuffer();
    }

    /** The ICRC that the frame carries. */
    public int icrc() {
        return packet.icrc();
    }

    /** The ICRC that the frame should carry, computed from the headers as captured (§1.1). */
    public int computeIcrc() {
        byte[] masked = copy(0, bytes.limit() - RocePacket.ICRC_LENGTH).array();
        ByteBuffer view = ByteBuffer.wrap(masked);
        if (ipv4) {
            new Ipv4Header().wrap(view, 0).trafficClass(-1).hopLimit(-1).checksum(-1);
        } else {
            new Ipv6Header().wrap(view, 0).trafficClass(-1).flowLabel(-1).hopLimit(-1);
        }
        int bthAt = packet.offset();
        new UdpHeader().wrap(view, bthAt - UdpHeader.LENGTH).checksum(-1);
        new Bth().wrap(view, bthAt).fecn(true).becn(true).reserved6(-1);
        CRC32 crc = new CRC32();
        for (int i = 0; i < LRH; i++) {
            crc.update(0xFF);
        }
        crc.update(masked);
        return (int) crc.getValue();
    }

    /** Whether the ICRC is right, exactly. */
    public boolean isIcrcValid() {
        return icrc() == computeIcrc();
    }

    /**
     * Encodes the frame anew, header by header from the values of its fields: the same bytes as captured, if decoding
     * lost nothing.
     */
    public byte[] encode() {
        return new FrameEncoder(this).encode();
    }

    /** The frame as named values, for machine-readable output; nested maps for headers, hexadecimal text for addresses. */
    public Map<String, Object> fields() {
        return new FrameFields(this).toMap();
    }

    /** Shows the extension headers that the frame has, in the order of the wire; none when it is malformed. */
    public void visitHeaders(HeaderVisitor visitor) {
        if (malformed == null) {
            HeaderWalk.visit(packet, visitor);
        }
    }

    @Override
    public String line() {
        return new FrameText(this).line();
    }

    @Override
    public String toString() {
        return line();
    }

    private ByteBuffer copy(int from, int length) {
        return ByteBuffer.allocate(length).put(0, bytes, from, length);
    }
}
