package io.rdma4j.core.pcap;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What stands before the IP header in a capture's records: the link-layer types of pcap that are understood here. */
public enum LinkType {
    /** Ethernet II, with any number of VLAN tags. */
    ETHERNET(1, 14, 12),
    /** IPv4 or IPv6 without anything before it; how older systems number it. */
    RAW_OLD(12, 0, LinkType.NO_ETHERTYPE),
    /** IPv4 or IPv6 without anything before it. */
    RAW_IP(101, 0, LinkType.NO_ETHERTYPE),
    /** Linux "cooked" capture, version 1: {@code tcpdump -i any} of older systems. */
    LINUX_COOKED(113, 16, 14),
    /** IPv4 without anything before it. */
    RAW_IPV4(228, 0, LinkType.NO_ETHERTYPE),
    /** IPv6 without anything before it. */
    RAW_IPV6(229, 0, LinkType.NO_ETHERTYPE),
    /** Linux "cooked" capture, version 2: {@code tcpdump -i any}. */
    LINUX_COOKED_2(276, 20, 0);

    /** What {@link #ipOffset} returns when a record holds no IP packet. */
    public static final int NOT_IP = -1;

    private static final int NO_ETHERTYPE = -1;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86DD;
    private static final int ETHERTYPE_VLAN = 0x8100;
    private static final int ETHERTYPE_SERVICE_VLAN = 0x88A8;
    private static final int VLAN_TAG = 4;

    private final int code;
    private final int headerLength;
    private final int ethertypeOffset;

    LinkType(int code, int headerLength, int ethertypeOffset) {
        this.code = code;
        this.headerLength = headerLength;
        this.ethertypeOffset = ethertypeOffset;
    }

    /** The type with a number, or null when it is not understood. */
    public static @Nullable LinkType of(int code) {
        for (LinkType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }

    /** The number in the file header. */
    public int code() {
        return code;
    }

    /** Index of the IP header in a record's bytes, or {@link #NOT_IP}. */
    int ipOffset(ByteBuffer data) {
        int end = data.limit();
        if (ethertypeOffset == NO_ETHERTYPE) {
            return end > 0 ? 0 : NOT_IP;
        }
        int at = headerLength;
        int ethertype = at <= end ? data.getShort(ethertypeOffset) & 0xFFFF : 0;
        while (isVlan(ethertype) && at + VLAN_TAG <= end) {
            // The tag's two bytes come first, then the type of what follows.
            ethertype = data.getShort(at + 2) & 0xFFFF;
            at += VLAN_TAG;
        }
        boolean ip = ethertype == ETHERTYPE_IPV4 || ethertype == ETHERTYPE_IPV6;
        return ip && at < end ? at : NOT_IP;
    }

    private static boolean isVlan(int ethertype) {
        return ethertype == ETHERTYPE_VLAN || ethertype == ETHERTYPE_SERVICE_VLAN;
    }
}
