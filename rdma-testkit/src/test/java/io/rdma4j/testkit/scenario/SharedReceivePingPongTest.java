package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What ibv_srq_pingpong does: two connections, and one shared receive queue on each side. */
class SharedReceivePingPongTest {
    private static final int LENGTH = 500;
    private static final int ITERATIONS = 4;
    private static final int CONNECTIONS = 2;

    /** One side: it answers what it receives, on the connection that it came by. */
    private static final class Player implements AutoCloseable {
        private final Node node;
        private final SharedReceiveQueue shared;
        private final List<QueuePair> queuePairs = new ArrayList<>();
        private final int[] received = new int[CONNECTIONS];
        private final int[] sent = new int[CONNECTIONS];
        private int seen;

        Player(Node node) {
            this.node = node;
            shared = node.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(CONNECTIONS * ITERATIONS, 1));
            for (int i = 0; i < CONNECTIONS; i++) {
                queuePairs.add(node.domain.createQueuePair(
                        QueuePairConfig.reliable(node.completionQueue).sharedReceiveQueue(shared)));
            }
            for (int i = 0; i < CONNECTIONS * ITERATIONS; i++) {
                shared.postReceive(ReceiveRequest.of(i, node.region.slice(LENGTH, LENGTH)));
            }
        }

        void send(int connection) {
            sent[connection]++;
            queuePairs
                    .get(connection)
                    .postSend(Send.of(1, node.region.slice(0, LENGTH)).signaled());
        }

        /** Plays on as long as it has balls left; whether it has received all of them. */
        boolean play() {
            List<WorkCompletion> done = node.completions();
            for (; seen < done.size(); seen++) {
                WorkCompletion next = done.get(seen);
                assertThat(next.isSuccess()).as(next.toString()).isTrue();
                int connection = queuePairs.get(0).number() == next.queuePairNumber() ? 0 : 1;
                if (next.opcode() == WorkCompletionOpcode.RECV) {
                    assertThat(next.byteLength()).isEqualTo(LENGTH);
                    received[connection]++;
                    if (sent[connection] < ITERATIONS) {
                        send(connection);
                    }
                }
            }
            return received[0] == ITERATIONS && received[1] == ITERATIONS;
        }

        @Override
        public void close() {
            queuePairs.forEach(QueuePair::close);
            shared.close();
        }
    }

    @Test
    @DisplayName(
            "§12: ping-pong over two connections takes one receive a message, and looks on the wire as with soft-RoCE")
    void pingPong() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16);
                Player a = new Player(nodes.a);
                Player b = new Player(nodes.b)) {
            ConnectOptions options = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024);
            new ConnectionEnd(a.queuePairs.get(0), 0x54615E)
                    .connect(new ConnectionEnd(b.queuePairs.get(0), 0xD181A4), options);
            new ConnectionEnd(a.queuePairs.get(1), 0xD752F0)
                    .connect(new ConnectionEnd(b.queuePairs.get(1), 0x1B67F5), options);
            a.send(0);
            a.send(1);

            assertThat(nodes.fabric.runUntil(() -> a.play() & b.play(), SECOND)).isTrue();
            nodes.runToRest();

            assertThat(shown(nodes, b.queuePairs.get(0), a.queuePairs.get(0)))
                    .containsExactlyElementsOf(expected(0x54615E, 0xD181A4));
            assertThat(shown(nodes, b.queuePairs.get(1), a.queuePairs.get(1)))
                    .containsExactlyElementsOf(expected(0xD752F0, 0x1B67F5));
            assertThat(nodes.b.completions())
                    .filteredOn(done -> done.opcode() == WorkCompletionOpcode.RECV)
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        }
    }

    /** The frames of a connection, in order. */
    private static List<String> shown(TwoNodes nodes, QueuePair b, QueuePair a) {
        return nodes.fabric.trace().entries(frame -> isTo(frame, "b", b) || isTo(frame, "a", a)).stream()
                .map(TraceEntry::frame)
                .map(frame -> frame.from() + " " + frame.opcode() + " " + frame.psn()
                        + (frame.opcode() == Opcode.RC_ACKNOWLEDGE ? "" : " A=" + frame.ackRequest()))
                .toList();
    }

    private static boolean isTo(FrameView frame, String node, QueuePair queuePair) {
        return frame.to().equals(node) && frame.queuePair() == queuePair.number();
    }

    private static List<String> expected(int psnA, int psnB) {
        List<String> frames = new ArrayList<>();
        for (int i = 0; i < ITERATIONS; i++) {
            frames.add("a RC_SEND_ONLY " + (psnA + i) + " A=true");
            frames.add("b RC_ACKNOWLEDGE " + (psnA + i));
            frames.add("b RC_SEND_ONLY " + (psnB + i) + " A=true");
            frames.add("a RC_ACKNOWLEDGE " + (psnB + i));
        }
        return frames;
    }
}
