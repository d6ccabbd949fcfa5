package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.Fate;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PortState;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A pulled cable, and one that is put back (§10). */
class LinkStateScenarioTest {
    @Test
    @DisplayName("§10: link down and up change the port's state and raise PORT_ERR and PORT_ACTIVE, once each")
    void thePortFollowsTheLink() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.a.device.linkDown();
            nodes.a.device.linkDown();

            assertThat(nodes.a.device.rdma().port().state()).isEqualTo(PortState.DOWN);
            assertThat(nodes.b.device.rdma().port().state()).isEqualTo(PortState.ACTIVE);
            assertThat(nodes.a.nextAsyncEvent()).isEqualTo(new AsyncEvent(AsyncEventType.PORT_ERR, 1));
            assertThat(nodes.a.nextAsyncEvent()).isNull();

            nodes.a.device.linkUp();
            nodes.a.device.linkUp();

            assertThat(nodes.a.device.rdma().port().state()).isEqualTo(PortState.ACTIVE);
            assertThat(nodes.a.nextAsyncEvent()).isEqualTo(new AsyncEvent(AsyncEventType.PORT_ACTIVE, 1));
            assertThat(nodes.a.nextAsyncEvent()).isNull();
            assertThat(nodes.b.nextAsyncEvent()).isNull();
        }
    }

    @Test
    @DisplayName("§6.3: traffic survives a cut that is shorter than the retries last")
    void trafficGoesOnAfterAShortCut() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            write(nodes, 1, 40_000);
            nodes.fabric.runFor(500); // the window is under way
            nodes.b.device.linkDown();
            nodes.fabric.runFor(150 * MILLISECOND); // two time-outs of 67 ms
            nodes.b.device.linkUp();

            nodes.runToRest();

            assertThat(nodes.a.completions()).hasSize(1);
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
            assertThat(nodes.fabric.trace().entries())
                    .anySatisfy(entry -> assertThat(entry.fates()).containsExactly(Fate.LINK_DOWN));
        }
    }

    @Test
    @DisplayName("§6.3: a cut that lasts ends in RETRY_EXC_ERR, and then the device is idle")
    void aLongCutEndsTheConnection() {
        ConnectOptions options = ConnectOptions.DEFAULT.timeout(10).retryCount(3);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            nodes.a.device.linkDown();
            write(nodes, 1, 100);
            write(nodes, 2, 100);

            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(done -> done.status())
                    .containsExactly(WorkCompletionStatus.RETRY_EXC_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
            long turns = nodes.a.device.turns();
            nodes.fabric.runFor(100 * SECOND);
            assertThat(nodes.a.device.turns()).isEqualTo(turns);
        }
    }

    @Test
    void framesUnderWayWhenTheCableIsPulledAreLost() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.fabric.options(FabricOptions.clean().delay(MILLISECOND));
            write(nodes, 1, 100);
            nodes.fabric.runFor(MILLISECOND / 2);
            nodes.b.device.linkDown();
            nodes.fabric.runFor(2 * MILLISECOND);
            nodes.b.device.linkUp();
            nodes.fabric.runFor(2 * MILLISECOND);

            assertThat(nodes.b.counter("received_packets")).isZero();
            nodes.runToRest();
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
        }
    }

    private static void write(TwoNodes nodes, long id, int length) {
        nodes.a.queuePair.postSend(RdmaWrite.of(id, nodes.a.region.slice(0, length))
                .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                .signaled());
    }
}
