package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Completion queues under traffic (§10). */
class CompletionQueueScenarioTest {
    private static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024);
    private static final int WRITES = 400;
    private static final int OUTSTANDING = 16;

    /** Keeps writes outstanding on the nodes' own queue pairs and counts what succeeded. */
    private static final class Traffic {
        private final TwoNodes nodes;
        private int posted;

        Traffic(TwoNodes nodes) {
            this.nodes = nodes;
            nodes.fabric.options(FabricOptions.clean().delay(10_000)); // so that it lasts a while
        }

        boolean isDone() {
            List<WorkCompletion> done = nodes.a.completions();
            while (posted < WRITES && posted - done.size() < OUTSTANDING) {
                nodes.a.queuePair.postSend(RdmaWrite.of(++posted, nodes.a.region.slice(0, 9_001))
                        .to(nodes.b.region.address(), nodes.b.region.remoteKey())
                        .signaled());
            }
            return done.size() == WRITES;
        }
    }

    private static QueuePair connected(
            TwoNodes nodes, CompletionQueue sends, CompletionQueue receives, QueuePair peer) {
        QueuePair qp = nodes.b.domain.createQueuePair(QueuePairConfig.reliable(sends, receives));
        new ConnectionEnd(peer, 11).connect(new ConnectionEnd(qp, 22), OPTIONS);
        return qp;
    }

    private static List<AsyncEvent> events(Node node) {
        List<AsyncEvent> events = new ArrayList<>();
        AsyncEvent next = node.nextAsyncEvent();
        while (next != null) {
            events.add(next);
            next = node.nextAsyncEvent();
        }
        return events;
    }

    @Test
    @DisplayName("§10, §8.1: an overrun under traffic fails the queue pairs on that queue, once, and nobody else")
    void overrunUnderTraffic() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            CompletionQueue small = nodes.b.device.rdma().createCompletionQueue(3);
            CompletionQueue large = nodes.b.device.rdma().createCompletionQueue(64);
            QueuePair sender = nodes.a.domain.createQueuePair(
                    QueuePairConfig.reliable(nodes.a.device.rdma().createCompletionQueue(64)));
            QueuePair idlePeer = nodes.a.createQueuePair();
            QueuePair receiver = connected(nodes, large, small, sender);
            QueuePair bystander = connected(nodes, small, large, idlePeer);
            for (int i = 0; i < 8; i++) {
                receiver.postReceive(ReceiveRequest.of(i));
                bystander.postReceive(ReceiveRequest.of(100 + i));
            }
            Traffic traffic = new Traffic(nodes);
            nodes.fabric.after(MILLISECOND / 10, () -> {
                for (int i = 0; i < 5; i++) {
                    sender.postSend(Send.of(i).signaled());
                }
            });

            assertThat(nodes.fabric.runUntil(traffic::isDone, SECOND)).isTrue();

            assertThat(nodes.a.completions()).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.RTS);
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTS);
            assertThat(nodes.b.bytes(0, 9_001)).isEqualTo(nodes.a.bytes(0, 9_001));
            assertThat(events(nodes.b))
                    .containsExactlyInAnyOrder(
                            new AsyncEvent(AsyncEventType.CQ_ERR, small.number()),
                            new AsyncEvent(AsyncEventType.QP_FATAL, receiver.number()),
                            new AsyncEvent(AsyncEventType.QP_FATAL, bystander.number()))
                    .first()
                    .isEqualTo(new AsyncEvent(AsyncEventType.CQ_ERR, small.number()));
            assertThat(events(nodes.a)).isEmpty();
            assertThat(receiver.state()).isEqualTo(QueuePairState.ERR);
            assertThat(bystander.state()).isEqualTo(QueuePairState.ERR);
            assertOverrun(small, large, sender);
            sender.close();
            receiver.close();
            bystander.close();
        }
    }

    /** Three receives were reported, the fourth was lost, and the peer learns that it failed. */
    private static void assertOverrun(CompletionQueue small, CompletionQueue large, QueuePair sender) {
        WorkCompletion[] done = WorkCompletion.array(16);
        assertThat(small.poll(done)).isEqualTo(3);
        assertThat(done).extracting(WorkCompletion::workRequestId).startsWith(0L, 1L, 2L);
        assertThatThrownBy(() -> small.poll(done))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EIO));
        assertThat(large.poll(done)).as("receives of the bystander").isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            assertThat(done[i].workRequestId()).isEqualTo(100 + i);
            assertThat(done[i].status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(done[i].cause()).contains("completion queue overrun");
        }
        assertThat(sender.sendCompletionQueue().poll(done)).isEqualTo(5);
        assertThat(done)
                .extracting(WorkCompletion::status)
                .startsWith(
                        WorkCompletionStatus.SUCCESS,
                        WorkCompletionStatus.SUCCESS,
                        WorkCompletionStatus.SUCCESS,
                        WorkCompletionStatus.REM_OP_ERR,
                        WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("§10: a queue that grows and shrinks under traffic loses and reorders nothing")
    void resizeUnderTraffic() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            Traffic traffic = new Traffic(nodes);
            int[] sizes = {OUTSTANDING, 1000, OUTSTANDING + 1, 64};
            for (int i = 0; i < 200; i++) {
                int size = sizes[i % sizes.length];
                nodes.fabric.after(i * 5_000L, () -> nodes.a.completionQueue.resize(size));
            }

            assertThat(nodes.fabric.runUntil(traffic::isDone, SECOND)).isTrue();

            assertThat(nodes.fabric.nowNs())
                    .as("it went on while the size changed")
                    .isGreaterThan(1_000_100_000L);
            List<WorkCompletion> done = nodes.a.completions();
            for (int i = 0; i < WRITES; i++) {
                assertThat(done.get(i).isSuccess()).isTrue();
                assertThat(done.get(i).workRequestId()).isEqualTo(i + 1);
            }
            assertThat(events(nodes.a)).isEmpty();
        }
    }
}
