package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §9: SQD and the states around it, between two devices. */
class DrainScenarioTest {
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(10).maxReadAtomic(2);
    private static final int REQUESTS = 60;
    private static final int BYTES = 3000;

    private static final QueuePairAttributes DRAIN = QueuePairAttributes.builder()
            .state(QueuePairState.SQD)
            .sqdAsyncNotify(true)
            .build();

    /** WRITEs and READs in turn, all signaled. */
    private static void postAll(TwoNodes nodes) {
        long remote = nodes.b.region.address() + (32 << 10);
        int key = nodes.b.region.remoteKey();
        for (int i = 0; i < REQUESTS; i++) {
            nodes.a.queuePair.postSend(
                    i % 3 == 0
                            ? RdmaRead.of(i, nodes.a.region.slice(32 << 10, BYTES))
                                    .from(remote, key)
                                    .signaled()
                            : RdmaWrite.of(i, nodes.a.region.slice(0, BYTES))
                                    .to(remote, key)
                                    .signaled());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName(
            "§9: drained under loss, wherever it is in its work: one event, silence until RTS, nothing lost or twice")
    void drainsUnderLoss(int place) {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            nodes.fabric.options(FabricOptions.clean().loss(0.1));
            postAll(nodes);
            nodes.fabric.runUntil(() -> nodes.a.completions().size() >= place * 6, 10 * SECOND);
            nodes.a.queuePair.modify(DRAIN);
            // Not asked of the queue pair: a query is a command, and makes events of its own.
            List<String> events = ErrorBed.events(nodes.a);
            nodes.fabric.runUntil(() -> events.addAll(ErrorBed.events(nodes.a)) || !events.isEmpty(), 10 * SECOND);
            assertThat(events).containsExactly("SQ_DRAINED");
            assertThat(nodes.a.queuePair.query().isSendQueueDraining()).isFalse();

            int done = nodes.a.completions().size();
            assertThat(done).isLessThan(REQUESTS);
            int sent = nodes.requestPsns(nodes.a).size();
            nodes.fabric.runFor(SECOND);
            assertThat(nodes.requestPsns(nodes.a)).hasSize(sent);
            assertThat(nodes.a.completions()).hasSize(done);

            nodes.a.queuePair.modify(QueuePairAttributes.builder()
                    .timeout(8)
                    .retryCount(7)
                    .maxReadAtomic(1)
                    .build());
            nodes.a.queuePair.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RTS).build());
            nodes.runUntilCompletions(nodes.a, REQUESTS, 10 * SECOND);
            List<WorkCompletion> all = nodes.a.completions();
            assertThat(all).allMatch(WorkCompletion::isSuccess).hasSize(REQUESTS);
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(all.get(i).workRequestId()).isEqualTo(i);
            }
            assertThat(nodes.b.bytes(32 << 10, BYTES)).isEqualTo(nodes.a.bytes(0, BYTES));
            assertThat(ErrorBed.events(nodes.a)).isEmpty();
        }
    }

    @Test
    @DisplayName("§9: a peer that is gone ends the draining with RETRY_EXC_ERR, and all that was posted is flushed")
    void peerGoneWhileDraining() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS.timeout(8).retryCount(1))) {
            nodes.b.queuePair.close();
            postAll(nodes);
            nodes.fabric.runFor(1_000);
            nodes.a.queuePair.modify(DRAIN);
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(REQUESTS).noneMatch(WorkCompletion::isSuccess);
            assertThat(nodes.a.queuePair.query().state()).isEqualTo(QueuePairState.ERR);
            assertThat(ErrorBed.events(nodes.a)).isEmpty();
        }
    }

    @Test
    @DisplayName("§8.1, §9: a responder in RTR serves its peer; the first packet raises COMM_EST, once")
    void readyToReceive() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16)) {
            ConnectionEnd a = new ConnectionEnd(nodes.a.queuePair, TwoNodes.PSN_A);
            ConnectionEnd b = new ConnectionEnd(nodes.b.queuePair, TwoNodes.PSN_B);
            a.prepare(b, OPTIONS);
            b.prepare(a, OPTIONS);
            a.start(OPTIONS);
            nodes.b.postReceive(1001, 0, 100);
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 10)).signaled());
            nodes.a.queuePair.postSend(RdmaRead.of(2, nodes.a.region.slice(0, 10))
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());
            nodes.runUntilCompletions(nodes.a, 2, MILLISECOND);
            assertThat(nodes.a.completions())
                    .allMatch(WorkCompletion::isSuccess)
                    .hasSize(2);
            assertThat(nodes.b.completions())
                    .allMatch(WorkCompletion::isSuccess)
                    .hasSize(1);
            assertThat(ErrorBed.events(nodes.b)).containsExactly("COMM_EST");
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTR);
        }
    }
}
