package io.rdma4j.core.qp;

import io.rdma4j.verbs.Gid;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The in-flight budget towards one remote address, shared by all queue pairs that talk to it.
 *
 * <p>A UDP socket has no back-pressure: what a receiver's buffer cannot hold is lost, and with several queue pairs a
 * window per queue pair overruns it. So all requests and all expected READ responses charge one budget, which grows
 * additively while nothing is lost and is halved once per loss round, however many queue pairs see the loss.
 */
public final class PeerState {
    private final Gid remote;
    private final ArrayDeque<QpContext> waiting = new ArrayDeque<>();
    private final long startBytes;

    /** Why the system refused the last frame to this peer, such as {@code EPERM}; empty when it has got through since. */
    public String sendError = "";

    private int references;
    private long limitBytes;
    private int limitPackets;
    private long inFlightBytes;
    private int inFlightPackets;
    private long chargedPackets;
    private long roundEnd;
    private long lossRoundEnd;

    public PeerState(Gid remote, int receiveBufferBytes) {
        this.remote = remote;
        this.startBytes = Math.max(EngineLimits.PEER_MIN_BYTES, receiveBufferBytes / 4);
        this.limitBytes = startBytes;
        this.limitPackets = EngineLimits.PEER_START_PACKETS;
        this.roundEnd = limitPackets;
    }

    public Gid remote() {
        return remote;
    }

    /** Counts the queue pairs that use this peer, so that its table entry can go with the last one. */
    public int retain() {
        return ++references;
    }

    public int release() {
        return --references;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public int limitPackets() {
        return limitPackets;
    }

    public int inFlightPackets() {
        return inFlightPackets;
    }

    /** Whether that much more may be in flight. An idle peer admits anything, so that nothing is ever stuck. */
    public boolean admits(long bytes, int packets) {
        return inFlightPackets == 0
                || (inFlightBytes + bytes <= limitBytes && inFlightPackets + packets <= limitPackets);
    }

    public void charge(long bytes, int packets) {
        inFlightBytes += bytes;
        inFlightPackets += packets;
        chargedPackets += packets;
    }

    /** Takes back what was acknowledged, or given up for lost. */
    public void discharge(long bytes, int packets) {
        inFlightBytes -= bytes;
        inFlightPackets -= packets;
        assert inFlightBytes >= 0 && inFlightPackets >= 0;
        if (releasedPackets() >= roundEnd) {
            grow();
            roundEnd = releasedPackets() + limitPackets;
        }
    }

    /** All packets so far that are no longer in flight: acknowledged, or given up. */
    private long releasedPackets() {
        return chargedPackets - inFlightPackets;
    }

    private void grow() {
        limitBytes = Math.min(limitBytes + startBytes / EngineLimits.PEER_GROWTH_PARTS, 2 * startBytes);
        limitPackets = Math.min(
                limitPackets + EngineLimits.PEER_START_PACKETS / EngineLimits.PEER_GROWTH_PARTS,
                EngineLimits.PEER_MAX_PACKETS);
    }

    /** A packet was lost. What was in flight then belongs to one round; its further losses change nothing. */
    public void onLoss() {
        if (releasedPackets() < lossRoundEnd) {
            return;
        }
        lossRoundEnd = chargedPackets;
        limitBytes = Math.max(EngineLimits.PEER_MIN_BYTES, limitBytes / 2);
        limitPackets = Math.max(EngineLimits.PEER_MIN_PACKETS, limitPackets / 2);
        roundEnd = chargedPackets + limitPackets; // to give up what is lost is no success: a whole round must follow
    }

    /**
     * Whether {@code qp} may take budget in the turn that it begins: always while nobody waits, else only when its own wait
     * has just ended. Otherwise a queue pair that is never idle would starve one whose next request needs more.
     */
    public boolean beginTurn(QpContext qp) {
        boolean mayTake = qp.hasTurn || waiting.isEmpty();
        qp.hasTurn = false;
        return mayTake;
    }

    /** The link broke the turn of {@code qp} off: the next one is still its own. */
    public void keepTurn(QpContext qp) {
        qp.hasTurn = true;
    }

    /** Queues a queue pair that found no budget for its next request; once, however often it asks. */
    public void await(QpContext qp, long bytes, int packets) {
        qp.wantedBytes = bytes;
        qp.wantedPackets = packets;
        if (!qp.awaitsBudget) {
            qp.awaitsBudget = true;
            waiting.add(qp);
        }
    }

    /** The queue pair that has waited longest, if what it waits for is to be had now. */
    public @Nullable QpContext nextAdmitted() {
        QpContext qp = waiting.peek();
        if (qp == null || !admits(qp.wantedBytes, qp.wantedPackets)) {
            return null;
        }
        waiting.remove();
        qp.awaitsBudget = false;
        qp.hasTurn = true;
        return qp;
    }

    /** Forgets a queue pair that sends no more. */
    public void leave(QpContext qp) {
        qp.hasTurn = false;
        if (qp.awaitsBudget) {
            waiting.remove(qp);
            qp.awaitsBudget = false;
        }
    }
}
