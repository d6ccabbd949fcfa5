package io.rdma4j.core.wire;

/**
 * What the ICRC needs of the IP and UDP headers: both addresses as halves of 16 bytes (IPv4 as IPv4-mapped) and both UDP
 * ports. Mutable and reused, one per owner thread.
 */
public final class PacketAddresses {
    private static final long IPV4_MAPPED = 0xFFFFL;

    public long sourceHigh;
    public long sourceLow;
    public long destinationHigh;
    public long destinationLow;
    public int sourcePort;
    public int destinationPort;

    /** Sets the sending end. */
    public PacketAddresses source(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
        return this;
    }

    /** Sets the receiving end. */
    public PacketAddresses destination(long high, long low, int port) {
        destinationHigh = high;
        destinationLow = low;
        destinationPort = port;
        return this;
    }

    /** Whether the packet travels over IPv4: both addresses are IPv4-mapped. */
    public boolean isIpv4() {
        return isIpv4(sourceHigh, sourceLow) && isIpv4(destinationHigh, destinationLow);
    }

    /** Whether an address is IPv4-mapped. */
    public static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == IPV4_MAPPED;
    }
}
