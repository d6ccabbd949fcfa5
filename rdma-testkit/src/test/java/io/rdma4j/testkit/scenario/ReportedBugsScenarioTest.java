package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.Fate;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Situations in which users of software RDMA devices met trouble, on links that refuse and regions that go. */
class ReportedBugsScenarioTest {
    private static final int MEGABYTE = 1 << 20;

    @Test
    @DisplayName("bug/30: a link that refuses claims at random packets: 1 MiB from 13 elements arrives to the byte")
    void writeThroughALinkThatRefuses() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MEGABYTE + 4096)) {
            QueuePair from = nodes.a.domain.createQueuePair(
                    QueuePairConfig.reliable(nodes.a.completionQueue).maxSendScatterGather(13));
            QueuePair to = nodes.b.createQueuePair();
            new ConnectionEnd(from, 7).connect(new ConnectionEnd(to, 8), ConnectOptions.DEFAULT);
            nodes.a.device.refuseClaims(0.2);
            nodes.b.device.refuseClaims(0.2);
            ScatterGatherElement[] elements = elements(nodes.a.region);
            from.postSend(RdmaWrite.of(1, elements)
                    .to(nodes.b.region.address() + 3, nodes.b.region.remoteKey())
                    .signaled());

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertThat(nodes.a.completions()).hasSize(1);
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
            assertThat(nodes.b.bytes(3, MEGABYTE)).isEqualTo(gathered(nodes, elements));
            assertThat(nodes.a.counter("retransmitted_packets"))
                    .as("a refused claim is no loss")
                    .isZero();
            from.close();
        }
    }

    /** 13 elements of odd lengths, not in the order of their addresses, 1 MiB in all. */
    private static ScatterGatherElement[] elements(MemoryRegion region) {
        ScatterGatherElement[] elements = new ScatterGatherElement[13];
        int length = MEGABYTE / 13;
        int left = MEGABYTE;
        for (int i = 0; i < 13; i++) {
            int mine = i == 12 ? left : length - 2 * i + 1;
            elements[i] = region.slice((long) (12 - i) * (length + 99), mine);
            left -= mine;
        }
        return elements;
    }

    private static byte[] gathered(TwoNodes nodes, ScatterGatherElement[] elements) {
        ByteBuffer all = ByteBuffer.allocate(MEGABYTE);
        for (ScatterGatherElement element : elements) {
            int offset = (int) (element.address() - nodes.a.region.address());
            all.put(nodes.a.bytes(offset, (int) element.length()));
        }
        return all.array();
    }

    @Test
    @DisplayName(
            "bug/32: a region that goes between the responses of a READ: complete data or NAK 0x62, never stale bytes")
    void regionGoesDuringARead() {
        SplittableRandom random = new SplittableRandom(32);
        int complete = 0;
        int refused = 0;
        for (int run = 0; run < 40; run++) {
            if (readOfARegionThatGoes(random.nextLong(600_000))) {
                complete++;
            } else {
                refused++;
            }
        }
        assertThat(complete).isPositive();
        assertThat(refused).isPositive();
    }

    /** Whether the READ of 1,000 packets was complete before its region went. */
    private static boolean readOfARegionThatGoes(long whenNs) {
        int bytes = 1_000 * 256;
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", bytes)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256));
            nodes.b.device.refuseClaims(0.1); // so that the responses do not all leave at one instant
            byte[] before = nodes.b.bytes(0, bytes);
            byte[] untouched = nodes.a.bytes(0, bytes);
            byte[] stale = new byte[bytes];
            Arrays.fill(stale, (byte) 0xEE);
            nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.all())
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());
            List<MemoryRegion> again = new ArrayList<>();
            nodes.fabric.after(whenNs, () -> {
                nodes.b.region.close();
                nodes.b.memory.put(0, stale);
                again.add(nodes.b.domain.registerMemory(nodes.b.memory, AccessFlag.REMOTE_READ));
            });

            nodes.runUntilCompletions(nodes.a, 1, SECOND);
            nodes.fabric.runFor(MILLISECOND);
            again.get(0).close();

            assertThat(nodes.a.completions()).hasSize(1);
            WorkCompletion done = nodes.a.completions().get(0);
            byte[] read = nodes.a.bytes(0, bytes);
            if (done.isSuccess()) {
                assertThat(read).isEqualTo(before);
                return true;
            }
            assertThat(done.status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_REMOTE_ACCESS)).hasSize(1);
            int arrived = Arrays.mismatch(read, before);
            assertThat(arrived).as("whole packets").isEqualTo(arrived / 256 * 256);
            assertThat(Arrays.equals(read, arrived, bytes, untouched, arrived, bytes))
                    .as("nothing behind packet %d, sent before %d ns, was written", arrived / 256, whenNs)
                    .isTrue();
            return false;
        }
    }

    @ParameterizedTest(
            name = "bug/23: min_rnr_timer {0}: a receive that is 1 ms late costs {1} to {2} us; query shows the code")
    @CsvSource({"0, 655000, 1000000", "12, 640, 5000", "1, 1000, 1100"})
    void rnrTimerZeroIsTheLongest(int code, long leastUs, long mostUs) {
        ConnectOptions options =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).minRnrTimer(code);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            assertThat(nodes.b.queuePair.query().minRnrTimer()).isEqualTo(code);
            long start = nodes.fabric.nowNs();
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 100)).signaled());
            nodes.fabric.after(MILLISECOND, () -> nodes.b.postReceive(1001, 0, 100));

            nodes.runUntilCompletions(nodes.a, 1, 2 * SECOND);

            assertThat(nodes.a.completions()).hasSize(1);
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
            assertThat((nodes.fabric.nowNs() - start) / 1_000).isBetween(leastUs, mostUs);
            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY))
                    .allSatisfy(entry -> assertThat(entry.fates()).doesNotContain(Fate.LOST));
        }
    }
}
