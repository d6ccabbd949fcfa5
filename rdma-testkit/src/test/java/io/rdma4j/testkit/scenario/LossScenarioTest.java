package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_ACKNOWLEDGE;
import static io.rdma4j.core.wire.Opcode.RC_SEND_FIRST;
import static io.rdma4j.core.wire.Opcode.RC_SEND_LAST;
import static io.rdma4j.core.wire.Opcode.RC_SEND_MIDDLE;
import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.TIMEOUT_14_NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lost, repeated and damaged requests and acknowledgements (§5, §6.3, §7.3, §7.4). */
class LossScenarioTest {
    private static final int TARGET = 32 << 10;

    @Test
    void lostRequestIsNakedOnceAndSentAgainFromThere() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            int lost = PSN_A + 2;
            nodes.fabric.addRule(FrameRule.drop().from(nodes.a.device).psn(lost).first(1));
            sendFromA(nodes, 5000);

            nodes.runToRest();

            assertSentOnce(nodes, 5000);
            List<TraceEntry> naks = nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR);
            assertThat(naks).hasSize(1);
            assertThat(naks.get(0).frame().psn()).isEqualTo(lost);
            assertThat(nodes.requestPsns(nodes.a))
                    .containsExactly(PSN_A, PSN_A + 1, lost, PSN_A + 3, PSN_A + 4, lost, PSN_A + 3, PSN_A + 4);
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void resumedMessageKeepsItsOpcodes() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.drop().from(nodes.a.device).psn(PSN_A + 2).first(1));
            sendFromA(nodes, 5000);

            nodes.runToRest();

            assertThat(nodes.sent(nodes.a, RC_SEND_FIRST)).hasSize(1);
            assertThat(nodes.sent(nodes.a, RC_SEND_MIDDLE)).hasSize(5);
            assertThat(nodes.sent(nodes.a, RC_SEND_LAST)).hasSize(2);
        }
    }

    @Test
    void lostLastPacketIsFoundByTheTransportTimerAndNotEarlier() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_SEND_LAST).first(1));
            sendFromA(nodes, 3000);

            nodes.runToRest();

            assertSentOnce(nodes, 3000);
            List<TraceEntry> lasts = nodes.sent(nodes.a, RC_SEND_LAST);
            assertThat(lasts).hasSize(2);
            long gap = lasts.get(1).timeNs() - lasts.get(0).timeNs();
            assertThat(gap).isBetween(TIMEOUT_14_NS, 4 * TIMEOUT_14_NS);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR)).isEmpty();
        }
    }

    @Test
    void lostAckIsRepeatedForTheDuplicateAndBothSidesCompleteOnce() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_ACKNOWLEDGE).first(1));
            sendFromA(nodes, 3000);

            nodes.runToRest();

            assertSentOnce(nodes, 3000);
            List<TraceEntry> acks = nodes.sent(nodes.b, RC_ACKNOWLEDGE);
            assertThat(acks).hasSizeGreaterThanOrEqualTo(2);
            assertThat(acks).allSatisfy(ack -> {
                assertThat(ack.frame().psn()).isEqualTo(PSN_A + 2);
                assertThat(Syndrome.isAck(ack.frame().syndrome())).isTrue();
            });
            assertThat(acks.get(1).timeNs() - acks.get(0).timeNs()).isGreaterThanOrEqualTo(TIMEOUT_14_NS);
        }
    }

    @Test
    void duplicateOfAWriteIsNotExecutedAgain() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            // The copy arrives after the second WRITE to the same place has been executed.
            nodes.fabric.addRule(
                    FrameRule.duplicate(MILLISECOND).from(nodes.a.device).psn(PSN_A));
            writeFromA(nodes, 1, 0, 1000);
            writeFromA(nodes, 2, 2000, 1000);

            nodes.runToRest();

            assertThat(nodes.b.bytes(TARGET, 1000)).isEqualTo(nodes.a.bytes(2000, 1000));
            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    void duplicatesAreAcknowledgedWithTheNewestPsn() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.duplicate(MILLISECOND).from(nodes.a.device).psn(PSN_A));
            writeFromA(nodes, 1, 0, 1000);
            writeFromA(nodes, 2, 2000, 1000);

            nodes.runToRest();

            List<TraceEntry> acks = nodes.sent(nodes.b, RC_ACKNOWLEDGE);
            assertThat(acks.get(acks.size() - 1).frame().psn()).isEqualTo(PSN_A + 1);
            assertThat(acks.get(acks.size() - 1).timeNs() - acks.get(0).timeNs())
                    .isGreaterThanOrEqualTo(MILLISECOND - 10_000);
        }
    }

    @Test
    void overtakenRequestCostsAtMostOneNak() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.delay(20_000).from(nodes.a.device).psn(PSN_A + 1).first(1));
            sendFromA(nodes, 5000);

            nodes.runToRest();

            assertSentOnce(nodes, 5000);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR)).hasSize(1);
        }
    }

    @Test
    void damagedRequestIsDroppedCountedAndSentAgain() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.corrupt().from(nodes.a.device).psn(PSN_A + 1).first(1));
            sendFromA(nodes, 5000);

            nodes.runToRest();

            assertSentOnce(nodes, 5000);
            assertThat(nodes.requestPsns(nodes.a).stream().filter(psn -> psn == PSN_A + 1))
                    .hasSize(2);
        }
    }

    @Test
    void silentPeerEndsInRetryExceededAfterOneMoreTryThanRetries() {
        ConnectOptions options =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8).retryCount(3);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            long timeoutNs = 4_096L << 8;
            nodes.fabric.addRule(FrameRule.drop().from(nodes.a.device));
            long start = nodes.fabric.nowNs();
            sendFromA(nodes, 100);

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertThat(nodes.a.completions()).hasSize(1);
            WorkCompletion failed = nodes.a.completions().get(0);
            assertThat(failed.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(failed.workRequestId()).isEqualTo(1);
            List<TraceEntry> tries = nodes.sent(nodes.a, RC_SEND_ONLY);
            assertThat(tries).hasSize(4);
            for (int i = 1; i < tries.size(); i++) {
                assertThat(tries.get(i).timeNs() - tries.get(i - 1).timeNs()).isBetween(timeoutNs, 4 * timeoutNs);
            }
            assertThat(nodes.fabric.nowNs() - start).isBetween(4 * timeoutNs, 16 * timeoutNs);
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(1);
        }
    }

    @Test
    @DisplayName(
            "§6.3, §8.5: a queue pair that fails while it waits for its turn starts no timer, and completes nothing twice")
    void failedQueuePairHasNoTimer() {
        ConnectOptions options =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8).retryCount(0);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            nodes.fabric.addRule(FrameRule.drop().from(nodes.a.device));
            // Posted at the very instant at which the first one fails: its doorbell and the time-out share a turn.
            nodes.fabric.after(4_096L << 8, () -> post(nodes, 2));
            post(nodes, 1);

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId, WorkCompletion::status)
                    .containsExactly(
                            tuple(1L, WorkCompletionStatus.RETRY_EXC_ERR),
                            tuple(2L, WorkCompletionStatus.WR_FLUSH_ERR));
            assertThat(nodes.a.counter("local_ack_timeout_error")).isEqualTo(1);
        }
    }

    private static void post(TwoNodes nodes, long id) {
        nodes.a.queuePair.postSend(Send.of(id, nodes.a.region.slice(0, 100)));
    }

    @Test
    void sendsOfEveryLengthSurviveTheWrapOfThePsn() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256), 0xFFFFFD, 0xFFFFFF);
            nodes.fabric.addRule(FrameRule.drop().from(nodes.a.device).psn(0).first(1));
            sendFromA(nodes, 3000);

            nodes.runToRest();

            assertSentOnce(nodes, 3000);
            assertThat(nodes.requestPsns(nodes.a)).startsWith(0xFFFFFD, 0xFFFFFE, 0xFFFFFF, 0, 1, 2);
        }
    }

    @Test
    void lossOfThirtyPercentOneWayIsSurvivedWhileProgressIsMade() {
        ConnectOptions options = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256).timeout(8);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            FabricOptions lossy = FabricOptions.clean().loss(0.3);
            nodes.fabric.options(nodes.a.device, nodes.b.device, lossy);
            sendFromA(nodes, 16 << 10);

            nodes.runToRest();

            assertSentOnce(nodes, 16 << 10);
        }
    }

    private static void sendFromA(TwoNodes nodes, int length) {
        nodes.b.postReceive(1001, TARGET, length);
        nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, length)).signaled());
    }

    private static void writeFromA(TwoNodes nodes, long id, int offset, int length) {
        nodes.a.queuePair.postSend(RdmaWrite.of(id, nodes.a.region.slice(offset, length))
                .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                .signaled());
    }

    private static void assertSentOnce(TwoNodes nodes, int length) {
        assertThat(nodes.a.completions()).hasSize(1);
        assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
        assertThat(nodes.b.completions()).hasSize(1);
        WorkCompletion received = nodes.b.completions().get(0);
        assertThat(received.isSuccess()).isTrue();
        assertThat(received.workRequestId()).isEqualTo(1001);
        assertThat(received.byteLength()).isEqualTo(length);
        assertThat(nodes.b.bytes(TARGET, length)).isEqualTo(nodes.a.bytes(0, length));
    }
}
