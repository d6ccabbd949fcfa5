package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_SEND_FIRST;
import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that meet no receive (§4.3, §6.3, §7.5). */
class RnrScenarioTest {
    private static final int TARGET = 32 << 10;
    private static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024);

    @Test
    void receiverNotReadyWaitsAtLeastTheTimerOfTheNak() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS.minRnrTimer(18))) {
            send(nodes, 1, 100);
            nodes.fabric.after(MILLISECOND, () -> nodes.b.postReceive(1001, TARGET, 100));

            nodes.runToRest();

            List<TraceEntry> tries = nodes.sent(nodes.a, RC_SEND_ONLY);
            assertThat(tries).hasSize(2);
            List<TraceEntry> naks = nodes.naks(nodes.b, Syndrome.rnrNak(18));
            assertThat(naks).hasSize(1);
            assertThat(naks.get(0).frame().psn()).isEqualTo(PSN_A);
            assertThat(tries.get(1).timeNs() - naks.get(0).timeNs()).isBetween(5_120_000L, 3 * 5_120_000L);
            assertThat(nodes.a.completions()).hasSize(1);
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(1001L);
            assertThat(nodes.b.bytes(TARGET, 100)).isEqualTo(nodes.a.bytes(0, 100));
        }
    }

    @Test
    void rnrWaitIsNotCutShortByTheTransportTimer() {
        // Timer 20 waits 10.24 ms, the transport timer would be over after 1 ms.
        ConnectOptions options = OPTIONS.minRnrTimer(20).timeout(8).retryCount(1);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            send(nodes, 1, 100);
            nodes.fabric.after(25 * MILLISECOND, () -> nodes.b.postReceive(1001, TARGET, 100));

            nodes.runToRest();

            List<TraceEntry> tries = nodes.sent(nodes.a, RC_SEND_ONLY);
            assertThat(tries).hasSize(4);
            for (int i = 1; i < tries.size(); i++) {
                assertThat(tries.get(i).timeNs() - tries.get(i - 1).timeNs())
                        .isGreaterThanOrEqualTo(RnrTimer.nanos(20));
            }
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
        }
    }

    @Test
    void exhaustedRnrRetriesEndInTheirOwnStatus() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS.minRnrTimer(12).rnrRetry(3))) {
            long start = nodes.fabric.nowNs();
            send(nodes, 1, 100);

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertThat(nodes.a.completions()).hasSize(1);
            WorkCompletion failed = nodes.a.completions().get(0);
            assertThat(failed.status()).isEqualTo(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY)).hasSize(4);
            assertThat(nodes.fabric.nowNs() - start).isGreaterThanOrEqualTo(3 * RnrTimer.nanos(12));
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void noRnrRetryFailsAtTheFirstNak() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS.rnrRetry(0))) {
            send(nodes, 1, 100);

            nodes.runToRest();

            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY)).hasSize(1);
            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        }
    }

    @Test
    void restOfARefusedMessageIsDroppedWithoutFurtherNaks() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS.minRnrTimer(12))) {
            send(nodes, 1, 5000);
            nodes.fabric.after(MILLISECOND / 2, () -> nodes.b.postReceive(1001, TARGET, 5000));

            nodes.runToRest();

            assertThat(nodes.sent(nodes.a, RC_SEND_FIRST)).hasSize(2);
            assertThat(nodes.naks(nodes.b, Syndrome.rnrNak(12))).hasSize(1);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_SEQUENCE_ERROR)).isEmpty();
            assertThat(nodes.b.bytes(TARGET, 5000)).isEqualTo(nodes.a.bytes(0, 5000));
        }
    }

    private static void send(TwoNodes nodes, long id, int length) {
        nodes.a.queuePair.postSend(Send.of(id, nodes.a.region.slice(0, length)).signaled());
    }
}
