package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages far longer than what may be under way to a peer at once (architecture §2). */
class BudgetScenarioTest {
    private static final int MESSAGE = 64 << 20;

    /** What a READ REQUEST asks for at most, and what the fabric says a receive buffer holds. */
    private static final int READ_REQUEST = 256 << 10;

    private static final int RECEIVE_BUFFER = 4 << 20;

    @Test
    void longReadGoesInPartsAndNeverOverrunsTheReceiver() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MESSAGE)) {
            nodes.connect(ConnectOptions.DEFAULT);
            nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.all())
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertComplete(nodes);
            assertThat(nodes.sent(nodes.a, Opcode.RC_RDMA_READ_REQUEST)).hasSize(MESSAGE / READ_REQUEST);
            assertThat(mostBytesAskedFor(nodes.fabric.trace().entries())).isBetween(READ_REQUEST, RECEIVE_BUFFER);
        }
    }

    @Test
    void longReadSurvivesLoss() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 8 << 20)) {
            nodes.connect(ConnectOptions.DEFAULT.timeout(10));
            nodes.fabric.options(FabricOptions.clean().loss(0.01));
            nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.all())
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runUntilCompletions(nodes.a, 1, 10 * SECOND);

            assertComplete(nodes);
        }
    }

    @Test
    void longWriteKeepsWithinTheBudget() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 8 << 20)) {
            nodes.connect(ConnectOptions.DEFAULT);
            nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.all())
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertComplete(nodes);
            assertThat(mostBytesUnacknowledged(nodes.fabric.trace().entries())).isLessThanOrEqualTo(RECEIVE_BUFFER);
        }
    }

    private static void assertComplete(TwoNodes nodes) {
        assertThat(nodes.a.completions()).hasSize(1);
        WorkCompletion done = nodes.a.completions().get(0);
        assertThat(done.isSuccess()).as("%s: %s", done.status(), done.cause()).isTrue();
        assertThat(nodes.a.memory.mismatch(nodes.b.memory)).isEqualTo(-1);
    }

    private static int mostBytesAskedFor(List<TraceEntry> entries) {
        int open = 0;
        int most = 0;
        for (TraceEntry entry : entries) {
            if (entry.frame().opcode() == Opcode.RC_RDMA_READ_REQUEST) {
                open += READ_REQUEST;
            } else if (entry.frame().opcode().operation() == Operation.READ_RESPONSE) {
                open -= entry.frame().payloadLength();
            }
            most = Math.max(most, open);
        }
        return most;
    }

    private static int mostBytesUnacknowledged(List<TraceEntry> entries) {
        int mtu = 4096;
        int newest = TwoNodes.PSN_A - 1;
        int acknowledged = newest;
        int most = 0;
        for (TraceEntry entry : entries) {
            if (entry.frame().opcode() == Opcode.RC_ACKNOWLEDGE) {
                acknowledged = entry.frame().psn();
            } else {
                newest = Math.max(newest, entry.frame().psn());
            }
            most = Math.max(most, (newest - acknowledged) * mtu);
        }
        return most;
    }
}
