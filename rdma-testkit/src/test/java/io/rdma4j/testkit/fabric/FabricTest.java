package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FabricTest {
    private static final int BYTES = 200_000;
    private static final FabricOptions HOSTILE = new FabricOptions(0.05, 0.05, 0.05, 0.05, 2_000, 1_000);

    /** How a receiver may notice damage, before it looks for a queue pair. */
    private static final Set<DropReason> MALFORMED = EnumSet.range(DropReason.TOO_SHORT, DropReason.BAD_ICRC);

    @TempDir
    Path directory;

    @Test
    void timePassesOnlyWhenRunAndExactlyAsTold() {
        try (Fabric fabric = new Fabric(1)) {
            assertThat(fabric.nowNs()).isEqualTo(Fabric.START_NS);
            List<Long> times = new ArrayList<>();
            fabric.after(300, () -> times.add(fabric.nowNs()));
            fabric.after(100, () -> times.add(fabric.nowNs()));

            fabric.runFor(200);

            assertThat(fabric.nowNs()).isEqualTo(Fabric.START_NS + 200);
            assertThat(times).containsExactly(Fabric.START_NS + 100);
            assertThat(fabric.runUntil(() -> times.size() == 2, 1_000)).isTrue();
            assertThat(fabric.nowNs()).isEqualTo(Fabric.START_NS + 300);
        }
    }

    @Test
    void endlessWorkAtOneInstantIsReported() {
        try (Fabric fabric = new Fabric(1)) {
            endless(fabric);

            assertThatThrownBy(() -> fabric.runFor(10))
                    .isInstanceOf(FabricStalledException.class)
                    .hasMessageContaining("livelock");
        }
    }

    private static void endless(Fabric fabric) {
        fabric.after(0, () -> endless(fabric));
    }

    @Test
    void fabricThatDoesNotComeToRestIsReported() {
        try (Fabric fabric = new Fabric(1)) {
            ticking(fabric);

            assertThatThrownBy(() -> fabric.runUntilIdle(10_000))
                    .isInstanceOf(FabricStalledException.class)
                    .hasMessageContaining("not idle");
        }
    }

    private static void ticking(Fabric fabric) {
        fabric.after(100, () -> ticking(fabric));
    }

    @Test
    void equalSeedsGiveEqualTracesToTheByte() {
        String first = hostileRun(42, null);

        assertThat(first)
                .contains("LOST")
                .contains("CORRUPTED")
                .contains("DUPLICATED")
                .contains("OVERTAKEN");
        assertThat(hostileRun(42, null)).isEqualTo(first);
    }

    @Test
    void otherSeedsGiveOtherTraces() {
        assertThat(hostileRun(43, null)).isNotEqualTo(hostileRun(42, null));
    }

    @Test
    void recordingDoesNotChangeARun() {
        assertThat(hostileRun(42, directory.resolve("run"))).isEqualTo(hostileRun(42, null));
    }

    @Test
    void captureHasEverySentFrameWithItsTrueIdentification() throws IOException {
        String trace = hostileRun(42, directory.resolve("run"));

        List<CapturedFrame> sent = frames("run-sent.pcap");
        List<CapturedFrame> arrived = frames("run-arrived.pcap");

        assertThat(sent).hasSize((int) trace.lines().count());
        assertThat(sent).allMatch(FabricTest::isWhole);
        assertThat(arrived).anyMatch(frame -> !isWhole(frame));
    }

    private static boolean isWhole(CapturedFrame frame) {
        return frame instanceof RoceFrame roce && roce.malformed() == null && roce.isIcrcValid();
    }

    @Test
    void aDeviceIsThereOnce() {
        try (Fabric fabric = new Fabric(1)) {
            fabric.addDevice("a", Gid.parse("192.0.2.2"));

            assertThatThrownBy(() -> fabric.addDevice("again", Gid.parse("192.0.2.2")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void damagedFramesAreCountedByTheReceiver() {
        try (Fabric fabric = new Fabric(3)) {
            FabricDevice a = fabric.addDevice("a", Gid.parse("192.0.2.2"));
            FabricDevice b = fabric.addDevice("b", Gid.parse("192.0.2.3"));
            fabric.options(a, b, FabricOptions.clean().corrupt(0.2));

            write(fabric, a, b);

            long damaged = fabric.trace().entries().stream()
                    .filter(entry -> entry.fates().contains(Fate.CORRUPTED))
                    .count();
            long dropped = MALFORMED.stream()
                    .map(reason -> "dropped_" + reason.name().toLowerCase(Locale.ROOT))
                    .mapToLong(name -> b.rdma().counters().getOrDefault(name, 0L))
                    .sum();
            assertThat(damaged).isPositive();
            assertThat(dropped).isEqualTo(damaged);
        }
    }

    @Test
    void blockedLinksOnlyDelay() {
        try (Fabric fabric = new Fabric(3)) {
            FabricDevice a = fabric.addDevice("a", Gid.parse("192.0.2.2"));
            FabricDevice b = fabric.addDevice("b", Gid.parse("192.0.2.3"));
            a.refuseClaims(0.5);
            b.refuseClaims(0.5);

            write(fabric, a, b);
        }
    }

    private String hostileRun(long seed, @Nullable Path capture) {
        try (Fabric fabric = new Fabric(seed)) {
            FabricDevice a = fabric.addDevice("a", Gid.parse("192.0.2.2"));
            FabricDevice b = fabric.addDevice("b", Gid.parse("192.0.2.3"));
            fabric.options(HOSTILE);
            if (capture != null) {
                fabric.capture(capture);
            }
            write(fabric, a, b);
            return fabric.trace().text();
        }
    }

    /** Writes the whole memory of one device into the other's and checks it. */
    private static void write(Fabric fabric, FabricDevice a, FabricDevice b) {
        ConnectOptions options = ConnectOptions.DEFAULT.timeout(8);
        Party from = Party.of(a, 1);
        Party to = Party.of(b, 2);
        from.queuePair.connect(to.queuePair.localAddress(), options);
        to.queuePair.connect(from.queuePair.localAddress(), options);
        from.queuePair.postSend(RdmaWrite.of(1, from.region.all())
                .to(to.region.address(), to.region.remoteKey())
                .signaled());
        WorkCompletion[] done = WorkCompletion.array(1);
        assertThat(fabric.runUntil(() -> from.completionQueue.poll(done) == 1, 10_000_000_000L))
                .isTrue();
        assertThat(done[0].isSuccess()).as(done[0].cause()).isTrue();
        fabric.runUntilIdle(1_000_000_000L);
        assertThat(from.bytes.mismatch(to.bytes)).isEqualTo(-1);
        from.close();
        to.close();
    }

    private List<CapturedFrame> frames(String name) throws IOException {
        List<CapturedFrame> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        try (PcapReader reader = PcapReader.open(directory.resolve(name))) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                frames.add(decoder.decode(packet));
            }
        }
        return frames;
    }

    private record Party(CompletionQueue completionQueue, MemoryRegion region, QueuePair queuePair, ByteBuffer bytes) {
        static Party of(FabricDevice device, int fill) {
            ProtectionDomain domain = device.rdma().allocateProtectionDomain();
            CompletionQueue completionQueue = device.rdma().createCompletionQueue(16);
            ByteBuffer bytes = HostMemory.allocate(BYTES);
            for (int i = 0; i < BYTES; i++) {
                bytes.put(i, (byte) (i * 31 + fill));
            }
            MemoryRegion region = domain.registerMemory(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            QueuePair queuePair = domain.createQueuePair(QueuePairConfig.reliable(completionQueue));
            return new Party(completionQueue, region, queuePair, bytes);
        }

        void close() {
            queuePair.close();
            completionQueue.close();
            region.close();
            region.protectionDomain().close();
        }
    }
}
