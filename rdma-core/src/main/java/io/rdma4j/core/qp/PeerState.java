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
 *
 * <p>Go-back-N tells little of what was lost: a queue pair learns of a lost tail only when it sends more, and its share of
 * the budget is bound until then. Two rules keep the others going meanwhile. What was charged before something that has
 * arrived is no longer under way, since the way keeps the order of datagrams. And when halving leaves more under way than
 * allowed, sending does not stop but slows down: one packet for so many that leave.
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

    /** All that was ever charged, and how much of it had been when something was sent that has arrived. */
    private long chargedPackets;

    private long chargedBytes;
    private long arrivedPackets;
    private long arrivedBytes;

    /** Packets that have left since the last was sent while more than the limit was under way. */
    private long released;

    private long roundEnd;
    private boolean askedForMore;
    private long lossRoundEnd;
    private boolean hasLost;

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

    public long inFlightBytes() {
        return inFlightBytes;
    }

    /** Packets charged so far: the place in the order of sending of the one that is charged next. */
    public long chargedPackets() {
        return chargedPackets;
    }

    public long chargedBytes() {
        return chargedBytes;
    }

    /** In flight, and not known to be off the way: what was sent before something that arrived is there too, or lost. */
    private int packetsUnderWay() {
        return (int) Math.min(inFlightPackets, chargedPackets - arrivedPackets);
    }

    private long bytesUnderWay() {
        return Math.min(inFlightBytes, chargedBytes - arrivedBytes);
    }

    /** Whether that much more may be in flight. An idle peer admits anything, so that nothing is ever stuck. */
    public boolean admits(long bytes, int packets) {
        return inFlightPackets == 0
                || (bytesUnderWay() + bytes <= limitBytes && packetsUnderWay() + packets <= limitPackets)
                || (isOver() && (long) packets * EngineLimits.PEER_OVER_RATIO <= released);
    }

    /** Whether more is under way than the limit allows, as it is when the limit has just been halved. */
    public boolean isOver() {
        return bytesUnderWay() > limitBytes || packetsUnderWay() > limitPackets;
    }

    /**
     * Responses that one READ may ask for. Where things get lost it is only a part of the budget: they come as one burst,
     * whose lost end only the answer to a later READ brings to light.
     */
    public long mostPacketsOfARead(int frameBytes) {
        long all = Math.min(limitPackets, limitBytes / frameBytes);
        return hasLost
                ? Math.min(all, Math.max(EngineLimits.PEER_READ_PACKETS, all / EngineLimits.PEER_TURN_PARTS))
                : all;
    }

    /**
     * Packets that a queue pair may send in one turn, at most {@code most}. Where things get lost it is only a part of the
     * budget, and while too much is under way one packet, so that no queue pair's lost tail can bind all of it.
     */
    public int turnPackets(int most) {
        if (isOver()) {
            return 1;
        }
        return hasLost ? Math.min(most, Math.max(1, limitPackets / EngineLimits.PEER_TURN_PARTS)) : most;
    }

    public void charge(long bytes, int packets) {
        released = isOver() ? released - (long) packets * EngineLimits.PEER_OVER_RATIO : 0;
        inFlightBytes += bytes;
        inFlightPackets += packets;
        chargedPackets += packets;
        chargedBytes += bytes;
    }

    /** Something arrived that was sent when so much had been charged. */
    public void arrived(long packetsBefore, long bytesBefore) {
        arrivedPackets = Math.max(arrivedPackets, packetsBefore);
        arrivedBytes = Math.max(arrivedBytes, bytesBefore);
    }

    /** Takes back what was acknowledged, or given up for lost. */
    public void discharge(long bytes, int packets) {
        inFlightBytes -= bytes;
        inFlightPackets -= packets;
        released += packets;
        assert inFlightBytes >= 0 && inFlightPackets >= 0;
        if (packetsOff() >= roundEnd) {
            if (askedForMore) {
                grow(); // a round that never used the budget up says nothing about a larger one
            }
            askedForMore = false;
            roundEnd = packetsOff() + limitPackets;
        }
    }

    /** All packets so far that are no longer under way: acknowledged, given up, or overtaken. */
    private long packetsOff() {
        return chargedPackets - packetsUnderWay();
    }

    private void grow() {
        limitBytes = Math.min(limitBytes + startBytes / EngineLimits.PEER_GROWTH_PARTS, 2 * startBytes);
        limitPackets = Math.min(
                limitPackets + EngineLimits.PEER_START_PACKETS / EngineLimits.PEER_GROWTH_PARTS,
                EngineLimits.PEER_MAX_PACKETS);
    }

    /** A packet was lost. What was in flight then belongs to one round; its further losses change nothing. */
    public void onLoss() {
        if (packetsOff() < lossRoundEnd) {
            return;
        }
        hasLost = true;
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
        askedForMore = true;
        qp.wantedBytes = bytes;
        qp.wantedPackets = packets;
        if (!qp.awaitsBudget) {
            qp.awaitsBudget = true;
            waiting.add(qp);
        }
    }

    /** The queue pair that has waited longest, if what it waits for, or its first packet, is to be had now. */
    public @Nullable QpContext nextAdmitted() {
        QpContext qp = waiting.peek();
        if (qp == null || !(isOver() ? admits(qp.wantedBytes, 1) : admits(qp.wantedBytes, qp.wantedPackets))) {
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
