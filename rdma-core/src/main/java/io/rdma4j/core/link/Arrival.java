package io.rdma4j.core.link;

import io.rdma4j.verbs.Gid;

/**
 * What a link knows of a received datagram besides its bytes. One instance is reused for every datagram of a link, so
 * that nothing is allocated; the engine reads it during the call only.
 *
 * <p>Addresses are the two halves of the 16 address bytes, IPv4 as IPv4-mapped; ports are the UDP ports on the wire.
 */
public final class Arrival {
    /** For {@link #trafficClass}, {@link #hopLimit} and {@link #flowLabel} where the socket does not tell. */
    public static final int UNKNOWN = -1;

    private static final int FIRST_DEVICE_PORT = 1024;
    private static final int FIRST_ENTROPY_PORT = 0xC000;

    public long localHigh;
    public long localLow;
    public long senderHigh;
    public long senderLow;
    public int localPort;
    public int senderPort;
    public int trafficClass = UNKNOWN;
    public int hopLimit = UNKNOWN;

    /** Of IPv6. */
    public int flowLabel = UNKNOWN;

    /**
     * The IPv4 identification that is tried first when the ICRC is checked: the exact one where the link knows it, else
     * the place in a coalesced burst, else 0.
     */
    public int identificationHint;

    /** Sets the receiving end. */
    public void local(long high, long low, int port) {
        localHigh = high;
        localLow = low;
        localPort = port;
    }

    /** Sets the sending end. */
    public void sender(long high, long low, int port) {
        senderHigh = high;
        senderLow = low;
        senderPort = port;
    }

    /**
     * The UDP port of the sending device: 4791, unless the source port is one that a device of our own kind may be at. A
     * source port of 0xC000 or more, or a reserved one, says nothing (§1).
     */
    public int answerPort() {
        return senderPort >= FIRST_DEVICE_PORT && senderPort < FIRST_ENTROPY_PORT ? senderPort : Gid.ROCE_PORT;
    }

    /** Takes over everything from another. */
    public void copyFrom(Arrival other) {
        local(other.localHigh, other.localLow, other.localPort);
        sender(other.senderHigh, other.senderLow, other.senderPort);
        trafficClass = other.trafficClass;
        hopLimit = other.hopLimit;
        flowLabel = other.flowLabel;
        identificationHint = other.identificationHint;
    }
}
