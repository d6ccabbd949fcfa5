package io.rdma4j.core.device;

import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** The way back to the sender of a datagram, from what stands before its payload (§3, §14): {@code ibv_init_ah_from_wc}. */
final class ReceivedRoute {
    private static final int LENGTH = Ipv6Header.LENGTH;
    private static final int IPV4_OFFSET = LENGTH - Ipv4Header.LENGTH;
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;
    private static final long IPV6_LOOPBACK = 1;

    private ReceivedRoute() {}

    /** The vector of the way back from {@code local}; EINVAL where the bytes are no such header. */
    static AddressVector back(Gid local, WorkCompletion completion, ByteBuffer received) {
        if ((completion.flags() & WorkCompletion.FLAG_GRH) == 0) {
            throw refused("the completion has no GRH");
        }
        if (received.remaining() < LENGTH) {
            throw refused(received.remaining() + " bytes; the header has " + LENGTH);
        }
        ByteBuffer header = received.slice();
        return isIpv4(header) ? ipv4(local, completion, header) : ipv6(local, completion, header);
    }

    /** IPv4 leaves the first 20 bytes undefined, so that only its own header tells; its checksum makes sure. */
    private static boolean isIpv4(ByteBuffer header) {
        Ipv4Header ipv4 = new Ipv4Header().wrap(header, IPV4_OFFSET);
        return ipv4.version() == 4
                && ipv4.headerLength() == Ipv4Header.LENGTH
                && ipv4.checksum() == ipv4.computeChecksum();
    }

    private static AddressVector ipv4(Gid local, WorkCompletion completion, ByteBuffer header) {
        Ipv4Header ipv4 = new Ipv4Header().wrap(header, IPV4_OFFSET);
        checkDestination(local, 0, mapped(ipv4.destination()));
        return vector(new Gid(0, mapped(ipv4.source())), completion.sourcePort(), ipv4.trafficClass(), 0);
    }

    private static AddressVector ipv6(Gid local, WorkCompletion completion, ByteBuffer header) {
        Ipv6Header ipv6 = new Ipv6Header().wrap(header, 0);
        if (ipv6.version() != 6) {
            throw refused("the first " + LENGTH + " bytes are no IP header");
        }
        checkDestination(local, ipv6.destinationHigh(), ipv6.destinationLow());
        Gid source = new Gid(ipv6.sourceHigh(), ipv6.sourceLow());
        // Only ::1 has room for a port in its GID.
        boolean isLoopback = source.high() == 0 && source.low() == IPV6_LOOPBACK;
        int port = isLoopback ? completion.sourcePort() : Gid.ROCE_PORT;
        return vector(source, port, ipv6.trafficClass(), ipv6.flowLabel());
    }

    private static long mapped(int address) {
        return IPV4_MAPPED | Integer.toUnsignedLong(address);
    }

    private static void checkDestination(Gid local, long high, long low) {
        boolean isOurs = high == local.addressHigh() && low == local.addressLow();
        Gid destination = new Gid(high, low);
        if (!isOurs && !destination.isMulticast()) {
            throw refused("the datagram went to " + destination + ", and this device is " + local);
        }
    }

    /** What is left of the sender's hop limit says nothing of the way back. */
    private static AddressVector vector(Gid source, int port, int trafficClass, int flowLabel) {
        return new AddressVector(
                Gid.of(source.address(), port), trafficClass, AddressVector.DEFAULT_HOP_LIMIT, flowLabel);
    }

    private static RdmaException refused(String why) {
        return new RdmaException(ErrorCode.EINVAL, "ibv_create_ah_from_wc: " + why);
    }
}
