package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The longest message there is, and programs that run for long (§6.1(11)). */
class LongMessageScenarioTest {
    private static final long LONGEST = 1L << 31;
    private static final int MTU = 4096;

    /** Of the two ends' memory: each is one buffer many times over, of lengths that fall apart at once. */
    private static final int SOURCE_BYTES = (1 << 20) + 3;

    private static final int SINK_BYTES = 4 << 20;

    private static MemoryRegion repeated(Node node, ByteBuffer buffer, AccessFlag... access) {
        int copies = (int) ((LONGEST + buffer.capacity() - 1) / buffer.capacity());
        return node.domain.registerMemory(
                MemoryRegionConfig.of(Collections.nCopies(copies, buffer).toArray(ByteBuffer[]::new))
                        .access(access));
    }

    /** Checks each packet's bytes where it was placed, before the message comes round to that place again. */
    private static final class Sink {
        private final ByteBuffer source;
        private final ByteBuffer sink;
        private long placed;

        /** The source is laid out once and a packet more, so that every packet of it is in one piece. */
        Sink(ByteBuffer source, ByteBuffer sink) {
            this.source = ByteBuffer.allocateDirect(source.capacity() + MTU);
            this.source.put(0, source, 0, source.capacity()).put(source.capacity(), source, 0, MTU);
            this.sink = sink;
        }

        /** Goes on over all packets that are in place; the place of the next still holds something else. */
        boolean isComplete() {
            while (placed < LONGEST && isInPlace()) {
                placed += MTU;
            }
            return placed == LONGEST;
        }

        private boolean isInPlace() {
            int from = (int) (placed % SOURCE_BYTES);
            int to = (int) (placed % SINK_BYTES);
            return sink.getLong(to) == source.getLong(from)
                    && sink.slice(to, MTU).mismatch(source.slice(from, MTU)) < 0;
        }
    }

    @Test
    @DisplayName("§6.1(11): a WRITE of 2^31 bytes, every byte of it in its place")
    void longest() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 4096)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096));
            ByteBuffer from = ByteBuffer.allocateDirect(SOURCE_BYTES);
            byte[] chance = new byte[SOURCE_BYTES];
            new SplittableRandom(31).nextBytes(chance);
            from.put(0, chance);
            ByteBuffer to = ByteBuffer.allocateDirect(SINK_BYTES);
            Sink sink = new Sink(from, to);
            try (MemoryRegion a = repeated(nodes.a, from);
                    MemoryRegion b = repeated(nodes.b, to, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)) {
                nodes.b.queuePair.postReceive(ReceiveRequest.of(2));
                nodes.a.queuePair.postSend(RdmaWriteWithImmediate.of(1, 7, a.slice(0, LONGEST))
                        .to(b.address(), b.remoteKey())
                        .signaled());

                assertThat(nodes.fabric.runUntil(sink::isComplete, 1_000 * SECOND))
                        .as("%d bytes in place", sink.placed)
                        .isTrue();
                nodes.runToRest();

                assertThat(nodes.a.completions()).singleElement().matches(WorkCompletion::isSuccess);
                assertThat(nodes.b.completions())
                        .singleElement()
                        .matches(done -> done.isSuccess() && done.byteLength() == LONGEST && done.hasImmediate());
                assertThat(nodes.a.counter("retransmitted_packets")).isZero();
            }
        }
    }

    @Test
    @DisplayName(
            "bug/2: 10,000 rounds of ping-pong, then READs of 8 MiB each way with max_rd_atomic 1: no outside help")
    void pingPongThenReads() {
        int megabytes = 8 << 20;
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 5 * megabytes)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).maxReadAtomic(1));
            PingPong a = new PingPong(nodes.a, 10_000);
            PingPong b = new PingPong(nodes.b, 10_000);
            a.send();
            assertThat(nodes.fabric.runUntil(() -> a.isDone() & b.isDone(), 100 * SECOND))
                    .isTrue();

            nodes.runToRest(); // the last acknowledgement
            a.isDone();
            b.isDone();
            for (Node node : new Node[] {nodes.a, nodes.b}) {
                Node other = node == nodes.a ? nodes.b : nodes.a;
                for (int i = 0; i < 4; i++) {
                    node.queuePair.postSend(RdmaRead.of(i, node.region.slice((long) (i + 1) * megabytes, megabytes))
                            .from(other.region.address(), other.region.remoteKey())
                            .signaled());
                }
            }
            nodes.runToRest();
            for (Node node : new Node[] {nodes.a, nodes.b}) {
                Node other = node == nodes.a ? nodes.b : nodes.a;
                assertThat(node.completions())
                        .extracting(WorkCompletion::workRequestId)
                        .containsExactly(0L, 1L, 2L, 3L);
                assertThat(node.completions()).allMatch(WorkCompletion::isSuccess);
                ByteBuffer wanted = other.memory.slice(0, megabytes);
                for (int i = 1; i <= 4; i++) {
                    assertThat(node.memory.slice(i * megabytes, megabytes).mismatch(wanted))
                            .isEqualTo(-1);
                }
                assertThat(node.counter("local_ack_timeout_error")).isZero();
            }
        }
    }

    /** One player: answers each message with one of its own. */
    private static final class PingPong {
        private static final int BYTES = 4096;

        private final Node node;
        private final ReceiveRequest receive;
        private final ScatterGatherElement message;
        private final WorkCompletion[] done = WorkCompletion.array(4);
        private int left;

        PingPong(Node node, int rounds) {
            this.node = node;
            this.left = rounds;
            this.message = node.region.slice(0, BYTES);
            this.receive = ReceiveRequest.of(1, node.region.slice(BYTES, BYTES));
            node.queuePair.postReceive(receive);
        }

        void send() {
            node.queuePair.postSend(Send.of(2, message).signaled());
        }

        boolean isDone() {
            int n = node.completionQueue.poll(done);
            for (int i = 0; i < n; i++) {
                assertThat(done[i].isSuccess()).as(done[i].toString()).isTrue();
                if (done[i].workRequestId() == 1) {
                    left--;
                    if (left > 0) {
                        node.queuePair.postReceive(receive);
                    }
                    // The one that began has the last word of each round.
                    if (left > 0 || node.device.name().equals("b")) {
                        send();
                    }
                }
            }
            return left == 0;
        }
    }
}
