package io.rdma4j.udp;

import io.netty.util.NetUtil;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a device turned out to be, for the engine and for people.
 *
 * @param options what was asked for, with the port it got
 * @param gid its GID, which carries the port when it is not 4791
 * @param mtu the path MTU in use
 * @param interfaceName the network interface that has the address
 * @param interfaceMtu what that interface carries, in bytes
 * @param features what its socket can do
 */
record DeviceDescription(
        UdpOptions options, Gid gid, PathMtu mtu, String interfaceName, int interfaceMtu, SocketFeatures features) {
    private static final Logger LOG = LoggerFactory.getLogger("io.rdma4j.udp");
    private static final AtomicBoolean FOREIGN_PEERS_TOLD = new AtomicBoolean();

    static DeviceDescription of(UdpOptions asked, BoundSocket socket) {
        InetAddress address = asked.address();
        int port = socket.local().getPort();
        NetworkInterface networkInterface = interfaceOf(address);
        int interfaceMtu = InterfaceMtu.bytes(networkInterface);
        String interfaceName = networkInterface == null ? "an unknown interface" : networkInterface.getName();
        PathMtu most = InterfaceMtu.pathMtu(interfaceMtu);
        PathMtu mtu = asked.mtu() == null ? most : asked.mtu();
        if (mtu.bytes() > most.bytes()) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "option mtu=" + mtu.bytes() + " for udp://: the MTU of " + interfaceName + " is " + interfaceMtu
                            + ", which carries " + most.bytes() + " at most");
        }
        return new DeviceDescription(
                asked.withPort(port), Gid.of(address, port), mtu, interfaceName, interfaceMtu, socket.features());
    }

    /** Address and port, as in {@code 127.0.0.1:4791} or {@code [::1]:4791}. */
    String hostAndPort() {
        return bracketed(options.address()) + ":" + options.socket().port();
    }

    /** The device's name, as tools print it. */
    String name() {
        return "udp-" + hostAndPort();
    }

    /** Says in one line what is in use, and warns of what a user must know. */
    void log() {
        LOG.info(
                "{} open: mtu {} ({} has {}), {}, {}, gso {}, gro {}, receive buffer {}, icrc {}, gid {}",
                name(),
                mtu.bytes(),
                interfaceName,
                interfaceMtu,
                features.isEpoll() ? "epoll" : "nio",
                features.identificationZero() ? "identification 0" : "identification unknown",
                features.gso() ? "on" : "off",
                features.gro() ? "on" : "off",
                features.receiveBuffer(),
                options.icrc(),
                gid);
        if (!isForForeignPeers() && !FOREIGN_PEERS_TOLD.getAndSet(true)) {
            LOG.warn(
                    "{}: this JDK's sockets neither choose the IPv4 identification nor take IPv6 datagrams without a"
                            + " checksum, so this device and foreign ones do not understand each other; with native"
                            + " epoll, and over IPv4 with JDK 19 and later, they do (told once)",
                    name());
        }
        if (features.receiveBuffer() < options.socket().receiveBuffer()) {
            LOG.warn(
                    "{}: the kernel granted a receive buffer of {} bytes, not {}, which costs speed; raise"
                            + " net.core.rmem_max",
                    name(),
                    features.receiveBuffer(),
                    options.socket().receiveBuffer());
        }
    }

    /** Whether Linux rxe and NICs understand this device's frames and it understands theirs. */
    private boolean isForForeignPeers() {
        boolean takesNoChecksum = !(options.address() instanceof Inet6Address) || features.isEpoll();
        return features.identificationZero() && takesNoChecksum;
    }

    static String bracketed(InetAddress address) {
        String host = NetUtil.toAddressString(Gid.of(address).address()); // short, and without a scope
        return address instanceof Inet6Address ? "[" + host + "]" : host;
    }

    static @Nullable NetworkInterface interfaceOf(InetAddress address) {
        try {
            return InterfaceMtu.interfaceOf(address);
        } catch (SocketException e) {
            return null;
        }
    }
}
