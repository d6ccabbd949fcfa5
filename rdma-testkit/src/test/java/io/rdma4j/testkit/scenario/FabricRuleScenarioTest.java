package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_ACKNOWLEDGE;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_WRITE_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.Fate;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.RuleInForce;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the fabric do what they say, and real devices take it as the specification has it. */
class FabricRuleScenarioTest {
    private static final int TARGET = 32 << 10;

    @Test
    void aReorderedFrameArrivesRightAfterTheFramesItWaitsFor() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            RuleInForce rule = nodes.fabric.addRule(
                    FrameRule.reorder(2).from(nodes.a.device).psn(PSN_A).first(1));
            write(nodes, 1, 5_000);

            nodes.runToRest();

            assertCompleted(nodes, 1);
            assertThat(rule.acted()).isEqualTo(1);
            assertThat(first(nodes, PSN_A).fates()).containsExactly(Fate.REORDERED);
            // Two frames came before the expected one: the gap is told once (§5).
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR)).hasSize(1);
        }
    }

    @Test
    void aReorderedFrameThatNothingFollowsArrivesLate() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.reorder(5).from(nodes.a.device).first(1));
            write(nodes, 1, 100);

            nodes.runToRest();

            assertCompleted(nodes, 1);
            List<TraceEntry> acks = nodes.sent(nodes.b, RC_ACKNOWLEDGE);
            assertThat(acks.get(0).timeNs() - first(nodes, PSN_A).timeNs())
                    .isBetween(FrameRule.MAX_HOLD_NS, FrameRule.MAX_HOLD_NS + 100_000);
        }
    }

    @Test
    void aRuleForOneQueuePairLeavesTheOthersAlone() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            QueuePair otherA = nodes.a.createQueuePair();
            QueuePair otherB = nodes.b.createQueuePair();
            new ConnectionEnd(otherA, 5).connect(new ConnectionEnd(otherB, 6), ConnectOptions.DEFAULT);
            RuleInForce rule =
                    nodes.fabric.addRule(FrameRule.drop().queuePair(otherB).first(3));
            write(nodes, 1, 5_000);
            otherA.postSend(RdmaWrite.of(2, nodes.a.region.slice(0, 5_000))
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertCompleted(nodes, 2);
            assertThat(rule.acted()).isEqualTo(3);
            List<TraceEntry> dropped = nodes.fabric.trace().entries().stream()
                    .filter(entry -> entry.fates().contains(Fate.DROPPED))
                    .toList();
            assertThat(dropped)
                    .hasSize(3)
                    .allSatisfy(entry -> assertThat(entry.frame().queuePair()).isEqualTo(otherB.number()));
        }
    }

    @ParameterizedTest
    @CsvSource({"0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR", "0x64, REM_INV_RD_REQ_ERR"})
    @DisplayName("§8.3: a forged NAK ends the request as a true one would")
    void aForgedFatalNakEndsTheRequest(int syndrome, WorkCompletionStatus status) {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.nak(syndrome).from(nodes.a.device).nth(2));
            write(nodes, 1, 100);
            write(nodes, 2, 100);
            write(nodes, 3, 100);

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId, WorkCompletion::status)
                    .containsExactly(
                            tuple(1L, WorkCompletionStatus.SUCCESS),
                            tuple(2L, status),
                            tuple(3L, WorkCompletionStatus.WR_FLUSH_ERR));
            TraceEntry nak = nodes.naks(nodes.b, syndrome).get(0);
            assertThat(nak.fates()).containsExactly(Fate.FORGED);
            assertThat(nak.frame().psn()).isEqualTo(PSN_A + 1);
            assertThat(nak.frame().queuePair()).isEqualTo(nodes.a.queuePair.number());
            assertThat(first(nodes, PSN_A + 1).fates()).containsExactlyInAnyOrder(Fate.NAKED, Fate.DROPPED);
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§6.3: a forged RNR NAK makes the requester wait at least as long as it says")
    void aForgedRnrNakMakesTheRequesterWait() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            int code = 20;
            nodes.fabric.addRule(FrameRule.rnrNak(code).first(1));
            write(nodes, 1, 100);

            nodes.runToRest();

            assertCompleted(nodes, 1);
            List<TraceEntry> tries = nodes.sent(nodes.a, RC_RDMA_WRITE_ONLY);
            assertThat(tries).hasSize(2);
            assertThat(tries.get(1).timeNs() - tries.get(0).timeNs())
                    .isBetween(RnrTimer.nanos(code), RnrTimer.nanos(code) + MILLISECOND);
            assertThat(nodes.a.counter("rnr_nak_received")).isEqualTo(1);
            assertThat(nodes.b.counter("rnr_nak_sent")).isZero();
        }
    }

    @Test
    @DisplayName("§5: a forged sequence NAK has the expected PSN, and that of a delivered request repeats it once")
    void aForgedSequenceNakInAdditionRepeatsTheRequest() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(
                    FrameRule.nak(Syndrome.NAK_SEQUENCE_ERROR).andDeliver().first(1));
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_ACKNOWLEDGE).first(1)); // no rule touches what is forged
            write(nodes, 1, 100);

            nodes.runToRest();

            assertCompleted(nodes, 1);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR)).hasSize(1);
            assertThat(nodes.requestPsns(nodes.a)).containsExactly(PSN_A, PSN_A);
            assertThat(nodes.b.counter("duplicate_request")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§4.1: a reserved syndrome is dropped, and the time-out recovers")
    void aForgedReservedSyndromeIsIgnored() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.nak(0x40).first(1));
            write(nodes, 1, 100);

            nodes.runToRest();

            assertCompleted(nodes, 1);
            assertThat(nodes.a.counter("local_ack_timeout_error")).isEqualTo(1);
        }
    }

    @Test
    void lateTurnsCostTimeAndNothingElse() {
        try (TwoNodes nodes = TwoNodes.connected();
                TwoNodes prompt = TwoNodes.connected()) {
            nodes.a.device.lateTurns(200_000);
            nodes.b.device.lateTurns(200_000);
            for (TwoNodes each : List.of(nodes, prompt)) {
                for (int i = 0; i < 20; i++) {
                    write(each, i, 3_000);
                    each.runUntilCompletions(each.a, i + 1, SECOND);
                }
                assertCompleted(each, 20);
            }

            assertThat(nodes.fabric.nowNs() - prompt.fabric.nowNs()).isBetween(20 * 50_000L, 20 * 1_000_000L);
            assertThat(nodes.a.counter("retransmitted_packets")).isZero();
        }
    }

    @Test
    void theFabricSaysInWordsWhatIsWrongWithIt() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_ACKNOWLEDGE).first(1));
            write(nodes, 1, 100);
            nodes.runToRest();
            nodes.fabric.clearRules();
            nodes.fabric.addRule(FrameRule.corrupt().nth(7));
            nodes.b.device.linkDown();
            nodes.a.device.lateTurns(5);

            assertThat(nodes.fabric.describe())
                    .contains("seed 1\n")
                    .contains("a->b: delay 1000 ns\n")
                    .contains("rule: drop the 1st frame: RC_ACKNOWLEDGE (matched 2, acted on 1, ended)\n")
                    .contains("rule: corrupt the 7th frame (matched 0, acted on 0)\n")
                    .contains("b: link down\n")
                    .contains("a: turns up to 5 ns late\n");
        }
    }

    private static void write(TwoNodes nodes, long id, int length) {
        nodes.a.queuePair.postSend(RdmaWrite.of(id, nodes.a.region.slice(0, length))
                .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                .signaled());
    }

    private static void assertCompleted(TwoNodes nodes, int count) {
        assertThat(nodes.a.completions())
                .hasSize(count)
                .allSatisfy(
                        done -> assertThat(done.isSuccess()).as(done.cause()).isTrue());
    }

    /** The first frame that A sent with a PSN. */
    private static TraceEntry first(TwoNodes nodes, int psn) {
        return nodes.fabric
                .trace()
                .entries(frame -> frame.from().equals("a") && frame.psn() == psn)
                .get(0);
    }
}
