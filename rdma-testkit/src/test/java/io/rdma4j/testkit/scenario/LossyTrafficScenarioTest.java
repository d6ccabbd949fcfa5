package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Five minutes of everything on a network that loses frames, then a cut. */
class LossyTrafficScenarioTest {
    private static final int MEMORY = 1 << 16;
    private static final int HALF = MEMORY / 2;
    private static final int DEPTH = 8;
    private static final long EVERY_NS = 60 * MILLISECOND;
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(12).minRnrTimer(12);

    /** One side that keeps a few requests of every kind posted. */
    private static final class Talker {
        private final TwoNodes nodes;
        private final Node from;
        private final Node to;
        private final SplittableRandom random;
        private int outstanding;
        private long done;
        private long lastProgressNs;
        private long longestPauseNs;

        Talker(TwoNodes nodes, Node from, Node to, long seed) {
            this.nodes = nodes;
            this.from = from;
            this.to = to;
            this.random = new SplittableRandom(seed);
            this.lastProgressNs = nodes.fabric.nowNs();
        }

        void talk(long untilNs) {
            reap();
            while (outstanding < DEPTH) {
                postAny();
            }
            if (nodes.fabric.nowNs() < untilNs) {
                nodes.fabric.after(EVERY_NS, () -> talk(untilNs));
            }
        }

        private void postAny() {
            outstanding++;
            int length = random.nextInt(1, 8_000);
            long target = to.region.address() + HALF;
            int key = to.region.remoteKey();
            switch (random.nextInt(4)) {
                case 0 -> {
                    to.postReceive(2, HALF, HALF);
                    from.queuePair.postSend(
                            Send.of(1, from.region.slice(0, length)).signaled());
                }
                case 1 ->
                    from.queuePair.postSend(RdmaWrite.of(1, from.region.slice(0, length))
                            .to(target, key)
                            .signaled());
                case 2 ->
                    from.queuePair.postSend(RdmaRead.of(1, from.region.slice(0, length))
                            .from(target, key)
                            .signaled());
                default ->
                    from.queuePair.postSend(FetchAndAdd.of(1, from.region.slice(0, 8), 1)
                            .at(target, key)
                            .signaled());
            }
        }

        private void reap() {
            for (WorkCompletion completion : from.completions()) {
                assertThat(completion.isSuccess()).as(completion.cause()).isTrue();
                if (completion.workRequestId() == 1) {
                    outstanding--;
                    done++;
                    long now = nodes.fabric.nowNs();
                    longestPauseNs = Math.max(longestPauseNs, now - lastProgressNs);
                    lastProgressNs = now;
                }
            }
            from.completions().clear();
        }
    }

    @Test
    @DisplayName(
            "bug/4: 300 s of mixed traffic with 1 % loss never pause for 5 s; a cut link ends in errors and idleness")
    void mixedTrafficOnALossyNetwork() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MEMORY)) {
            nodes.connect(OPTIONS);
            nodes.fabric.options(FabricOptions.clean().loss(0.01).delay(20_000));
            Talker a = new Talker(nodes, nodes.a, nodes.b, 1);
            Talker b = new Talker(nodes, nodes.b, nodes.a, 2);
            long end = nodes.fabric.nowNs() + 300 * SECOND;

            a.talk(end);
            b.talk(end);
            nodes.fabric.runFor(300 * SECOND);

            assertThat(a.done).isGreaterThan(10_000);
            assertThat(b.done).isGreaterThan(10_000);
            assertThat(Math.max(a.longestPauseNs, b.longestPauseNs)).isLessThan(5 * SECOND);
            assertThat(nodes.a.counter("retransmitted_packets")).isPositive();
            // Bounded work: recovery does not go round in circles.
            assertThat(nodes.a.device.turns() + nodes.b.device.turns())
                    .isLessThan(4 * nodes.fabric.trace().count() + 8 * (300 * SECOND / EVERY_NS));

            cutAndRest(nodes);
        }
    }

    private static void cutAndRest(TwoNodes nodes) {
        nodes.a.device.linkDown();
        nodes.a.completions().clear();
        nodes.b.completions().clear();
        nodes.a.queuePair.postSend(RdmaWrite.of(7, nodes.a.region.slice(0, 100))
                .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                .signaled());
        nodes.fabric.runFor(5 * SECOND); // eight time-outs of at most four times 17 ms

        assertThat(nodes.a.completions())
                .extracting(WorkCompletion::status)
                .contains(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
        long turns = nodes.a.device.turns() + nodes.b.device.turns();
        nodes.fabric.runFor(100 * SECOND);
        assertThat(nodes.a.device.turns() + nodes.b.device.turns())
                .as("idle: nothing is due any more")
                .isEqualTo(turns);
    }
}
