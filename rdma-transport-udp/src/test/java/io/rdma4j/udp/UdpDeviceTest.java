package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.DeviceInfo;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class UdpDeviceTest {
    private static final int BYTES = 1 << 20;

    @ParameterizedTest(name = "{0} {1} to {2} {3}")
    @CsvSource({
        "127.9.4.1, '', 127.9.4.2, ''",
        "127.9.4.1, mtu=1024, 127.9.4.2, mtu=1024",
        "127.9.4.1, mtu=256, 127.9.4.2, mtu=256",
        "127.9.4.1, '', 127.9.4.2, gso=off",
        "127.9.4.1, '', 127.9.4.2, gro=off",
        "127.9.4.1, gso=off&gro=off, 127.9.4.2, gso=off&gro=off",
        "127.9.4.1, '', 127.9.4.2, native=nio",
        "127.9.4.1, native=nio, 127.9.4.2, native=nio",
        "127.9.4.1, icrc=off, 127.9.4.1, ''",
        "[::1], '', [::1], ''",
        "[::1], native=nio, [::1], gso=off",
    })
    void sendWriteAndReadArriveInEveryMode(String host1, String options1, String host2, String options2) {
        try (Endpoint a = new Endpoint("udp://" + host1 + "?port=0&" + orNone(options1), BYTES);
                Endpoint b = new Endpoint("udp://" + host2 + "?port=0&" + orNone(options2), BYTES)) {
            Endpoint.connect(a, b);

            a.fill(1);
            b.queuePair.postReceive(ReceiveRequest.of(7, b.region.all()));
            a.queuePair.postSend(Send.of(1, a.region.all()).signaled());
            assertThat(a.next().opcode()).isEqualTo(WorkCompletionOpcode.SEND);
            assertThat(b.next().byteLength()).isEqualTo(BYTES);
            assertThat(b.memory).isEqualTo(a.memory);

            a.fill(2);
            a.queuePair.postSend(RdmaWrite.of(2, a.region.slice(1, 300_001))
                    .to(b.region.address() + 1, b.region.remoteKey())
                    .signaled());
            assertThat(a.next().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
            assertThat(b.memory.slice(1, 300_001)).isEqualTo(a.memory.slice(1, 300_001));

            b.fill(3);
            a.queuePair.postSend(RdmaRead.of(3, a.region.all())
                    .from(b.region.address(), b.region.remoteKey())
                    .signaled());
            assertThat(a.next().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_READ);
            assertThat(a.memory).isEqualTo(b.memory);
        }
    }

    private static String orNone(String options) {
        return options.isEmpty() ? "icrc=strict" : options;
    }

    @Test
    void deviceSpeaksToItselfThroughItsSocket() {
        try (Endpoint a = new Endpoint("udp://127.9.4.3?port=0", 65_536)) {
            a.queuePair.connect(a.queuePair.localAddress());
            a.fill(4);

            a.queuePair.postSend(RdmaWrite.of(1, a.region.slice(0, 32_768))
                    .to(a.region.address() + 32_768, a.region.remoteKey())
                    .signaled());

            assertThat(a.next().workRequestId()).isEqualTo(1);
            assertThat(a.memory.slice(32_768, 32_768)).isEqualTo(a.memory.slice(0, 32_768));
            assertThat(a.device.counters().get("received_packets")).isPositive();
        }
    }

    /** From 127.0.0.0/8 no way leads elsewhere, so the kernel refuses each frame. */
    @ParameterizedTest
    @CsvSource({"''", "gso=off", "native=nio"})
    void retryExceededNamesTheErrorOfRefusedSends(String options) {
        try (Endpoint a = new Endpoint("udp://127.9.4.5?port=0&" + orNone(options), 65_536)) {
            a.queuePair.connect(
                    new QueuePairAddress(17, 0, Gid.parse("192.0.2.77")),
                    ConnectOptions.DEFAULT.timeout(10).retryCount(1));
            a.queuePair.postSend(Send.of(1, a.region.all()));

            WorkCompletion failed = a.nextOfAnyStatus();

            assertThat(failed.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            String error = options.contains("nio") ? "Exception" : "E(INVAL|NETUNREACH)";
            assertThat(failed.cause()).containsPattern("refused by the system: .*" + error);
        }
    }

    @Test
    void defaultPortIsThatOfRoceAndTheGidIsTheAddress() throws Exception {
        String host = OwnAddresses.host(4);
        try (RdmaDevice device = RdmaDevices.open("udp://" + host)) {
            assertThat(device.gid()).isEqualTo(Gid.of(InetAddress.getByName(host)));
            assertThat(device.gid().devicePort()).isEqualTo(4791);
            assertThat(device.name()).isEqualTo("udp-" + host + ":4791");
            assertThat(device.port().activeMtu()).isEqualTo(PathMtu.MTU_4096);
        }
    }

    @Test
    void otherPortStandsInTheGid() {
        try (RdmaDevice device = RdmaDevices.open("udp://[::1]?port=0&mtu=512")) {
            assertThat(device.gid().devicePort()).isNotEqualTo(4791).isBetween(1024, 49151);
            assertThat(device.gid().address().isLoopbackAddress()).isTrue();
            assertThat(device.port().activeMtu()).isEqualTo(PathMtu.MTU_512);
        }
    }

    @Test
    void unknownOptionIsNamedWithThoseThatThereAre() {
        assertThatThrownBy(() -> RdmaDevices.open("udp://127.0.0.1?port=0&sped=11"))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                .hasMessageContaining("sped")
                .hasMessageContaining(
                        "gro, gso, icrc, mtu, native, pcap, pcapframes, port, profile, receivebuffer," + " sendbuffer");
    }

    @Test
    void systemPropertyGivesADefault() {
        System.setProperty("rdma4j.mtu", "256");
        try (RdmaDevice device = RdmaDevices.open("udp://127.9.4.5?port=0");
                RdmaDevice other = RdmaDevices.open("udp://127.9.4.5?port=0&mtu=1024")) {
            assertThat(device.port().activeMtu()).isEqualTo(PathMtu.MTU_256);
            assertThat(other.port().activeMtu()).isEqualTo(PathMtu.MTU_1024);
        } finally {
            System.clearProperty("rdma4j.mtu");
        }
    }

    @Test
    void portOfAnotherSocketIsRefusedAndFreeAfterwards() throws Exception {
        int port = 22_791;
        String host = OwnAddresses.host(6);
        try (DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress(host, port))) {
            assertThat(other.isOpen()).isTrue();
            assertThatThrownBy(() -> RdmaDevices.open("udp://" + host + "?port=" + port))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRINUSE))
                    .hasMessageContaining("UDP port 22791 of " + host + " is taken by another process");
        }
        RdmaDevices.open("udp://" + host + "?port=" + port).close();
    }

    @Test
    void addressOfAnotherHostIsRefused() {
        assertThatThrownBy(() -> RdmaDevices.open("udp://198.51.100.77"))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRNOTAVAIL))
                .hasMessageContaining("no network interface has the address 198.51.100.77");
    }

    @Test
    void openingAgainGivesAnotherContextUntilTheLastOneCloses() {
        String uri = "udp://" + OwnAddresses.host(7) + "?port=23791";
        try (Endpoint peer = new Endpoint("udp://127.9.4.7?port=0", 4096)) {
            RdmaDevice first = RdmaDevices.open(uri);
            try (Endpoint second = new Endpoint(uri, 4096)) {
                assertThat(second.device).isNotSameAs(first);
                assertThat(second.device.gid()).isEqualTo(first.gid());
                first.close();
                first.close(); // idempotent: counts once
                Endpoint.connect(second, peer);
                second.fill(5);
                second.queuePair.postSend(RdmaWrite.of(1, second.region.all())
                        .to(peer.region.address(), peer.region.remoteKey())
                        .signaled());
                second.next();
                assertThat(peer.memory).isEqualTo(second.memory);
                assertThatThrownBy(first::allocateProtectionDomain).hasMessageContaining("ENODEV");
            }
        }
        RdmaDevices.open(uri + "&mtu=512").close(); // and now with other options: it was really closed
    }

    @Test
    void openingAgainWithOtherOptionsIsRefused() {
        String uri = "udp://" + OwnAddresses.host(8);
        try (RdmaDevice first = RdmaDevices.open(uri)) {
            assertThatThrownBy(() -> RdmaDevices.open(uri + "?mtu=1024"))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                    .hasMessageContaining(first.name() + " is open in this program with other options");
        }
    }

    @Test
    void captureHoldsTheFirstFramesOfBothDirectionsAllGood(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        Path file = directory.resolve("traffic.pcap");
        int port;
        try (Endpoint a = new Endpoint("udp://127.9.4.9?port=0&pcap=" + file + "&pcapframes=5000", BYTES);
                Endpoint b = new Endpoint("udp://127.9.4.9?port=0", BYTES)) {
            port = a.device.gid().devicePort();
            Endpoint.connect(a, b);
            a.queuePair.postSend(RdmaWrite.of(1, a.region.all())
                    .to(b.region.address(), b.region.remoteKey())
                    .signaled());
            a.next();
            a.queuePair.postSend(RdmaRead.of(2, a.region.slice(0, 131_072))
                    .from(b.region.address(), b.region.remoteKey())
                    .signaled());
            a.next();
            Set<Integer> ports = Set.of(port, b.device.gid().devicePort());
            List<RoceFrame> frames = read(file, ports);

            assertThat(frames.size()).isBetween(257 + 33, 5000);
            assertThat(frames).allMatch(RoceFrame::isIcrcValid);
            assertThat(frames).anyMatch(frame -> frame.udp().destinationPort() == port);
            assertThat(frames)
                    .as("frames of a segmented batch")
                    .anyMatch(frame -> frame.ipv4().identification() > 1);
        }
    }

    private static List<RoceFrame> read(Path file, Set<Integer> ports) throws Exception {
        List<RoceFrame> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(ports);
        try (PcapReader reader = PcapReader.open(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                frames.add((RoceFrame) decoder.decode(packet));
            }
        }
        return frames;
    }

    @Test
    void captureFileThatCannotBeMadeIsSaid() {
        String uri = "udp://" + OwnAddresses.host(10);
        assertThatThrownBy(() -> RdmaDevices.open(uri + "?pcap=/no/such/directory/x.pcap"))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("option pcap=/no/such/directory/x.pcap");
        RdmaDevices.open(uri).close(); // the socket was let go
    }

    @Test
    void framesThatCannotBeSentAreCountedByErrno() {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Endpoint a = new Endpoint("udp://127.9.4.11?port=0", 4096)) {
            Gid broadcast = Gid.parse("::ffff:255.255.255.255"); // needs a socket option that nobody set
            a.queuePair.connect(
                    new QueuePairAddress(7, 7, broadcast),
                    ConnectOptions.DEFAULT.timeout(8).retryCount(1));
            a.queuePair.postSend(Send.of(1, a.region.slice(0, 8)).signaled());

            assertThat(a.nextOfAnyStatus().status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(a.device.counters()).containsEntry("send_error_eacces", 2L);
        }
    }

    @Test
    void listNamesLoopbackReadyToOpen() {
        assertThat(RdmaDevices.list()).extracting(DeviceInfo::uri).contains("udp://127.0.0.1");
    }
}
