package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real sockets with faults, a trace and a capture between them and the engine. */
@Timeout(60)
class FaultyDeviceTest {
    private static final int BYTES = 1 << 20;
    private static final String FAULTS = "loss:0.02,duplicate:0.02,reorder:0.02,corrupt:0.02,delay:20us";
    private static final Pattern TRACE_LINE = Pattern.compile(
            "\\d\\d:\\d\\d:\\d\\d\\.\\d{6} "
                    + "(sent|received|lost|duplicated|reordered|corrupted) +(127\\.9\\.5\\.\\d:.*icrc=.*|\\d+ bytes, too short.*)");

    @TempDir
    Path directory;

    private static void sendWriteAndRead(Endpoint a, Endpoint b) {
        a.fill(1);
        b.queuePair.postReceive(ReceiveRequest.of(7, b.region.all()));
        a.queuePair.postSend(Send.of(1, a.region.all()).signaled());
        a.next();
        assertThat(b.next().byteLength()).isEqualTo(BYTES);
        assertThat(b.memory).isEqualTo(a.memory);
        a.fill(2);
        a.queuePair.postSend(RdmaWrite.of(2, a.region.all())
                .to(b.region.address(), b.region.remoteKey())
                .signaled());
        a.next();
        assertThat(b.memory).isEqualTo(a.memory);
        b.fill(3);
        a.queuePair.postSend(RdmaRead.of(3, a.region.all())
                .from(b.region.address(), b.region.remoteKey())
                .signaled());
        a.next();
        assertThat(a.memory).isEqualTo(b.memory);
    }

    @Test
    void rightDataArriveThroughFaultsBothWays() {
        try (Endpoint a = new Endpoint("udp://127.9.5.1?port=0&mtu=1024&faults=" + FAULTS + ",seed:1", BYTES);
                Endpoint b = new Endpoint("udp://127.9.5.2?port=0&mtu=1024&faults=" + FAULTS + ",seed:2", BYTES)) {
            Endpoint.connect(a, b);

            sendWriteAndRead(a, b);

            for (String fault : List.of("fault_lost", "fault_duplicated", "fault_reordered", "fault_corrupted")) {
                assertThat(a.device.counters().get(fault) + b.device.counters().get(fault))
                        .as(fault)
                        .isPositive();
            }
            assertThat(a.device.counters().get("retransmitted_packets")).isPositive();
        }
    }

    @Test
    void theTraceHasALineForEveryFrameAndEveryFault() throws IOException {
        Path trace = directory.resolve("trace.txt");
        DeviceConfig config = DeviceConfig.of("udp", "127.9.5.3")
                .with("port", 0)
                .with("mtu", 1024)
                .with("trace", trace.toString())
                .with("faults", "loss:0.02,corrupt:0.02,seed:3");
        long lost;
        try (Endpoint a = new Endpoint("udp://127.9.5.1?port=0&mtu=1024", BYTES);
                Endpoint b = new Endpoint(config.toString(), BYTES)) {
            Endpoint.connect(a, b);
            sendWriteAndRead(a, b);
            lost = b.device.counters().get("fault_lost");
        }

        List<String> lines = Files.readAllLines(trace);
        assertThat(lines).allSatisfy(line -> assertThat(line).matches(TRACE_LINE));
        assertThat(lines).anyMatch(line -> line.contains(" RC_WRITE_FIRST ") && line.endsWith(" ok"));
        assertThat(lines).anyMatch(line -> line.contains(" sent ") && line.contains(" RC_READ_RESP_"));
        assertThat(lines.stream().filter(line -> line.contains(" lost "))).hasSizeGreaterThanOrEqualTo((int) lost);
    }

    @Test
    void theCaptureHasWhatWasOnTheWireBeforeTheFaults() throws IOException {
        Path capture = directory.resolve("wire.pcap");
        int portOfA;
        int portOfB;
        try (Endpoint a = new Endpoint("udp://127.9.5.1?port=0&mtu=1024", BYTES);
                Endpoint b = new Endpoint(
                        "udp://127.9.5.4?port=0&mtu=1024&faults=corrupt:0.1,seed:4&pcap=" + capture, BYTES)) {
            Endpoint.connect(a, b);
            sendWriteAndRead(a, b);
            assertThat(b.device.counters().get("fault_corrupted")).isPositive();
            portOfA = a.device.gid().devicePort();
            portOfB = b.device.gid().devicePort();
        }

        FrameDecoder decoder = new FrameDecoder(Set.of(portOfA, portOfB));
        int frames = 0;
        try (PcapReader reader = PcapReader.open(capture)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                assertThat(((RoceFrame) decoder.decode(packet)).isIcrcValid()).isTrue();
                frames++;
            }
        }
        assertThat(frames).isGreaterThan(3 * BYTES / 1024);
    }

    @Test
    void withoutFaultsTheCountersDoNotNameThem() {
        try (Endpoint a = new Endpoint("udp://127.9.5.5?port=0", 4096)) {
            assertThat(a.device.counters()).doesNotContainKey("fault_lost").containsKey("sent_packets");
        }
    }

    @Test
    void aTraceThatCannotBeWrittenIsRefusedByName() {
        assertThatThrownBy(() -> RdmaDevices.open("udp://127.9.5.5?port=0&trace=" + directory))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("option trace=" + directory + " for udp://: cannot be written");
    }
}
