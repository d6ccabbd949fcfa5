package io.rdma4j.core.wire;

import java.nio.ByteBuffer;

/** An IPv4 header without options, as every RoCEv2 packet has it (§1). */
public final class Ipv4Header extends Flyweight {
    public static final int LENGTH = 20;

    /** The protocol number of UDP, for IPv6 too. */
    public static final int UDP = 17;

    private static final int DONT_FRAGMENT = 0x4000;

    /** Points at the header that begins at {@code offset}. */
    public Ipv4Header wrap(ByteBuffer buffer, int offset) {
        moveTo(buffer, offset);
        return this;
    }

    /** Writes version, header length, DF and protocol UDP, and zero for everything else. */
    public Ipv4Header init() {
        put32(0, 0x45000000);
        put32(4, DONT_FRAGMENT);
        put32(8, UDP << 16);
        put64(12, 0);
        return this;
    }

    public int version() {
        return get8(0) >>> 4;
    }

    public Ipv4Header version(int value) {
        putBits(0, 0xF0, value << 4);
        return this;
    }

    /** The header's length in bytes, options included. */
    public int headerLength() {
        return (get8(0) & 0x0F) * 4;
    }

    public Ipv4Header headerLength(int value) {
        putBits(0, 0x0F, value / 4);
        return this;
    }

    /** The TOS byte: DSCP and ECN. */
    public int trafficClass() {
        return get8(1);
    }

    public Ipv4Header trafficClass(int value) {
        put8(1, value);
        return this;
    }

    /** Bytes of header and payload. */
    public int totalLength() {
        return get16(2);
    }

    public Ipv4Header totalLength(int value) {
        put16(2, value);
        return this;
    }

    public int identification() {
        return get16(4);
    }

    public Ipv4Header identification(int value) {
        put16(4, value);
        return this;
    }

    /** The three flag bits and the fragment offset as one value. */
    public int flagsAndFragment() {
        return get16(6);
    }

    public Ipv4Header flagsAndFragment(int value) {
        put16(6, value);
        return this;
    }

    public boolean dontFragment() {
        return (flagsAndFragment() & DONT_FRAGMENT) != 0;
    }

    /** Whether the packet is a fragment: more follow, or others come before it. */
    public boolean isFragment() {
        return (flagsAndFragment() & 0x3FFF) != 0;
    }

    public int hopLimit() {
        return get8(8);
    }

    public Ipv4Header hopLimit(int value) {
        put8(8, value);
        return this;
    }

    public int protocol() {
        return get8(9);
    }

    public Ipv4Header protocol(int value) {
        put8(9, value);
        return this;
    }

    public int checksum() {
        return get16(10);
    }

    public Ipv4Header checksum(int value) {
        put16(10, value);
        return this;
    }

    public int source() {
        return get32(12);
    }

    public Ipv4Header source(int value) {
        put32(12, value);
        return this;
    }

    public int destination() {
        return get32(16);
    }

    public Ipv4Header destination(int value) {
        put32(16, value);
        return this;
    }

    /** The header checksum that the other fields ask for. */
    public int computeChecksum() {
        long sum = -get16(10);
        for (int i = 0; i < LENGTH; i += 2) {
            sum += get16(i);
        }
        return UdpHeader.finish(sum);
    }

    @Override
    public String toString() {
        return "IPv4(%s>%s id=%d length=%d)"
                .formatted(IpText.ipv4(source()), IpText.ipv4(destination()), identification(), totalLength());
    }
}
