package io.rdma4j.core.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.verbs.Gid;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The control law of the budget towards a peer. */
class PeerStateTest {
    private static final Gid REMOTE = Gid.parse("::ffff:192.0.2.2");
    private static final int BUFFER = 4 << 20;

    private final PeerState peer = new PeerState(REMOTE, BUFFER);

    private static QpContext queuePair(int number) {
        CompletionRing ring = new CompletionRing(1, 1, null);
        return new QpContext(
                new QpContext.Parts(number, 1, new SendQueue(1, 1), new ReceiveQueue(1, 1), ring, ring), false);
    }

    /** Sends and acknowledges {@code packets} one by one. */
    private void deliver(int packets) {
        for (int i = 0; i < packets; i++) {
            peer.charge(1000, 1);
            peer.discharge(1000, 1);
        }
    }

    @Test
    void startsFromTheReceiveBuffer() {
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_START_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 4);
        assertThat(new PeerState(REMOTE, 0).limitBytes()).isEqualTo(EngineLimits.PEER_MIN_BYTES);
    }

    @Test
    void admitsUpToEitherLimit() {
        peer.charge(BUFFER / 4 - 1000, 1);
        assertThat(peer.admits(1000, 1)).isTrue();
        assertThat(peer.admits(1001, 1)).isFalse();
        peer.discharge(BUFFER / 4 - 1000, 1);
        peer.charge(1, EngineLimits.PEER_START_PACKETS);
        assertThat(peer.admits(1, 1)).isFalse();
    }

    @Test
    void anIdlePeerAdmitsAnything() {
        assertThat(peer.admits(Long.MAX_VALUE, Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void growsByOnePartForEachRoundWithoutLoss() {
        deliver(255);
        assertThat(peer.limitPackets()).isEqualTo(256);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(272);
        deliver(271);
        assertThat(peer.limitPackets()).isEqualTo(272);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(288);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 4 + 2 * (BUFFER / 4 / 16));
    }

    @Test
    void growthEnds() {
        deliver(200_000);
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_MAX_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 2);
    }

    @Test
    void isHalvedOncePerRoundHoweverManyQueuePairsSeeTheLoss() {
        peer.charge(100_000, 100);
        peer.onLoss();
        peer.discharge(10_000, 10); // one queue pair gives up its share
        peer.onLoss();
        peer.onLoss();
        assertThat(peer.limitPackets()).isEqualTo(128);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 8);
        peer.discharge(90_000, 90);
        peer.charge(1000, 1);
        peer.onLoss();
        assertThat(peer.limitPackets()).isEqualTo(64);
    }

    @Test
    void givingUpIsNoSuccess() {
        peer.charge(256_000, 256);
        peer.onLoss();
        peer.discharge(256_000, 256);
        assertThat(peer.limitPackets()).isEqualTo(128);
        deliver(127);
        assertThat(peer.limitPackets()).isEqualTo(128);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(144);
    }

    @Test
    void shrinkingEnds() {
        for (int i = 0; i < 40; i++) {
            peer.charge(1000, 1);
            peer.onLoss();
            peer.discharge(1000, 1);
        }
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_MIN_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(EngineLimits.PEER_MIN_BYTES);
    }

    @Test
    void admitsWaitersInOrderAndOneThatLeavesNotAtAll() {
        QpContext first = queuePair(1);
        QpContext second = queuePair(2);
        QpContext third = queuePair(3);
        peer.charge(1, EngineLimits.PEER_START_PACKETS);
        peer.await(first, 1, 200);
        peer.await(second, 1, 1);
        peer.await(third, 1, 1);
        peer.await(first, 1, 100); // asks again, keeps its place
        peer.leave(second);
        assertThat(peer.nextAdmitted()).isNull();
        peer.discharge(0, 50);
        assertThat(peer.nextAdmitted())
                .as("the second may not overtake the first")
                .isNull();
        peer.discharge(0, 50);
        assertThat(peer.nextAdmitted()).isSameAs(first);
        assertThat(peer.nextAdmitted()).isSameAs(third);
        assertThat(peer.nextAdmitted()).isNull();
        peer.leave(first);
    }

    @Test
    void whoHasWaitedHasATurnWhoComesLaterHasNot() {
        QpContext first = queuePair(1);
        QpContext second = queuePair(2);
        assertThat(peer.beginTurn(first)).isTrue();
        peer.charge(1, EngineLimits.PEER_START_PACKETS);
        peer.await(first, 1, 2);
        peer.await(second, 1, 2);
        assertThat(peer.beginTurn(first)).isFalse();
        peer.discharge(0, 2);
        assertThat(peer.nextAdmitted()).isSameAs(first);
        assertThat(peer.beginTurn(first)).isTrue();
        assertThat(peer.beginTurn(first)).as("one turn for one wait").isFalse();
        peer.keepTurn(first);
        peer.leave(first);
        assertThat(peer.beginTurn(first)).isFalse();
        peer.leave(second);
        assertThat(peer.beginTurn(first)).isTrue();
    }

    @Property(tries = 200)
    void limitsStayWithinTheirBounds(@ForAll @IntRange(min = 0, max = 2) int[] steps) {
        PeerState state = new PeerState(REMOTE, BUFFER);
        for (int step : steps) {
            switch (step) {
                case 0 -> state.charge(500, 1);
                case 1 -> state.discharge(500L * state.inFlightPackets(), state.inFlightPackets());
                default -> state.onLoss();
            }
            assertThat(state.limitPackets()).isBetween(EngineLimits.PEER_MIN_PACKETS, EngineLimits.PEER_MAX_PACKETS);
            assertThat(state.limitBytes()).isBetween((long) EngineLimits.PEER_MIN_BYTES, BUFFER / 2L);
        }
    }
}
