package io.rdma4j.core.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairType;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The control law of the budget towards a peer. */
class PeerStateTest {
    private static final Gid REMOTE = Gid.parse("::ffff:192.0.2.2");
    private static final int BUFFER = 4 << 20;

    private final PeerState peer = new PeerState(REMOTE, BUFFER);

    private static QpContext queuePair(int number) {
        CompletionRing ring = new CompletionRing(1, 1, null);
        return new QpContext(
                new QpContext.Parts(
                        number, QueuePairType.RC, 1, new SendQueue(1, 1), new ReceiveQueue(1, 1), ring, ring, null),
                false);
    }

    /** Sends and acknowledges {@code packets} one by one. */
    private void deliver(int packets) {
        for (int i = 0; i < packets; i++) {
            peer.charge(1000, 1);
            peer.discharge(1000, 1);
        }
    }

    @Test
    @DisplayName("§6.1(8): the budget starts from the receive buffer")
    void startsFromTheReceiveBuffer() {
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_START_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 4);
        assertThat(new PeerState(REMOTE, 0).limitBytes()).isEqualTo(EngineLimits.PEER_MIN_BYTES);
    }

    @Test
    @DisplayName("§6.1(8): bytes and packets are both bounded")
    void admitsUpToEitherLimit() {
        peer.charge(BUFFER / 4 - 1000, 1);
        assertThat(peer.admits(1000, 1)).isTrue();
        assertThat(peer.admits(1001, 1)).isFalse();
        peer.discharge(BUFFER / 4 - 1000, 1);
        peer.charge(1, EngineLimits.PEER_START_PACKETS);
        assertThat(peer.admits(1, 1)).isFalse();
    }

    @Test
    @DisplayName("§6.1(8): an idle peer admits anything, so that nothing is ever stuck")
    void anIdlePeerAdmitsAnything() {
        assertThat(peer.admits(Long.MAX_VALUE, Integer.MAX_VALUE)).isTrue();
    }

    /** As many rounds, each of which uses the budget up. */
    private void rounds(int count) {
        QpContext eager = queuePair(9);
        for (int i = 0; i < count; i++) {
            peer.await(eager, 1, 1);
            deliver(peer.limitPackets());
        }
        peer.leave(eager);
    }

    @Test
    @DisplayName("§6.1(8): additive increase: one part for each round that used the budget up")
    void growsByOnePartForEachRoundWithoutLoss() {
        QpContext eager = queuePair(9);
        peer.await(eager, 1, 1);
        deliver(255);
        assertThat(peer.limitPackets()).isEqualTo(256);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(257);
        peer.await(eager, 1, 1);
        deliver(256);
        assertThat(peer.limitPackets()).isEqualTo(257);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(258);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 4 + 2 * (BUFFER / 4 / 256));
    }

    @Test
    @DisplayName("§6.1(8): rounds that leave budget unused say nothing about a larger one")
    void idlenessDoesNotGrow() {
        deliver(100_000);
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_START_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 4);
    }

    @Test
    @DisplayName("§6.1(8): growth ends at its ceiling")
    void growthEnds() {
        rounds(1000);
        assertThat(peer.limitPackets()).isEqualTo(EngineLimits.PEER_MAX_PACKETS);
        assertThat(peer.limitBytes()).isEqualTo(BUFFER / 2);
    }

    @Test
    @DisplayName("§6.1(8): halved once per loss round, however many losses")
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
    @DisplayName("§6.1(8): to give up what is lost is no success")
    void givingUpIsNoSuccess() {
        peer.charge(256_000, 256);
        peer.onLoss();
        peer.discharge(256_000, 256);
        assertThat(peer.limitPackets()).isEqualTo(128);
        peer.await(queuePair(9), 1, 1);
        deliver(127);
        assertThat(peer.limitPackets()).isEqualTo(128);
        deliver(1);
        assertThat(peer.limitPackets()).isEqualTo(129);
    }

    @Test
    @DisplayName("§6.1(8): shrinking ends at the floor")
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
    @DisplayName("§6.1(8): what was sent before something that arrived no longer takes budget, though nobody claims it")
    void whatIsOvertakenIsOffTheWay() {
        peer.charge(255_000, 255); // a tail that is lost, and that its sender does not know to be
        long packetsBefore = peer.chargedPackets();
        long bytesBefore = peer.chargedBytes();
        peer.charge(1000, 1);
        assertThat(peer.admits(1000, 1)).isFalse();
        peer.arrived(packetsBefore, bytesBefore);
        peer.discharge(1000, 1);
        assertThat(peer.admits(1000, 255)).isTrue();
        assertThat(peer.inFlightPackets()).isEqualTo(255);
        peer.arrived(0, 0); // news that is old
        assertThat(peer.admits(1000, 255)).isTrue();
    }

    @Test
    @DisplayName("§6.1(8): above a halved budget one packet goes for two that leave, and turns are of one packet")
    void slowsDownInsteadOfStopping() {
        QpContext waiter = queuePair(1);
        peer.charge(256_000, 256);
        peer.await(waiter, 15_000, 15);
        assertThat(peer.turnPackets(15)).isEqualTo(15);
        peer.onLoss();
        assertThat(peer.isOver()).isTrue();
        assertThat(peer.turnPackets(15)).isEqualTo(1);
        assertThat(peer.nextAdmitted()).isNull();
        peer.discharge(1000, 1);
        assertThat(peer.nextAdmitted()).isNull();
        peer.discharge(1000, 1);
        assertThat(peer.nextAdmitted()).isSameAs(waiter);
        assertThat(peer.admits(1000, 1)).isTrue();
        peer.charge(1000, 1);
        assertThat(peer.admits(1000, 1)).isFalse();
        peer.discharge(127_000, 127);
        assertThat(peer.isOver()).isFalse();
        peer.discharge(1000, 1);
        assertThat(peer.admits(1000, 1)).isTrue();
        assertThat(peer.turnPackets(15)).isEqualTo(128 / EngineLimits.PEER_TURN_PARTS);
    }

    @Test
    @DisplayName("§6.1(8): a READ may ask for the whole budget until something was lost, then for a part of it")
    void readsAreSmallerAfterALoss() {
        assertThat(peer.mostPacketsOfARead(4352)).isEqualTo(BUFFER / 4 / 4352);
        assertThat(peer.mostPacketsOfARead(512)).isEqualTo(256);
        peer.charge(1000, 1);
        peer.onLoss();
        assertThat(peer.mostPacketsOfARead(512)).isEqualTo(128 / EngineLimits.PEER_TURN_PARTS);
    }

    @Test
    @DisplayName("§6.1(8): waiters are admitted in order, one that leaves not at all")
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
    @DisplayName("§6.1(8): who has waited has a turn, who comes later has not")
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
