package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_ATOMIC_ACKNOWLEDGE;
import static io.rdma4j.core.wire.Opcode.RC_COMPARE_SWAP;
import static io.rdma4j.core.wire.Opcode.RC_FETCH_ADD;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_REQUEST;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_FIRST;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_LAST;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_ONLY;
import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.TIMEOUT_14_NS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** READs and atomics whose requests or responses get lost (§5, §6.1, §6.3, §7.4). */
class ReadAtomicScenarioTest {
    private static final int SINK = 32 << 10;
    private static final int WORD = 4096;

    @Test
    void lostReadResponseIsAnImpliedNakAndTheReadResumesThere() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            int lost = PSN_A + 2;
            nodes.fabric.addRule(FrameRule.drop()
                    .opcode(RC_RDMA_READ_RESPONSE_MIDDLE)
                    .psn(lost)
                    .first(1));
            long start = nodes.fabric.nowNs();
            readFromB(nodes, 1, 0, 5000);

            nodes.runUntilCompletions(nodes.a, 1, MILLISECOND);

            assertThat(nodes.fabric.nowNs() - start)
                    .as("no time-out was waited for")
                    .isLessThan(MILLISECOND);
            assertRead(nodes, 1, 5000);
            assertThat(psns(nodes.sent(nodes.a, RC_RDMA_READ_REQUEST))).containsExactly(PSN_A, lost);
            // The responses before the loss are not asked for again, and the restart begins with FIRST.
            assertThat(psns(nodes.sent(nodes.b, RC_RDMA_READ_RESPONSE_FIRST))).containsExactly(PSN_A, lost);
            assertThat(psns(nodes.sent(nodes.b, RC_RDMA_READ_RESPONSE_MIDDLE)))
                    .containsExactly(PSN_A + 1, lost, PSN_A + 3, PSN_A + 3);
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(1);
        }
    }

    @Test
    void lostLastReadResponseIsAskedForAloneAfterTheTimeout() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.drop().opcode(RC_RDMA_READ_RESPONSE_LAST).first(1));
            readFromB(nodes, 1, 0, 5000);

            nodes.runToRest();

            assertRead(nodes, 1, 5000);
            List<TraceEntry> requests = nodes.sent(nodes.a, RC_RDMA_READ_REQUEST);
            assertThat(psns(requests)).containsExactly(PSN_A, PSN_A + 4);
            assertThat(requests.get(1).timeNs() - requests.get(0).timeNs()).isGreaterThanOrEqualTo(TIMEOUT_14_NS);
            assertThat(psns(nodes.sent(nodes.b, RC_RDMA_READ_RESPONSE_ONLY))).containsExactly(PSN_A + 4);
        }
    }

    @Test
    void lostReadRequestIsRepeatedAfterTheTimeout() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_RDMA_READ_REQUEST).first(1));
            readFromB(nodes, 1, 0, 5000);

            nodes.runToRest();

            assertRead(nodes, 1, 5000);
            assertThat(psns(nodes.sent(nodes.a, RC_RDMA_READ_REQUEST))).containsExactly(PSN_A, PSN_A);
        }
    }

    /** A READ of this length goes out as two requests; what is asked for again must not reach from one into the other. */
    @Test
    void lostResponseOfALongReadIsAskedForWithinItsOriginalRequest() {
        int length = 512 << 10;
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", length)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096).timeout(8));
            nodes.fabric.addRule(FrameRule.drop()
                    .opcode(RC_RDMA_READ_RESPONSE_MIDDLE)
                    .psn(PSN_A + 3)
                    .first(1));
            nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.all())
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertRead(nodes, 1, 0, length);
        }
    }

    /** max_rd_atomic 1: the copy of the first READ arrives just before the second, which is posted within its rights. */
    @Test
    void answerToADuplicateDoesNotStandInTheWayOfANewRead() {
        ConnectOptions options =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).maxReadAtomic(1);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            long roundTrip = 2 * FabricOptions.DEFAULT_DELAY_NS;
            nodes.fabric.addRule(
                    FrameRule.duplicate(roundTrip).opcode(RC_RDMA_READ_REQUEST).first(1));
            readFromB(nodes, 1, 0, 100);
            readFromB(nodes, 2, 100, 100);

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.SUCCESS);
            assertThat(nodes.a.bytes(SINK, 200)).isEqualTo(nodes.b.bytes(0, 200));
        }
    }

    @Test
    void lostAtomicAcknowledgeIsAnsweredFromTheSavedResult() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.memory.putLong(WORD, 516);
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_ATOMIC_ACKNOWLEDGE).first(1));
            nodes.a.queuePair.postSend(FetchAndAdd.of(1, nodes.a.region.slice(SINK, 8), 7)
                    .at(nodes.b.region.address() + WORD, nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertThat(nodes.b.memory.getLong(WORD)).isEqualTo(523);
            assertThat(nodes.a.memory.getLong(SINK)).isEqualTo(516);
            assertThat(psns(nodes.sent(nodes.a, RC_FETCH_ADD))).containsExactly(PSN_A, PSN_A);
            assertThat(nodes.a.completions()).hasSize(1);
            WorkCompletion done = nodes.a.completions().get(0);
            assertThat(done.isSuccess()).isTrue();
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.FETCH_ADD);
            assertThat(done.byteLength()).isEqualTo(8);
        }
    }

    @Test
    void lostSwapAcknowledgeDoesNotSwapAgain() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.memory.putLong(WORD, 516);
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_ATOMIC_ACKNOWLEDGE).first(1));
            nodes.a.queuePair.postSend(CompareAndSwap.of(1, nodes.a.region.slice(SINK, 8), 516, 7)
                    .at(nodes.b.region.address() + WORD, nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertThat(nodes.b.memory.getLong(WORD)).isEqualTo(7);
            // A second execution would bring back 7.
            assertThat(nodes.a.memory.getLong(SINK)).isEqualTo(516);
            assertThat(nodes.sent(nodes.a, RC_COMPARE_SWAP)).hasSize(2);
            assertThat(nodes.a.completions()).hasSize(1);
        }
    }

    @Test
    void readsBeyondTheInitiatorDepthWait() {
        ConnectOptions options =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).maxReadAtomic(2);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            nodes.fabric.addRule(
                    FrameRule.delay(MILLISECOND).from(nodes.b.device).first(2));
            for (int i = 0; i < 6; i++) {
                readFromB(nodes, i, i * 100, 100);
            }
            nodes.fabric.runFor(MILLISECOND / 2);
            assertThat(nodes.sent(nodes.a, RC_RDMA_READ_REQUEST)).hasSize(2);

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
            assertThat(nodes.a.bytes(SINK, 600)).isEqualTo(nodes.b.bytes(0, 600));
        }
    }

    @Test
    void fencedSendWaitsForTheReadBeforeIt() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.delay(MILLISECOND)
                    .opcode(RC_RDMA_READ_RESPONSE_ONLY)
                    .first(1));
            nodes.b.postReceive(1001, SINK, 100);
            readFromB(nodes, 1, 0, 100);
            nodes.a.queuePair.postSend(
                    Send.of(2, nodes.a.region.slice(SINK, 100)).signaled().fenced());
            nodes.fabric.runFor(MILLISECOND / 2);
            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY)).isEmpty();

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(1L, 2L);
            assertThat(nodes.b.bytes(SINK, 100)).isEqualTo(nodes.b.bytes(0, 100));
        }
    }

    @Test
    void fencedSendDoesNotWaitForAnEarlierSend() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.drop().from(nodes.b.device).first(1));
            nodes.b.postReceive(1001, SINK, 100);
            nodes.b.postReceive(1002, SINK + 100, 100);
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 100)).signaled());
            nodes.a.queuePair.postSend(
                    Send.of(2, nodes.a.region.slice(100, 100)).signaled().fenced());

            nodes.fabric.runFor(MILLISECOND);

            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY)).hasSize(2);
        }
    }

    private static void readFromB(TwoNodes nodes, long id, int offset, int length) {
        nodes.a.queuePair.postSend(RdmaRead.of(id, nodes.a.region.slice(SINK + offset, length))
                .from(nodes.b.region.address() + offset, nodes.b.region.remoteKey())
                .signaled());
    }

    private static void assertRead(TwoNodes nodes, long id, int length) {
        assertRead(nodes, id, SINK, length);
    }

    private static void assertRead(TwoNodes nodes, long id, int sink, int length) {
        assertThat(nodes.a.completions()).hasSize(1);
        WorkCompletion done = nodes.a.completions().get(0);
        assertThat(done.isSuccess()).as("%s: %s", done.status(), done.cause()).isTrue();
        assertThat(done.workRequestId()).isEqualTo(id);
        assertThat(done.byteLength()).isEqualTo(length);
        assertThat(nodes.a.bytes(sink, length)).isEqualTo(nodes.b.bytes(0, length));
    }

    private static List<Integer> psns(List<TraceEntry> entries) {
        return entries.stream().map(entry -> entry.frame().psn()).toList();
    }
}
