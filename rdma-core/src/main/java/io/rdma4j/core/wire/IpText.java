package io.rdma4j.core.wire;

/** IP addresses as text, without a look-up and without a detour over {@code InetAddress}. */
public final class IpText {
    private static final int GROUPS = 8;

    private IpText() {}

    /** An address of 16 bytes: dotted decimal when it is IPv4-mapped, else as RFC 5952 writes IPv6. */
    public static String of(long high, long low) {
        return PacketAddresses.isIpv4(high, low) ? ipv4((int) low) : ipv6(high, low);
    }

    /** Dotted decimal. */
    public static String ipv4(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }

    /** RFC 5952: lower case, no leading zeros, the longest run of at least two zero groups as {@code ::}. */
    public static String ipv6(long high, long low) {
        int runStart = -1;
        int runLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(high, low, end) == 0) {
                end++;
            }
            if (end - i > runLength) {
                runStart = i;
                runLength = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(high, low, i)));
        }
        return text.toString();
    }

    private static int group(long high, long low, int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xFFFF;
    }
}
