package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** A UDP header. */
public final class UdpHeader extends Flyweight {
    public static final int LENGTH = 8;

    /** The destination port of RoCEv2 (§1). */
    public static final int ROCE_PORT = 4791;

    /** Points at the header that begins at {@code offset}. */
    public UdpHeader wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    public int sourcePort() {
        return get16(0);
    }

    public UdpHeader sourcePort(int value) {
        put16(0, value);
        return this;
    }

    public int destinationPort() {
        return get16(2);
    }

    public UdpHeader destinationPort(int value) {
        put16(2, value);
        return this;
    }

    /** Bytes of this header and the payload. */
    public int length() {
        return get16(4);
    }

    public UdpHeader length(int value) {
        put16(4, value);
        return this;
    }

    /** The checksum; 0 means that there is none. */
    public int checksum() {
        return get16(6);
    }

    public UdpHeader checksum(int value) {
        put16(6, value);
        return this;
    }

    /** The checksum that addresses, header and payload ask for; the payload follows this header in the buffer. */
    public int computeChecksum(PacketAddresses addresses) {
        // An IPv4-mapped address has FFFF before its four bytes, which the pseudo header of IPv4 has not, but FFFF is
        // the zero of ones' complement arithmetic.
        long sum = words(addresses.sourceHigh)
                + words(addresses.sourceLow)
                + words(addresses.destinationHigh)
                + words(addresses.destinationLow)
                + Ipv4Header.UDP
                + length()
                - checksum();
        int length = length();
        for (int i = 0; i + 1 < length; i += 2) {
            sum += get16(i);
        }
        if ((length & 1) != 0) {
            sum += get8(length - 1) << 8;
        }
        int checksum = finish(sum);
        return checksum == 0 ? 0xFFFF : checksum;
    }

    private static long words(long value) {
        return (value >>> 48) + (value >>> 32 & 0xFFFF) + (value >>> 16 & 0xFFFF) + (value & 0xFFFF);
    }

    /** Folds a sum of 16-bit words to an Internet checksum. */
    static int finish(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xFFFF) + (folded >>> 16);
        }
        return (int) ~folded & 0xFFFF;
    }

    @Override
    public String toString() {
        return "UDP(%d>%d length=%d)".formatted(sourcePort(), destinationPort(), length());
    }
}
