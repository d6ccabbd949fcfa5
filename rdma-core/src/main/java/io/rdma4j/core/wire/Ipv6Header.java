package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** An IPv6 header, which is also the layout of the global route header in a UD receive buffer (§3). */
public final class Ipv6Header extends Flyweight {
    public static final int LENGTH = 40;

    private static final int FLOW_LABEL = 0xFFFFF;

    /** Points at the header that begins at {@code offset}. */
    public Ipv6Header wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** Writes the version and next header UDP, and zero for everything else. */
    public Ipv6Header init() {
        put32(0, 0x60000000);
        put32(4, Ipv4Header.UDP << 8);
        for (int i = 8; i < LENGTH; i += 8) {
            put64(i, 0);
        }
        return this;
    }

    public int version() {
        return get8(0) >>> 4;
    }

    public Ipv6Header version(int value) {
        putBits(0, 0xF0, value << 4);
        return this;
    }

    public int trafficClass() {
        return get32(0) >>> 20 & 0xFF;
    }

    public Ipv6Header trafficClass(int value) {
        put32(0, (get32(0) & ~(0xFF << 20)) | (value & 0xFF) << 20);
        return this;
    }

    public int flowLabel() {
        return get32(0) & FLOW_LABEL;
    }

    public Ipv6Header flowLabel(int value) {
        put32(0, (get32(0) & ~FLOW_LABEL) | (value & FLOW_LABEL));
        return this;
    }

    /** Bytes after this header. */
    public int payloadLength() {
        return get16(4);
    }

    public Ipv6Header payloadLength(int value) {
        put16(4, value);
        return this;
    }

    public int nextHeader() {
        return get8(6);
    }

    public Ipv6Header nextHeader(int value) {
        put8(6, value);
        return this;
    }

    public int hopLimit() {
        return get8(7);
    }

    public Ipv6Header hopLimit(int value) {
        put8(7, value);
        return this;
    }

    public long sourceHigh() {
        return get64(8);
    }

    public long sourceLow() {
        return get64(16);
    }

    public Ipv6Header source(long high, long low) {
        put64(8, high);
        put64(16, low);
        return this;
    }

    public long destinationHigh() {
        return get64(24);
    }

    public long destinationLow() {
        return get64(32);
    }

    public Ipv6Header destination(long high, long low) {
        put64(24, high);
        put64(32, low);
        return this;
    }

    @Override
    public String toString() {
        return "IPv6(%s>%s length=%d)"
                .formatted(
                        IpText.ipv6(sourceHigh(), sourceLow()),
                        IpText.ipv6(destinationHigh(), destinationLow()),
                        payloadLength());
    }
}
