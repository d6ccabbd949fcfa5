package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.netty.channel.epoll.Epoll;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

/** What the IP headers say on the wire, as tcpdump sees it; where it may not look, these tests are left out. */
@Timeout(60)
class WireMarksTest {
    private static final int PAYLOAD = 32;
    private static final int LENGTH = Opcode.UD_SEND_ONLY.headerLength() + PAYLOAD;
    private static final int PEER_PORT = 20_999;

    private record Marks(int trafficClass, int hopLimit) {}

    @TempDir
    java.nio.file.Path directory;

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"EPOLL, 127.9.6.1", "EPOLL, ::1", "NIO, 127.9.6.1"})
    void everyFrameHasTheClassAndTheHopLimitOfItsPath(NativeTransport transport, String host) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable() || transport == NativeTransport.NIO);
        int hops = transport == NativeTransport.NIO ? 64 : 17; // the JDK cannot set it
        List<Marks> wanted = List.of(
                new Marks(0, 64),
                new Marks(0x68, 64),
                new Marks(0xFF, hops),
                new Marks(0x68, hops),
                new Marks(0x68, 64),
                new Marks(0, 64),
                new Marks(0, 64),
                new Marks(0, 0));

        List<RoceFrame> frames = captured(transport, host, Gid.parse(host), wanted);

        List<Marks> seen = new ArrayList<>(wanted);
        seen.set(7, new Marks(0, transport == NativeTransport.NIO ? 64 : 1)); // with 0 it would be nobody's to take
        assertThat(frames).extracting(WireMarksTest::marks).isEqualTo(seen);
        assertThat(frames).extracting(frame -> frame.packet().psn()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        if (transport == NativeTransport.EPOLL) {
            assertThat(frames).allMatch(RoceFrame::isIcrcValid);
        }
    }

    @ParameterizedTest
    @CsvSource({"EPOLL", "NIO"})
    void framesForGroupsHaveThemToo(NativeTransport transport) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable() || transport == NativeTransport.NIO);
        List<Marks> wanted = List.of(new Marks(0, 1), new Marks(0x68, 9), new Marks(0x68, 255), new Marks(0, 64));

        List<RoceFrame> frames = captured(transport, "127.9.6.1", OwnAddresses.group(61), wanted);

        assertThat(frames).extracting(WireMarksTest::marks).isEqualTo(wanted);
        if (transport == NativeTransport.EPOLL) {
            assertThat(frames).allMatch(RoceFrame::isIcrcValid);
        }
    }

    @Test
    void eachSideOfAConnectionSpeaksWithItsOwnAddressVector() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        java.nio.file.Path file = directory.resolve("wire.pcap");
        try (Endpoint a = new Endpoint("udp://127.9.6.2?port=0&gso=off", 4096);
                Endpoint b = new Endpoint("udp://127.9.6.2?port=0&gso=off", 4096)) {
            int portA = a.device.gid().devicePort();
            int portB = b.device.gid().devicePort();
            ConnectOptions options = ConnectOptions.DEFAULT.timeout(16);
            Process tcpdump = tcpdump(file, portA, portB);
            try {
                a.queuePair.connect(
                        b.queuePair.localAddress(), options.trafficClass(0x6A).hopLimit(33));
                b.queuePair.connect(
                        a.queuePair.localAddress(), options.trafficClass(0x20).hopLimit(5));
                a.queuePair.postSend(RdmaWrite.of(1, a.region.all())
                        .to(b.region.address(), b.region.remoteKey())
                        .signaled());
                a.next();

                List<RoceFrame> frames = frames(file, Set.of(portA, portB), 2);

                assertThat(frames).allMatch(RoceFrame::isIcrcValid);
                assertThat(frames)
                        .extracting(frame -> frame.udp().sourcePort(), WireMarksTest::marks)
                        .containsOnly(tuple(portA, new Marks(0x6A, 33)), tuple(portB, new Marks(0x20, 5)));
            } finally {
                tcpdump.destroy();
                tcpdump.waitFor();
            }
        }
    }

    /** Sends one frame for each of these, without a flush between, and returns what was on the wire. */
    private List<RoceFrame> captured(NativeTransport transport, String host, Gid to, List<Marks> marks)
            throws Exception {
        Gid remote = to.isMulticast() ? to : Gid.of(to.address(), PEER_PORT);
        try (Loops loops = new Loops(transport)) {
            BoundSocket socket = loops.bind(host, new SocketOptions(0, transport, false, false, 1 << 20, 1 << 20));
            UdpLink link = new UdpLink(socket.channel(), false, new Icrc(), () -> {});
            java.nio.file.Path file = directory.resolve("wire.pcap");
            Process tcpdump = tcpdump(file, socket.local().getPort());
            try {
                loops.run(() -> send(link, Gid.of(socket.local().getAddress()), remote, marks));
                return frames(file, Set.of(remote.devicePort()), marks.size());
            } finally {
                tcpdump.destroy();
                tcpdump.waitFor();
            }
        }
    }

    private static boolean send(UdpLink link, Gid from, Gid to, List<Marks> marks) {
        int psn = 0;
        for (Marks mark : marks) {
            assertThat(link.claim(new Path(from, to, mark.trafficClass, mark.hopLimit, 0), LENGTH))
                    .isTrue();
            new Bth().wrap(link.buffer(), link.offset()).init(Opcode.UD_SEND_ONLY, 17, psn++);
            link.commit();
        }
        link.flush();
        return true;
    }

    private static Process tcpdump(java.nio.file.Path file, int... sourcePorts) throws IOException {
        String filter = Arrays.stream(sourcePorts)
                .mapToObj(port -> "udp src port " + port)
                .collect(Collectors.joining(" or "));
        Process process;
        try {
            process = new ProcessBuilder(
                            "tcpdump", "-i", "lo", "-n", "-U", "--immediate-mode", "-w", file.toString(), filter)
                    .start();
        } catch (IOException e) {
            throw new TestAbortedException("no tcpdump here", e);
        }
        var messages = process.errorReader();
        for (String line = messages.readLine(); line != null; line = messages.readLine()) {
            if (line.contains("listening on")) {
                return process;
            }
        }
        throw new TestAbortedException("tcpdump may not look here");
    }

    private static List<RoceFrame> frames(java.nio.file.Path file, Set<Integer> ports, int count) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            List<RoceFrame> frames = read(file, ports);
            if (frames.size() >= count) {
                return frames;
            }
            assertThat(System.nanoTime()).as("%d frames are captured", count).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static List<RoceFrame> read(java.nio.file.Path file, Set<Integer> ports) throws IOException {
        List<RoceFrame> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(ports);
        if (!Files.exists(file) || Files.size(file) == 0) {
            return frames;
        }
        try (PcapReader reader = PcapReader.open(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                CapturedFrame frame = decoder.decode(packet);
                if (frame instanceof RoceFrame roce) {
                    frames.add(roce);
                }
            }
        } catch (IOException e) {
            return List.of(); // a record is only half there yet
        }
        return frames;
    }

    private static Marks marks(RoceFrame frame) {
        return new Marks(frame.trafficClass(), frame.hopLimit());
    }
}
