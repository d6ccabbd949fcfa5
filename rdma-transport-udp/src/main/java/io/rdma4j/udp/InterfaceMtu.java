package io.rdma4j.udp;

import io.rdma4j.verbs.PathMtu;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** What the network interface of an address can carry, as a path MTU (§1). */
final class InterfaceMtu {
    /** What counts where an interface reports nothing useful: lo says 65536, some virtual ones 0. */
    static final int LARGEST = 65_535;

    /** Room for IP, UDP, BTH and the largest extension headers; the value rxe reserves (§1). */
    static final int HEADER_ROOM = 80;

    private InterfaceMtu() {}

    /**
     * The interface that has an address. All of 127.0.0.0/8 belongs to the loopback interface, although only 127.0.0.1 is
     * listed there.
     *
     * @return null when no interface has it
     */
    static @Nullable NetworkInterface interfaceOf(InetAddress address) throws SocketException {
        NetworkInterface exact = NetworkInterface.getByInetAddress(address);
        if (exact != null || !address.isLoopbackAddress()) {
            return exact;
        }
        return NetworkInterface.networkInterfaces()
                .filter(InterfaceMtu::isLoopback)
                .findFirst()
                .orElse(null);
    }

    /** The MTU of an interface in bytes; an invalid one, or none at all, counts as 65535. */
    static int bytes(@Nullable NetworkInterface networkInterface) {
        if (networkInterface == null) {
            return LARGEST;
        }
        try {
            return sane(networkInterface.getMTU());
        } catch (SocketException e) {
            return LARGEST;
        }
    }

    /** The largest path MTU whose frames fit into an interface MTU; 256 where even that does not. */
    static PathMtu pathMtu(int interfaceMtu) {
        int room = Math.max(interfaceMtu - HEADER_ROOM, PathMtu.MTU_256.bytes());
        return PathMtu.largestNotAbove(room);
    }

    static int sane(int mtu) {
        return mtu <= 0 || mtu > LARGEST ? LARGEST : mtu;
    }

    private static boolean isLoopback(NetworkInterface candidate) {
        try {
            return candidate.isLoopback();
        } catch (SocketException e) {
            return false;
        }
    }
}
