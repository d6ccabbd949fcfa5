package io.rdma4j.core.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC that ends every packet: CRC-32 over the fields of IP, UDP and RoCE headers that do not change on the
 * way, and the payload (§1.1). IPv4 is always taken to have no options and DF = 1, which is what RoCE sends.
 *
 * <p>The covered bytes begin in headers that a UDP socket neither shows nor lets choose. Addresses, ports and lengths are
 * known, but the IPv4 identification is not. A CRC is linear, so the identification's share of it can be exchanged
 * ({@link #reidentify}) and, as 16 unknown bits in 32 equations, solved for ({@link #solveIdentification}).
 *
 * <p>Allocates nothing per packet. One instance per owner thread. A {@code length} counts the bytes from the BTH to the
 * last pad byte, without the ICRC.
 */
public final class Icrc {
    /** What {@link #solveIdentification} returns when no identification explains the ICRC. */
    public static final int NO_IDENTIFICATION = -1;

    /** Bytes of UDP header and ICRC, which the IP and UDP lengths count beside {@code length}. */
    private static final int UDP_AND_ICRC = 8 + 4;

    private static final int IPV4_HEADER = 20;

    /** Stand-in for the local route header of InfiniBand. */
    private static final int LRH = 8;

    private static final int PREFIX4 = LRH + IPV4_HEADER + 8 + Bth.LENGTH;
    private static final int PREFIX6 = LRH + 40 + 8 + Bth.LENGTH;

    private final CRC32 crc = new CRC32();
    private final byte[] prefix4 = new byte[PREFIX4];
    private final byte[] prefix6 = new byte[PREFIX6];
    private final ByteBuffer view4 = ByteBuffer.wrap(prefix4);
    private final ByteBuffer view6 = ByteBuffer.wrap(prefix6);
    private final IdentificationSolver solver = new IdentificationSolver();
    private int lastIdentification;

    public Icrc() {
        view4.putLong(0, -1L);
        view6.putLong(0, -1L);
    }

    /**
     * Computes a packet's ICRC.
     *
     * @param identification the IPv4 identification the packet will carry; ignored for IPv6
     * @param buffer position and limit are moved during the call and restored
     * @param offset index of the BTH
     * @param length at least {@link Bth#LENGTH}
     */
    public int compute(PacketAddresses addresses, int identification, ByteBuffer buffer, int offset, int length) {
        crc.reset();
        if (addresses.isIpv4()) {
            fillIpv4(addresses, identification, length);
            fillBth(view4, PREFIX4 - Bth.LENGTH, buffer, offset);
            crc.update(prefix4, 0, PREFIX4);
        } else {
            fillIpv6(addresses, length);
            fillBth(view6, PREFIX6 - Bth.LENGTH, buffer, offset);
            crc.update(prefix6, 0, PREFIX6);
        }
        updateBody(buffer, offset + Bth.LENGTH, offset + length);
        return (int) crc.getValue();
    }

    private void updateBody(ByteBuffer buffer, int from, int to) {
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.limit(to).position(from);
        crc.update(buffer);
        buffer.limit(limit).position(position);
    }

    private void fillIpv4(PacketAddresses addresses, int identification, int length) {
        // version and header length, TOS masked, total length
        view4.putInt(8, 0x45FF0000 | (IPV4_HEADER + UDP_AND_ICRC + length));
        // identification, flags = DF
        view4.putInt(12, identification << 16 | 0x4000);
        // TTL masked, protocol UDP, header checksum masked
        view4.putInt(16, 0xFF11FFFF);
        view4.putInt(20, (int) addresses.sourceLow);
        view4.putInt(24, (int) addresses.destinationLow);
        fillUdp(view4, 28, addresses, length);
    }

    private void fillIpv6(PacketAddresses addresses, int length) {
        // version, traffic class and flow label masked
        view6.putInt(8, 0x6FFFFFFF);
        // payload length, next header UDP, hop limit masked
        view6.putInt(12, (UDP_AND_ICRC + length) << 16 | 17 << 8 | 0xFF);
        view6.putLong(16, addresses.sourceHigh);
        view6.putLong(24, addresses.sourceLow);
        view6.putLong(32, addresses.destinationHigh);
        view6.putLong(40, addresses.destinationLow);
        fillUdp(view6, 48, addresses, length);
    }

    private static void fillUdp(ByteBuffer view, int at, PacketAddresses addresses, int length) {
        view.putInt(at, addresses.sourcePort << 16 | (addresses.destinationPort & 0xFFFF));
        // length, checksum masked
        view.putInt(at + 4, (UDP_AND_ICRC + length) << 16 | 0xFFFF);
    }

    private static void fillBth(ByteBuffer view, int at, ByteBuffer buffer, int offset) {
        view.putInt(at, buffer.getInt(offset));
        // FECN, BECN and the reserved bits beside them masked
        view.putInt(at + 4, buffer.getInt(offset + 4) | 0xFF000000);
        view.putInt(at + 8, buffer.getInt(offset + 8));
    }

    /** What the ICRC of an IPv4 packet becomes when its identification changes and nothing else. */
    public int reidentify(int icrc, int length, int fromIdentification, int toIdentification) {
        return icrc ^ solver.difference(length, fromIdentification ^ toIdentification);
    }

    /**
     * Finds the IPv4 identification that explains an ICRC. One in 2^16 damaged packets has such an identification too.
     *
     * @param wireIcrc the ICRC received
     * @param icrcForId0 what {@link #compute} gives for identification 0
     * @return 0 to 65535, or {@link #NO_IDENTIFICATION}
     */
    public int solveIdentification(int wireIcrc, int icrcForId0, int length) {
        return wireIcrc == icrcForId0 ? 0 : solver.solve(length, wireIcrc ^ icrcForId0);
    }

    /**
     * Checks a received packet's ICRC: exactly for IPv6; for IPv4 the hint is tried first, then whether any identification
     * explains it, 0 being the likeliest.
     *
     * @param lengthWithIcrc at least {@link RocePacket#MIN_LENGTH}
     */
    public boolean verify(
            PacketAddresses addresses, int identificationHint, ByteBuffer buffer, int offset, int lengthWithIcrc) {
        int length = lengthWithIcrc - RocePacket.ICRC_LENGTH;
        int wire = read(buffer, offset + length);
        int computed = compute(addresses, identificationHint, buffer, offset, length);
        if (computed == wire) {
            lastIdentification = addresses.isIpv4() ? identificationHint & 0xFFFF : 0;
            return true;
        }
        if (!addresses.isIpv4()) {
            lastIdentification = 0;
            return false;
        }
        lastIdentification = solveIdentification(wire, reidentify(computed, length, identificationHint, 0), length);
        return lastIdentification != NO_IDENTIFICATION;
    }

    /**
     * The IPv4 identification that {@link #verify} found last; {@link #NO_IDENTIFICATION} when it found none, 0 for IPv6.
     */
    public int lastIdentification() {
        return lastIdentification;
    }

    /** Stores an ICRC: alone among all fields it is little-endian. */
    public static void write(ByteBuffer buffer, int index, int icrc) {
        buffer.putInt(index, Integer.reverseBytes(icrc));
    }

    /** Loads an ICRC. */
    public static int read(ByteBuffer buffer, int index) {
        return Integer.reverseBytes(buffer.getInt(index));
    }
}
