package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable connections on a network that loses, repeats and reorders: a message comes whole and in order, or not at all. */
class UnreliableScenarioTest {
    private static final int MTU = 1024;
    private static final int MESSAGES = 100;
    private static final int LONGEST = 5_000;
    private static final int MEMORY = 1 << 20;

    /** So that PSNs wrap on the way. */
    private static final int FIRST_PSN = 0xFFFFC0;

    private static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024);

    /** One direction: messages with their number as immediate data, into receives that lie side by side. */
    private static final class Lane {
        private final Node from;
        private final Node to;
        private final QueuePair sender;
        private final QueuePair receiver;
        private final int[] lengths = new int[MESSAGES];
        private final List<Integer> psns = new ArrayList<>(List.of(FIRST_PSN));

        Lane(Node from, QueuePair sender, Node to, QueuePair receiver, long seed) {
            this.from = from;
            this.sender = sender;
            this.to = to;
            this.receiver = receiver;
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < MESSAGES; i++) {
                lengths[i] = random.nextInt(LONGEST + 1);
                int packets = Math.max(1, (lengths[i] + MTU - 1) / MTU);
                psns.add(Psn.add(psns.get(i), packets));
            }
        }

        void post() {
            for (int i = 0; i < MESSAGES; i++) {
                receiver.postReceive(ReceiveRequest.of(i, to.region.slice((long) i * LONGEST, LONGEST)));
                sender.postSend(SendWithImmediate.of(1_000 + i, i, from.region.slice(sourceOf(i), lengths[i]))
                        .signaled());
            }
        }

        private static int sourceOf(int message) {
            return MESSAGES * LONGEST + message * 37;
        }

        /** The messages that have a frame of which no copy has arrived whole, by the trace. */
        Set<Integer> damaged(TwoNodes nodes) {
            Set<Integer> damaged = new TreeSet<>();
            for (TraceEntry entry : nodes.fabric.trace().entries()) {
                if (entry.frame().queuePair() == receiver.number() && !entry.arrived()) {
                    damaged.add(messageOf(entry.frame().psn()));
                }
            }
            return damaged;
        }

        private int messageOf(int psn) {
            int message = 0;
            while (Psn.distance(FIRST_PSN, psns.get(message + 1)) <= Psn.distance(FIRST_PSN, psn)) {
                message++;
            }
            return message;
        }

        /** All sends have succeeded; what was received is intact and in order. Its numbers. */
        List<Integer> check() {
            List<Integer> received = new ArrayList<>();
            int sent = 0;
            for (WorkCompletion done : from.completions()) {
                if (done.opcode() == WorkCompletionOpcode.SEND) {
                    assertThat(done.isSuccess()).isTrue();
                    assertThat(done.workRequestId()).isEqualTo(1_000 + sent++);
                }
            }
            assertThat(sent).isEqualTo(MESSAGES);
            for (WorkCompletion done : to.completions()) {
                if (done.opcode() == WorkCompletionOpcode.RECV) {
                    int message = done.immediateData();
                    assertThat(done.isSuccess()).isTrue();
                    assertThat(done.workRequestId()).isEqualTo(received.size());
                    assertThat(done.byteLength()).isEqualTo(lengths[message]);
                    assertThat(to.bytes(received.size() * LONGEST, lengths[message]))
                            .as("message %d", message)
                            .isEqualTo(from.bytes(sourceOf(message), lengths[message]));
                    received.add(message);
                }
            }
            assertThat(received).isSorted().doesNotHaveDuplicates();
            return received;
        }
    }

    private static Lane[] lanes(TwoNodes nodes, long seed) {
        QueuePair a = nodes.a.createQueuePair(QueuePairType.UC);
        QueuePair b = nodes.b.createQueuePair(QueuePairType.UC);
        new ConnectionEnd(a, FIRST_PSN).connect(new ConnectionEnd(b, FIRST_PSN), OPTIONS);
        return new Lane[] {new Lane(nodes.a, a, nodes.b, b, seed), new Lane(nodes.b, b, nodes.a, a, seed + 1)};
    }

    private static TwoNodes nodes() {
        return new TwoNodes("192.0.2.2", "192.0.2.3", MEMORY);
    }

    private static Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        for (int i = 0; i < MESSAGES; i++) {
            all.add(i);
        }
        return all;
    }

    private static void assertOnlyRequests(TwoNodes nodes) {
        Set<Transport> seen = nodes.fabric.trace().entries().stream()
                .map(entry -> entry.frame().opcode().transport())
                .collect(Collectors.toSet());
        assertThat(seen).containsExactly(Transport.UC); // no ACK, no NAK: UC has no such opcode (§2)
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName(
            "§14, §5: losses, both ways: exactly the messages that lost a frame do not come; nothing is sent again")
    void losses(long seed) {
        try (TwoNodes nodes = nodes()) {
            Lane[] lanes = lanes(nodes, seed);
            nodes.fabric.options(FabricOptions.clean().loss(0.05));
            for (Lane lane : lanes) {
                lane.post();
            }

            nodes.runToRest();

            for (Lane lane : lanes) {
                Set<Integer> damaged = lane.damaged(nodes);
                Set<Integer> expected = all();
                expected.removeAll(damaged);
                assertThat(damaged).isNotEmpty();
                assertThat(lane.check()).containsExactlyElementsOf(expected);
            }
            assertOnlyRequests(nodes);
            assertThat(nodes.a.counter("retransmitted_packets")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("§5: damaged frames are lost frames")
    void corruption(long seed) {
        try (TwoNodes nodes = nodes()) {
            Lane[] lanes = lanes(nodes, seed);
            nodes.fabric.options(FabricOptions.clean().corrupt(0.05));
            lanes[0].post();

            nodes.runToRest();

            assertThat(lanes[0].check()).hasSizeBetween(1, MESSAGES - 1);
        }
    }

    @Test
    @DisplayName("§5: every frame twice: every message once")
    void duplicates() {
        try (TwoNodes nodes = nodes()) {
            Lane[] lanes = lanes(nodes, 7);
            nodes.fabric.addRule(FrameRule.duplicate(700));
            for (Lane lane : lanes) {
                lane.post();
            }

            nodes.runToRest();

            for (Lane lane : lanes) {
                assertThat(lane.check()).containsExactlyElementsOf(all());
            }
            assertThat(nodes.b.counter("duplicate_request")).isEqualTo(nodes.b.counter("received_packets") / 2);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("§5: reordering costs messages, and never mixes or repeats any")
    void reordering(long seed) {
        try (TwoNodes nodes = nodes()) {
            Lane[] lanes = lanes(nodes, seed);
            nodes.fabric.options(
                    FabricOptions.clean().reorder(0.05).duplicate(0.05).loss(0.01));
            for (Lane lane : lanes) {
                lane.post();
            }

            nodes.runToRest();

            for (Lane lane : lanes) {
                assertThat(lane.check()).hasSizeBetween(MESSAGES / 4, MESSAGES - 1);
            }
        }
    }

    @Test
    @DisplayName("§14: WRITE and WRITE with immediate data over IPv6")
    void writes() {
        try (TwoNodes nodes = new TwoNodes("fd00::2", "fd00::3", MEMORY)) {
            Lane lane = lanes(nodes, 1)[0];
            long target = nodes.b.region.address();
            int key = nodes.b.region.remoteKey();
            lane.receiver.postReceive(ReceiveRequest.of(1));
            lane.sender.postSend(
                    RdmaWrite.of(2, nodes.a.region.slice(100_000, 70_000)).to(target, key));
            lane.sender.postSend(RdmaWriteWithImmediate.of(3, 42, nodes.a.region.slice(0, 3_000))
                    .to(target + 70_000, key)
                    .signaled());

            nodes.runToRest();

            assertThat(nodes.b.completions()).singleElement().satisfies(done -> {
                assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
                assertThat(done.immediateData()).isEqualTo(42);
                assertThat(done.byteLength()).isEqualTo(3_000);
            });
            assertThat(nodes.a.completions())
                    .singleElement()
                    .satisfies(done -> assertThat(done.workRequestId()).isEqualTo(3));
            assertThat(nodes.b.bytes(0, 70_000)).isEqualTo(nodes.a.bytes(100_000, 70_000));
            assertThat(nodes.b.bytes(70_000, 3_000)).isEqualTo(nodes.a.bytes(0, 3_000));
        }
    }

    @Test
    @DisplayName("§8.4: a sender that nobody listens to is done all the same, and what it sends later arrives")
    void noReceives() {
        try (TwoNodes nodes = nodes()) {
            Lane lane = lanes(nodes, 1)[0];
            for (int i = 0; i < 10; i++) {
                lane.sender.postSend(Send.of(i, nodes.a.region.slice(0, 3_000)).signaled());
            }
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(10).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.completions()).isEmpty();

            lane.receiver.postReceive(ReceiveRequest.of(1, nodes.b.region.slice(0, 10)));
            lane.sender.postSend(Send.of(11, nodes.a.region.slice(5, 10)).signaled());
            nodes.runToRest();

            assertThat(nodes.b.completions()).hasSize(1).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.bytes(0, 10)).isEqualTo(nodes.a.bytes(5, 10));
            assertThat(lane.receiver.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§8.2, §9: an error in the middle of a message, SQE, back to RTS: the peer takes what comes then")
    void sendErrorAndBack() {
        try (TwoNodes nodes = nodes()) {
            Lane lane = lanes(nodes, 1)[0];
            lane.receiver.postReceive(ReceiveRequest.of(1, nodes.b.region.slice(0, LONGEST)));
            lane.sender.postSend(Send.of(
                    1, nodes.a.region.slice(0, 2_000), new ScatterGatherElement(nodes.a.region.address(), 8, 0xBEEF)));
            nodes.runToRest();
            assertThat(lane.sender.state()).isEqualTo(QueuePairState.SQE);

            lane.sender.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RTS).build());
            lane.sender.postSend(Send.of(2, nodes.a.region.slice(9, 3_000)).signaled());
            nodes.runToRest();

            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.SUCCESS);
            assertThat(nodes.b.completions())
                    .singleElement()
                    .satisfies(done -> assertThat(done.byteLength()).isEqualTo(3_000));
            assertThat(nodes.b.bytes(0, 3_000)).isEqualTo(nodes.a.bytes(9, 3_000));
        }
    }

    @Test
    @DisplayName("§14: a UC sender that floods a slow way does not stop a reliable connection on it")
    void besideAReliableConnection() {
        try (TwoNodes nodes = nodes()) {
            Lane lane = lanes(nodes, 1)[0];
            nodes.connect(OPTIONS);
            nodes.fabric.options(
                    nodes.a.device,
                    nodes.b.device,
                    FabricOptions.clean().bandwidth(1_000_000_000).queueFrames(64));
            for (int i = 0; i < 16; i++) {
                lane.sender.postSend(RdmaWrite.of(i, nodes.a.region.slice(0, MEMORY / 2))
                        .to(nodes.b.region.address(), nodes.b.region.remoteKey()));
            }
            nodes.a.queuePair.postSend(RdmaWrite.of(99, nodes.a.region.slice(MEMORY / 2, MEMORY / 2))
                    .to(nodes.b.region.address() + MEMORY / 2, nodes.b.region.remoteKey())
                    .signaled());

            nodes.runUntilCompletions(nodes.a, 1, 20 * SECOND);

            assertThat(nodes.a.completions()).hasSize(1).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.bytes(MEMORY / 2, MEMORY / 2)).isEqualTo(nodes.a.bytes(MEMORY / 2, MEMORY / 2));
        }
    }
}
