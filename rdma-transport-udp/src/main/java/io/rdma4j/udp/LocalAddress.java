package io.rdma4j.udp;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which addresses and ports a device can have. */
final class LocalAddress {
    /**
     * From here up a source port is one that a sender drew for path entropy and that nobody listens on: it means "answer
     * to 4791", so a device cannot live there (§1).
     */
    static final int FIRST_ENTROPY_PORT = 0xC000;

    private static final int FIRST_UNPRIVILEGED_PORT = 1024;

    private LocalAddress() {}

    /** The address a device is to be opened on. */
    static InetAddress resolve(String host) {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw unknown(host, e);
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "a device has one address of its own, not " + address.getHostAddress() + "; this host has: "
                            + usable());
        }
        return address;
    }

    /** Checks that a port is one a device can have and that the GID can tell the peers of it. */
    static int checkPort(InetAddress address, int port) {
        if (port == Gid.ROCE_PORT) {
            return port;
        }
        if (port != 0 && (port < FIRST_UNPRIVILEGED_PORT || port >= FIRST_ENTROPY_PORT)) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "option port=" + port + " for udp://: must be 4791, 0 (a free one) or from "
                            + FIRST_UNPRIVILEGED_PORT + " to " + (FIRST_ENTROPY_PORT - 1));
        }
        if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "option port=" + port + " for udp://: the IPv6 address " + address.getHostAddress()
                            + " fills the whole GID, which leaves no room for a port; only 4791 works there");
        }
        return port;
    }

    /** The error for an address that no interface has. */
    static RdmaException unknown(String address, Throwable cause) {
        return new RdmaException(
                ErrorCode.EADDRNOTAVAIL,
                "no network interface has the address " + address + "; this host has: " + usable(),
                cause);
    }

    /** Addresses that a device could be opened on: of interfaces that are up, IPv4 first. */
    static Stream<InetAddress> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddress::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .sorted((a, b) -> Boolean.compare(b instanceof Inet4Address, a instanceof Inet4Address));
        } catch (SocketException e) {
            return Stream.empty();
        }
    }

    private static String usable() {
        return all().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
