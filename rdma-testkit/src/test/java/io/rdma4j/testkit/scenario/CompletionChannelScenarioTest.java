package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Programs that sleep on a completion channel (§10), on the simulated fabric. */
class CompletionChannelScenarioTest {
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8).minRnrTimer(10);

    /** One side: two queues on one channel, and a queue pair that uses them. */
    private static final class Party implements AutoCloseable {
        final Node node;
        final CompletionChannel channel;
        final CompletionQueue sends;
        final CompletionQueue receives;
        final QueuePair qp;
        private final WorkCompletion[] done = WorkCompletion.array(4);

        Party(Node node) {
            this.node = node;
            channel = node.device.rdma().createCompletionChannel();
            sends = node.device.rdma().createCompletionQueue(64, channel);
            receives = node.device.rdma().createCompletionQueue(64, channel);
            qp = node.domain.createQueuePair(QueuePairConfig.reliable(sends, receives));
        }

        static List<Party> pair(TwoNodes nodes, ConnectOptions options) {
            List<Party> parties = List.of(new Party(nodes.a), new Party(nodes.b));
            new ConnectionEnd(parties.get(0).qp, 7).connect(new ConnectionEnd(parties.get(1).qp, 0xFFFF00), options);
            return parties;
        }

        int poll(CompletionQueue queue) {
            int n = queue.poll(done);
            for (int i = 0; i < n; i++) {
                assertThat(done[i].isSuccess()).as(done[i].cause()).isTrue();
            }
            return n;
        }

        CompletionQueue event() {
            return channel.await(Duration.ZERO);
        }

        @Override
        public void close() {
            qp.close();
            sends.close();
            receives.close();
            channel.close();
        }
    }

    @Test
    @DisplayName("§10: armed for solicited, only the message that asks for it wakes; errors always do")
    void solicited() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            List<Party> parties = Party.pair(nodes, OPTIONS);
            try (Party a = parties.get(0);
                    Party b = parties.get(1)) {
                for (int i = 0; i < 4; i++) {
                    b.qp.postReceive(ReceiveRequest.of(i));
                }
                assertThat(b.receives.arm(true)).isFalse();
                a.qp.postSend(Send.of(1));
                nodes.runToRest();
                assertThat(b.event()).isNull();
                a.qp.postSend(Send.of(2).solicited());
                nodes.runToRest();
                assertThat(b.event()).isSameAs(b.receives);
                assertThat(b.poll(b.receives)).isEqualTo(2);
                assertThat(b.receives.arm(true)).isFalse();
                assertThat(b.receives.arm(false)).as("raised to any completion").isFalse();
                a.qp.postSend(Send.of(3));
                nodes.runToRest();
                assertThat(b.event()).isSameAs(b.receives);
                assertThat(b.poll(b.receives)).isEqualTo(1);
                assertThat(b.receives.arm(true)).isFalse();
                b.qp.close();
                assertThat(b.event())
                        .as("a destroyed queue pair completes nothing")
                        .isNull();
                b.receives.acknowledgeEvents(2);
            }
        }
    }

    @Test
    @DisplayName("§10: errors wake who armed for solicited only; a channel in use refuses to close")
    void errorsWake() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            List<Party> parties = Party.pair(nodes, OPTIONS.retryCount(0));
            try (Party a = parties.get(0)) {
                a.sends.arm(true);
                parties.get(1).close();
                a.qp.postSend(Send.of(1)); // unsignaled: its failure completes all the same
                nodes.runToRest();
                assertThat(a.event()).isSameAs(a.sends);
                assertThatThrownBy(a.channel::close)
                        .isInstanceOfSatisfying(
                                RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EBUSY))
                        .hasMessageContaining(a.sends.toString())
                        .hasMessageContaining(a.receives.toString());
                a.sends.acknowledgeEvents(1);
            }
        }
    }

    @Test
    @DisplayName("§10: both queues of a queue pair report to one channel, in the order in which they completed")
    void twoQueuesOneChannel() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            List<Party> parties = Party.pair(nodes, OPTIONS);
            try (Party a = parties.get(0);
                    Party b = parties.get(1)) {
                a.qp.postReceive(ReceiveRequest.of(1));
                b.qp.postReceive(ReceiveRequest.of(1));
                a.receives.arm(false);
                a.sends.arm(false);
                a.qp.postSend(Send.of(2).signaled());
                nodes.runToRest();
                b.qp.postSend(Send.of(3));
                nodes.runToRest();
                assertThat(a.event()).isSameAs(a.sends);
                assertThat(a.event()).isSameAs(a.receives);
                assertThat(a.event()).isNull();
                a.sends.acknowledgeEvents(1);
                a.receives.acknowledgeEvents(1);
            }
        }
    }

    /**
     * One side of the ping-pong, as event-driven programs are written: nothing is done but upon an event, and after arming
     * the queue is polled before the next event is waited for. A side goes on when its own message is acknowledged too.
     */
    private static final class Player {
        private static final int ROUNDS = 100_000;
        private static final int LATE_EVERY = 7;

        private final TwoNodes nodes;
        private final Party party;
        /** Messages it sends before the first comes back. */
        private final int lead;

        private int received;
        private int sent;
        private int acknowledged;

        Player(TwoNodes nodes, Party party, int lead) {
            this.nodes = nodes;
            this.party = party;
            this.lead = lead;
            party.receives.arm(false);
            party.sends.arm(false);
        }

        boolean isDone() {
            return received == ROUNDS && acknowledged == ROUNDS;
        }

        void serve() {
            while (sent < Math.min(ROUNDS, received + lead) && acknowledged == sent) {
                sent++;
                party.qp.postSend(Send.of(sent, party.node.region.slice(0, 64)).signaled());
                if (sent - lead < ROUNDS) {
                    expectNext();
                }
            }
        }

        /** The receive for the next message comes after the answer to the last one; now and then far too late. */
        void expectNext() {
            ReceiveRequest request = ReceiveRequest.of(sent, party.node.region.slice(1024, 64));
            if ((sent + lead) % LATE_EVERY == 0) {
                nodes.fabric.after(MILLISECOND, () -> party.qp.postReceive(request));
            } else {
                party.qp.postReceive(request);
            }
        }

        void onEvents() {
            CompletionQueue queue = party.event();
            while (queue != null) {
                queue.acknowledgeEvents(1);
                queue.arm(false);
                int n = party.poll(queue);
                while (n > 0) {
                    if (queue == party.receives) {
                        received += n;
                    } else {
                        acknowledged += n;
                    }
                    n = party.poll(queue);
                }
                serve();
                queue = party.event();
            }
        }
    }

    @Test
    @DisplayName("bug/12: event-driven ping-pong with lost ACKs and late receives never stands still")
    void pingPong() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            List<Party> parties = Party.pair(nodes, OPTIONS);
            Player a = new Player(nodes, parties.get(0), 1);
            Player b = new Player(nodes, parties.get(1), 0);
            int[] acks = new int[1];
            nodes.fabric.addRule(FrameRule.drop()
                    .opcode(Opcode.RC_ACKNOWLEDGE)
                    .when(frame -> frame.syndrome() < Syndrome.rnrNak(0) && ++acks[0] % 50 == 0));
            b.expectNext();
            a.serve();

            boolean done = nodes.fabric.runUntil(
                    () -> {
                        a.onEvents();
                        b.onEvents();
                        return a.isDone() && b.isDone();
                    },
                    200 * SECOND);

            assertThat(done)
                    .as(
                            "rounds %d and %d, then%n%s",
                            a.received, b.received, nodes.fabric.trace().tail(20))
                    .isTrue();
            for (Node node : List.of(nodes.a, nodes.b)) {
                assertThat(node.counter("duplicate_request"))
                        .as("acknowledged again")
                        .isGreaterThan(1_000);
                assertThat(node.counter("local_ack_timeout_error")).isGreaterThan(1_000);
                assertThat(node.counter("rnr_nak_received")).isGreaterThan(10_000);
            }
            nodes.runToRest();
            parties.forEach(Party::close);
        }
    }

    /** The order in which one shared queue reports the end of a request and the arrival of its answer. */
    private static String orderOf(long delayOfAckNs) {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            nodes.a.queuePair.postReceive(ReceiveRequest.of(2, nodes.a.region.slice(0, 64)));
            nodes.b.postReceive(1, 0, 64);
            nodes.fabric.addRule(
                    FrameRule.delay(delayOfAckNs).opcode(Opcode.RC_ACKNOWLEDGE).from(nodes.b.device));
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(64, 64)).signaled());
            nodes.fabric.runUntil(() -> !nodes.b.completions().isEmpty(), SECOND);
            nodes.b.queuePair.postSend(Send.of(3, nodes.b.region.slice(0, 64)));
            nodes.runToRest();
            assertThat(nodes.a.completions()).allMatch(WorkCompletion::isSuccess);
            return nodes.a.completions().stream()
                    .map(done -> done.opcode().name())
                    .reduce("", (all, opcode) -> all + " " + opcode);
        }
    }

    @Test
    @DisplayName("bug/44: the answer may complete before the request that it answers; both orders come about")
    void orderBetweenQueues() {
        Set<String> orders = new HashSet<>();
        for (long delay : new long[] {0, 20_000, 100_000}) {
            orders.add(orderOf(delay));
        }
        assertThat(orders).containsExactlyInAnyOrder(" SEND RECV", " RECV SEND");
    }
}
