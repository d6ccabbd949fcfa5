package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** §8.3: what a requester makes of each syndrome, whoever sent it. */
class NakScenarioTest {
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8);

    private static void postWrite(TwoNodes nodes) {
        nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.slice(0, 3000))
                .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                .signaled());
    }

    @ParameterizedTest
    @CsvSource({"0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR", "0x64, REM_INV_RD_REQ_ERR"})
    @DisplayName(
            "§8.3: a fatal NAK in the middle of a message: its status, its syndrome as vendor error, all behind flushed")
    void fatal(String syndrome, WorkCompletionStatus status) {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            int code = Integer.decode(syndrome);
            nodes.fabric.addRule(FrameRule.nak(code).psn(PSN_A + 1).first(1));
            postWrite(nodes);
            nodes.a.queuePair.postSend(Send.of(2));
            nodes.fabric.runFor(SECOND);
            List<WorkCompletion> done = nodes.a.completions();
            assertThat(done)
                    .extracting(WorkCompletion::status)
                    .containsExactly(status, WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(done).extracting(WorkCompletion::vendorError).containsExactly(code, 0);
            assertThat(done.get(0).cause()).contains("RDMA_WRITE of 3000 bytes", "PSN 0x000101");
            assertThat(done.get(1).cause()).contains(done.get(0).cause());
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x60, 0x21, 0x40, 0x65, 0x7F, 0x80, 0xFF})
    @DisplayName("§8.3: a sequence NAK, an RNR NAK and reserved syndromes fail nothing: the request is sent again")
    void harmless(int syndrome) {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            nodes.fabric.addRule(FrameRule.nak(syndrome).psn(PSN_A + 1).first(1));
            postWrite(nodes);
            nodes.runUntilCompletions(nodes.a, 1, SECOND);
            assertThat(nodes.a.completions())
                    .allMatch(WorkCompletion::isSuccess)
                    .hasSize(1);
            assertThat(nodes.b.bytes(0, 3000)).isEqualTo(nodes.a.bytes(0, 3000));
            boolean isReserved = syndrome != 0x60 && syndrome != 0x21;
            assertThat(nodes.a.counter("dropped_reserved_syndrome")).isEqualTo(isReserved ? 1 : 0);
        }
    }
}
