package io.rdma4j.udp;

import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.DeviceInfo;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Set;

/** Opens {@code udp://address} devices: RoCEv2 over a UDP socket of that address. */
public final class UdpProvider implements RdmaProvider {
    @Override
    public String scheme() {
        return UdpOptions.SCHEME;
    }

    @Override
    public Set<String> optionNames() {
        return UdpOptions.NAMES;
    }

    @Override
    public RdmaDevice open(DeviceConfig config) {
        return DeviceRegistry.open(UdpOptions.parse(config));
    }

    @Override
    public List<DeviceInfo> list() {
        return LocalAddress.all().map(UdpProvider::describe).toList();
    }

    private static DeviceInfo describe(InetAddress address) {
        String host = DeviceDescription.bracketed(address);
        return new DeviceInfo(
                UdpOptions.SCHEME + "://" + host,
                "udp-" + host + ":" + Gid.ROCE_PORT,
                Gid.of(address),
                "RoCEv2 over UDP on " + where(address));
    }

    private static String where(InetAddress address) {
        try {
            NetworkInterface found = InterfaceMtu.interfaceOf(address);
            int mtu = InterfaceMtu.bytes(found);
            String name = found == null ? "an unknown interface" : found.getName();
            return name + ", path MTU " + InterfaceMtu.pathMtu(mtu).bytes();
        } catch (SocketException e) {
            return "an unknown interface";
        }
    }
}
