package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several queue pairs that take their receives from one queue (§12). */
class SharedReceiveScenarioTest {
    private static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024);
    private static final int TARGET = 32 << 10;

    private static void send(SharedReceiveBed bed, int connection, long id, int length) {
        bed.senders
                .get(connection)
                .postSend(Send.of(id, bed.nodes.a.region.slice(0, length)).signaled());
    }

    private static String told(TraceEntry entry) {
        FrameView frame = entry.frame();
        String syndrome = frame.opcode() == Opcode.RC_ACKNOWLEDGE ? String.format(" 0x%02x", frame.syndrome()) : "";
        return frame.from() + " " + frame.opcode() + " " + frame.psn() + syndrome;
    }

    @Test
    @DisplayName("§4.2, §12: SENDs of two queue pairs, an empty queue and its limit look on the wire as with soft-RoCE")
    void asOnLinux() {
        try (SharedReceiveBed bed = new SharedReceiveBed(2, 16, OPTIONS.minRnrTimer(18))) {
            TwoNodes nodes = bed.nodes;
            bed.post(500, TARGET, 4096);
            bed.post(501, TARGET + 4096, 4096);
            bed.shared.armLimit(1);
            send(bed, 0, 1, 100);
            nodes.runUntilCompletions(nodes.a, 1, SECOND);
            bed.senders
                    .get(1)
                    .postSend(SendWithImmediate.of(2, 5, nodes.a.region.slice(0, 1500))
                            .signaled());
            nodes.runUntilCompletions(nodes.a, 2, SECOND);
            assertThat(bed.events())
                    .containsExactly(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, bed.shared.number()));
            send(bed, 0, 9, 10);
            nodes.fabric.after(15 * MILLISECOND, () -> bed.post(502, TARGET, 4096));

            nodes.runToRest();

            List<String> frames = nodes.fabric.trace().entries().stream()
                    .map(SharedReceiveScenarioTest::told)
                    .toList();
            List<String> expected = new ArrayList<>(List.of(
                    "a RC_SEND_ONLY 256",
                    "b RC_ACKNOWLEDGE 256 0x1f",
                    "a RC_SEND_FIRST 1280",
                    "a RC_SEND_LAST_WITH_IMMEDIATE 1281",
                    "b RC_ACKNOWLEDGE 1281 0x1f"));
            int tries = (frames.size() - expected.size()) / 2;
            assertThat(tries).isBetween(2, 4);
            for (int i = 1; i < tries; i++) {
                expected.addAll(List.of("a RC_SEND_ONLY 257", "b RC_ACKNOWLEDGE 257 0x32"));
            }
            expected.addAll(List.of("a RC_SEND_ONLY 257", "b RC_ACKNOWLEDGE 257 0x1f"));
            assertThat(frames).containsExactlyElementsOf(expected);
            int first = bed.receivers.get(0).number();
            int second = bed.receivers.get(1).number();
            assertThat(nodes.b.completions())
                    .extracting(
                            WorkCompletion::workRequestId,
                            WorkCompletion::queuePairNumber,
                            WorkCompletion::byteLength,
                            WorkCompletion::sourceQueuePair)
                    .containsExactly(
                            tuple(500L, first, 100L, bed.senders.get(0).number()),
                            tuple(501L, second, 1500L, bed.senders.get(1).number()),
                            tuple(502L, first, 10L, bed.senders.get(0).number()));
            assertThat(nodes.b.completions().get(1).immediateData()).isEqualTo(5);
            assertThat(nodes.b.bytes(TARGET, 10)).isEqualTo(nodes.a.bytes(0, 10));
            assertThat(nodes.b.bytes(TARGET + 4096, 1500)).isEqualTo(nodes.a.bytes(0, 1500));
            assertThat(bed.events()).isEmpty();
        }
    }

    @Test
    @DisplayName("§6.3, §12: an empty queue that stays empty ends in RNR_RETRY_EXC_ERR; the receiver goes on")
    void emptyForTooLong() {
        try (SharedReceiveBed bed = new SharedReceiveBed(2, 4, OPTIONS.rnrRetry(2))) {
            send(bed, 0, 1, 100);
            bed.nodes.runToRest();
            assertThat(bed.nodes.a.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
            assertThat(bed.nodes.naks(bed.nodes.b, Syndrome.rnrNak(12))).hasSize(3);

            bed.post(5, TARGET, 100);
            send(bed, 1, 2, 100);
            bed.nodes.runToRest();

            assertThat(bed.nodes.b.completions()).singleElement().matches(bed.of(bed.receivers.get(1)));
            assertThat(bed.receivers.get(0).state()).isEqualTo(QueuePairState.RTS);
            assertThat(bed.events()).isEmpty();
        }
    }

    @Test
    @DisplayName("§12: one message outstanding at a time, many times over, through a queue of one receive")
    void oneAtATime() {
        try (SharedReceiveBed bed = new SharedReceiveBed(3, 1, OPTIONS)) {
            for (int i = 0; i < 300; i++) {
                bed.post(i, TARGET, 100);
                send(bed, i % 3, i, 100);
                bed.nodes.runUntilCompletions(bed.nodes.a, i + 1, SECOND);
                assertThat(bed.nodes.b.completions()).hasSize(i + 1);
            }
            List<WorkCompletion> done = bed.nodes.b.completions();
            assertThat(done).hasSize(300).allMatch(WorkCompletion::isSuccess);
            for (int i = 0; i < 300; i++) {
                assertThat(done.get(i).workRequestId()).isEqualTo(i);
                assertThat(done.get(i)).matches(bed.of(bed.receivers.get(i % 3)));
            }
        }
    }

    /** Every connection is in the middle of a message that does not go on; receive {@code i} is that of connection i. */
    private static void beginMessages(SharedReceiveBed bed) {
        bed.nodes.fabric.addRule(FrameRule.drop().from(bed.nodes.a.device).opcode(Opcode.RC_SEND_LAST));
        for (int i = 0; i < bed.senders.size(); i++) {
            bed.post(i, TARGET + 2048 * i, 2048);
            send(bed, i, i, 2000);
            bed.nodes.fabric.runFor(MILLISECOND);
        }
        assertThat(bed.nodes.b.completions()).isEmpty();
    }

    private static QueuePairAttributes state(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }

    @Test
    @DisplayName(
            "§8.5(3), bug/15: five messages in the middle: ERR flushes the receive of each, then the last event, once")
    void errorInTheMiddleOfMessages() {
        try (SharedReceiveBed bed = new SharedReceiveBed(5, 16, OPTIONS)) {
            beginMessages(bed);
            bed.post(100, TARGET, 100);
            bed.post(101, TARGET, 100);
            for (int i = 0; i < 5; i++) {
                QueuePair qp = bed.receivers.get(i);
                qp.modify(state(QueuePairState.ERR));
                bed.nodes.fabric.runFor(MILLISECOND);
                List<WorkCompletion> done = bed.nodes.b.completions();
                assertThat(done).hasSize(i + 1);
                assertThat(done.get(i)).matches(bed.of(qp));
                assertThat(done.get(i).workRequestId()).isEqualTo(i);
                assertThat(done.get(i).status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
                assertThat(bed.events())
                        .containsExactly(new AsyncEvent(AsyncEventType.QP_LAST_WQE_REACHED, qp.number()));
                qp.modify(state(QueuePairState.ERR));
            }
            bed.nodes.fabric.clearRules();
            bed.nodes.runToRest();

            assertThat(bed.nodes.b.completions()).hasSize(5);
            assertThat(bed.events()).isEmpty();
            assertThat(bed.nodes.a.completions())
                    .hasSize(5)
                    .extracting(WorkCompletion::status)
                    .containsOnly(WorkCompletionStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    @DisplayName(
            "bug/9: destroyed in the middle of a message: the queue EBUSY, others go on, each receive completes once")
    void destroyInTheMiddleOfAMessage() {
        try (SharedReceiveBed bed =
                new SharedReceiveBed(3, 16, OPTIONS.timeout(8).retryCount(2))) {
            TwoNodes nodes = bed.nodes;
            bed.post(1, TARGET, 4096);
            nodes.fabric.addRule(FrameRule.drop()
                    .from(nodes.a.device)
                    .opcode(Opcode.RC_SEND_LAST)
                    .queuePair(bed.receivers.get(0)));
            send(bed, 0, 1, 3000);
            nodes.fabric.runFor(MILLISECOND / 2);
            bed.post(2, TARGET + 4096, 4096);
            bed.post(3, TARGET + 8192, 4096);
            send(bed, 1, 2, 3000);
            nodes.fabric.runFor(MILLISECOND / 2);

            bed.receivers.get(0).close();
            assertThatThrownBy(bed.shared::close)
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EBUSY))
                    .hasMessageContaining(bed.receivers.get(1).toString())
                    .hasMessageContaining(bed.receivers.get(2).toString());
            send(bed, 1, 3, 100);
            send(bed, 2, 4, 200);
            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .filteredOn(bed.of(bed.senders.get(0)))
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::workRequestId, WorkCompletion::status)
                    .containsExactlyInAnyOrder(
                            tuple(2L, WorkCompletionStatus.SUCCESS),
                            tuple(1L, WorkCompletionStatus.SUCCESS),
                            tuple(3L, WorkCompletionStatus.SUCCESS));
            assertThat(nodes.b.completions())
                    .filteredOn(done -> done.workRequestId() == 1)
                    .as("given back, it is the next")
                    .allMatch(done -> done.byteLength() <= 200);
            assertThat(bed.events()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "§12: RDMA WRITE with immediate over many queue pairs: each gets its own, with its number and immediate")
    void multiplexedWrites() {
        int connections = 16;
        try (SharedReceiveBed bed = new SharedReceiveBed(connections, 256, OPTIONS)) {
            TwoNodes nodes = bed.nodes;
            for (int i = 0; i < 10 * connections; i++) {
                bed.post(i, 0, 0);
            }
            for (int i = 0; i < 10 * connections; i++) {
                bed.senders
                        .get(i % connections)
                        .postSend(RdmaWriteWithImmediate.of(i, i, nodes.a.region.slice(i, 1100))
                                .to(nodes.b.region.address() + 1200L * i, nodes.b.region.remoteKey())
                                .signaled());
            }
            nodes.runToRest();

            assertThat(nodes.a.completions()).hasSize(10 * connections).allMatch(WorkCompletion::isSuccess);
            List<WorkCompletion> done = nodes.b.completions();
            assertThat(done).hasSize(10 * connections);
            for (int i = 0; i < done.size(); i++) {
                int message = done.get(i).immediateData();
                assertThat(done.get(i).workRequestId()).isEqualTo(i);
                assertThat(done.get(i).opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
                assertThat(done.get(i).byteLength()).isEqualTo(1100);
                assertThat(done.get(i)).matches(bed.of(bed.receivers.get(message % connections)));
                assertThat(nodes.b.bytes(1200 * message, 1100)).isEqualTo(nodes.a.bytes(message, 1100));
            }
            assertThat(done.stream().map(WorkCompletion::immediateData).distinct())
                    .hasSize(10 * connections);
        }
    }
}
