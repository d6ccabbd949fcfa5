package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.Fate;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.RdmaWrite;
import org.junit.jupiter.api.Test;

/** A slow direction takes as long as its bandwidth says, and its queue loses what it cannot hold. */
class BandwidthScenarioTest {
    private static final int MESSAGE = 1 << 20;
    private static final int MTU = 4096;

    /** BTH, RETH and ICRC; a middle packet has no RETH, which this neglects. */
    private static final int FRAME = MTU + 16;

    @Test
    void aMessageTakesAsLongAsItsFramesTake() {
        FabricOptions slow = FabricOptions.clean().bandwidth(1_000_000_000L);
        try (TwoNodes nodes = writeOver(slow)) {
            long leastNs = (MESSAGE / MTU) * slow.leavingNs(FabricOptions.wireBytes(FRAME, true));

            long took = nodes.fabric.nowNs() - Fabric.START_NS;

            assertThat(took).isBetween(leastNs, leastNs + leastNs / 50);
            assertThat(nodes.a.counter("retransmitted_packets")).isZero();
        }
    }

    @Test
    void aFullQueueLosesFramesAndTheMessageArrivesAllTheSame() {
        FabricOptions slow = FabricOptions.clean().bandwidth(1_000_000_000L).queueFrames(16);
        try (TwoNodes nodes = writeOver(slow)) {
            assertThat(nodes.a.counter("retransmitted_packets")).isPositive();
            assertThat(nodes.fabric.trace().entries())
                    .anySatisfy(entry -> assertThat(entry.fates()).containsExactly(Fate.QUEUE_FULL));
        }
    }

    private static TwoNodes writeOver(FabricOptions options) {
        TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MESSAGE);
        nodes.connect(ConnectOptions.DEFAULT);
        nodes.fabric.options(nodes.a.device, nodes.b.device, options);
        nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.all())
                .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                .signaled());

        nodes.runUntilCompletions(nodes.a, 1, 10 * SECOND);

        assertThat(nodes.a.completions()).hasSize(1);
        assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
        assertThat(nodes.a.memory.mismatch(nodes.b.memory)).isEqualTo(-1);
        return nodes;
    }
}
