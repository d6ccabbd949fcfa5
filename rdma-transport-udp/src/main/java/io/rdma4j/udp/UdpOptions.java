package io.rdma4j.udp;

import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.LinkFaults;
import io.rdma4j.core.qp.DeviceProfile;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything one {@code udp://} device is configured by. Two openings with equal options mean the same device.
 *
 * @param address the local address; never a wildcard
 * @param socket what is asked of the socket
 * @param mtu the path MTU asked for; null takes what the interface carries
 * @param icrc whether received frames must have a right ICRC
 * @param profile what the device grants its programs
 * @param capture where frames are recorded; null records none
 * @param trace where a line is written for each frame; null writes none
 * @param faults what is done to received frames; null does nothing
 */
record UdpOptions(
        InetAddress address,
        SocketOptions socket,
        @Nullable PathMtu mtu,
        IcrcPolicy icrc,
        DeviceProfile profile,
        @Nullable Capture capture,
        @Nullable Path trace,
        @Nullable LinkFaults faults) {
    static final String SCHEME = "udp";

    /**
     * The options {@code pcap} and {@code pcapframes}.
     *
     * @param file written anew
     * @param frames how many frames, both directions together
     */
    record Capture(Path file, long frames) {}

    /** Every option by name. */
    static final Set<String> NAMES = Set.of(
            "port",
            "mtu",
            "gso",
            "gro",
            "native",
            "icrc",
            "profile",
            "receivebuffer",
            "sendbuffer",
            "pcap",
            "pcapframes",
            "trace",
            "faults");

    /** Reads a configuration. */
    static UdpOptions parse(DeviceConfig config) {
        OptionReader reader = new OptionReader(config);
        InetAddress address = LocalAddress.resolve(config.host());
        SocketOptions socket = new SocketOptions(
                LocalAddress.checkPort(address, reader.integer("port", Gid.ROCE_PORT, 0, 0xFFFF)),
                reader.choice("native", NativeTransport.AUTO),
                reader.autoOrOff("gso"),
                reader.autoOrOff("gro"),
                reader.integer("receivebuffer", SocketOptions.DEFAULT_RECEIVE_BUFFER, 16_384, 1 << 30),
                reader.integer("sendbuffer", SocketOptions.DEFAULT_SEND_BUFFER, 16_384, 1 << 30));
        String trace = reader.text("trace");
        return new UdpOptions(
                address,
                socket,
                mtu(reader),
                reader.choice("icrc", IcrcPolicy.STRICT),
                profile(reader),
                capture(reader),
                trace == null ? null : Path.of(trace),
                faults(reader));
    }

    /** The same device with the port it got. */
    UdpOptions withPort(int port) {
        SocketOptions bound = new SocketOptions(
                port, socket.transport(), socket.gso(), socket.gro(), socket.receiveBuffer(), socket.sendBuffer());
        return new UdpOptions(address, bound, mtu, icrc, profile, capture, trace, faults);
    }

    private static @Nullable PathMtu mtu(OptionReader reader) {
        String value = reader.text("mtu");
        if (value == null) {
            return null;
        }
        for (PathMtu mtu : PathMtu.values()) {
            if (value.equals(String.valueOf(mtu.bytes()))) {
                return mtu;
            }
        }
        throw reader.refuse("mtu", "must be 256, 512, 1024, 2048 or 4096");
    }

    private static DeviceProfile profile(OptionReader reader) {
        String value = reader.text("profile");
        if (value == null) {
            return DeviceProfile.DEFAULT;
        }
        try {
            return DeviceProfile.parse(value);
        } catch (IllegalArgumentException e) {
            throw reader.refuse("profile", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Capture capture(OptionReader reader) {
        long frames = reader.integer("pcapframes", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        String file = reader.text("pcap");
        return file == null ? null : new Capture(Path.of(file), frames);
    }

    private static @Nullable LinkFaults faults(OptionReader reader) {
        String value = reader.text("faults");
        if (value == null) {
            return null;
        }
        try {
            return LinkFaults.parse(value);
        } catch (IllegalArgumentException e) {
            throw reader.refuse("faults", String.valueOf(e.getMessage()));
        }
    }
}
