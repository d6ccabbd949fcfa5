package io.rdma4j.core.engine;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Receives;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import java.util.Objects;
import java.util.Set;

/** What happens to a queue pair when its state changes (§9); whether it may change is decided above. Owner thread. */
public final class QpLifecycle {
    private final EngineServices engine;
    private final QpTable table;
    private final QpDeadlines deadlines;
    private final PeerTable peers;
    private final Completions completions;
    private final Gid localGid;

    /** READs and atomics that all responders together remember at most ({@code max_res_rd_atom}). */
    private int readAtomic;

    QpLifecycle(
            EngineServices engine,
            QpTable table,
            QpDeadlines deadlines,
            PeerTable peers,
            Completions completions,
            Gid localGid) {
        this.engine = engine;
        this.table = table;
        this.deadlines = deadlines;
        this.peers = peers;
        this.completions = completions;
        this.localGid = localGid;
    }

    /** A number for a queue pair to be created; how many there may be is counted above. */
    public int allocateNumber() {
        return table.allocateNumber();
    }

    public void add(QpContext qp) {
        table.add(qp);
    }

    /** Whether there is a queue pair of this number, made by {@code owner}. */
    public boolean isOwnedBy(int number, Object owner) {
        QpContext qp = table.find(number);
        return qp != null && qp.owner == owner;
    }

    public void destroy(QpContext qp) {
        toReset(qp);
        table.remove(qp);
    }

    /**
     * To RESET: everything is forgotten, posted requests and unpolled completions included (§8.5). A receive of a message
     * in progress that came from a shared receive queue goes back there.
     */
    public void toReset(QpContext qp) {
        completions.stop(qp);
        engine.leaveGroups(qp); // §14
        engine.memory().invalidateAll(qp.windows()); // §11.2: those of type 2 belong to it
        qp.state(QueuePairState.RESET);
        deadlines.remove(qp);
        releasePeer(qp);
        qp.parts.sendCompletions().purge(qp.number());
        qp.parts.receiveCompletions().purge(qp.number());
        qp.sendQueue().reset();
        qp.receiveQueue().reset();
        qp.receiveQueue().wantDoorbell(false);
        Receives.abandon(qp);
        qp.send.reset();
        qp.receive.reset();
        takeReadAtomic(qp, 0);
        qp.attributes.reset();
        qp.firstError = "";
    }

    /** ENOMEM when a responder that remembers so many READs and atomics would bring the device above {@code limit}. */
    public void requireReadAtomic(QpContext qp, int wanted, int limit) {
        int others = readAtomic - qp.attributes.maxDestinationReadAtomic;
        if (wanted > qp.attributes.maxDestinationReadAtomic && others + wanted > limit) {
            throw new RdmaException(
                    ErrorCode.ENOMEM,
                    "MAX_DEST_RD_ATOMIC " + wanted + ": the device has room for " + limit
                            + " READs and atomics in all (max_res_rd_atom), and " + others + " are taken");
        }
    }

    /** Notes that a responder may remember so many READs and atomics, before its attributes say so. */
    public void takeReadAtomic(QpContext qp, int taken) {
        readAtomic += taken - qp.attributes.maxDestinationReadAtomic;
    }

    /** Room for the peer of a new path, taken before anything changes; ENOMEM when the table of peers is full. */
    public PeerState reservePeer(AddressVector vector) {
        PeerState peer = peers.acquire(vector.destination());
        if (peer == null) {
            throw new RdmaException(ErrorCode.ENOMEM, "the device has no room for another peer");
        }
        return peer;
    }

    /** The address vector was set: packets go to {@code peer} from now on, and what is under way is charged to it. */
    public void route(QpContext qp, PeerState peer) {
        SendState s = qp.send;
        long bytes = s.inFlightBytes;
        int packets = s.inFlightPackets;
        completions.leaveBudget(qp);
        releasePeer(qp);
        peer.charge(bytes, packets);
        s.inFlightBytes = bytes;
        s.inFlightPackets = packets;
        AddressVector vector = Objects.requireNonNull(qp.attributes.addressVector);
        qp.peer = peer;
        qp.path =
                new Path(localGid, vector.destination(), vector.trafficClass(), vector.hopLimit(), vector.flowLabel());
        engine.readyToSend(qp); // it has lost its place among those that wait for the old peer
    }

    /** To RTR: the responder starts. */
    public void toReadyToReceive(QpContext qp) {
        qp.receive.start(qp.attributes.receivePsn, qp.attributes.maxDestinationReadAtomic);
        qp.state(QueuePairState.RTR);
    }

    /** From RTR to RTS: the requester starts. */
    public void toReadyToSend(QpContext qp) {
        qp.send.start(qp.attributes.sendPsn, qp.attributes.maxReadAtomic);
        qp.send.retriesLeft = qp.attributes.retryCount;
        qp.send.rnrRetriesLeft = qp.attributes.rnrRetry;
        qp.state(QueuePairState.RTS);
    }

    /** From RTS to SQD: no request is started any more; those that were are finished (§9). */
    public void toSendQueueDrain(QpContext qp) {
        qp.state(QueuePairState.SQD);
        qp.send.draining = true;
        PeerState peer = qp.peer;
        if (peer != null) {
            peer.leave(qp); // what it waits for may be a request that does not start now
        }
        engine.budgetFreed(qp);
        engine.readyToSend(qp);
        completions.noteDrained(qp);
    }

    /** From SQD or SQE back to RTS. What was posted in SQE is flushed, also if its doorbell is not answered yet (§9). */
    public void resumeSending(QpContext qp) {
        if (qp.state() == QueuePairState.SQE) {
            completions.flushSends(qp);
            if (qp.state() == QueuePairState.ERR) {
                return; // a completion was lost (§10)
            }
            qp.firstError = "";
        }
        qp.state(QueuePairState.RTS);
        engine.readyToSend(qp);
    }

    /** Attributes of a queue pair that stays in its state were set (§9): what runs on them is set anew. */
    public void attributesChanged(QpContext qp, Set<QueuePairAttribute> changed) {
        SendState s = qp.send;
        if (changed.contains(QueuePairAttribute.RETRY_CNT)) {
            s.retriesLeft = qp.attributes.retryCount;
        }
        if (changed.contains(QueuePairAttribute.RNR_RETRY)) {
            s.rnrRetriesLeft = qp.attributes.rnrRetry;
        }
        if (changed.contains(QueuePairAttribute.MAX_QP_RD_ATOMIC)) {
            s.reads = s.reads.resized(Math.max(1, qp.attributes.maxReadAtomic));
        }
        if (changed.contains(QueuePairAttribute.MAX_DEST_RD_ATOMIC)) {
            qp.receive.slots = qp.receive.slots.resized(qp.attributes.maxDestinationReadAtomic);
        }
        if (changed.contains(QueuePairAttribute.TIMEOUT)) {
            s.timerNs = EngineLimits.NO_DEADLINE; // the next turn starts it again, with its new length
            engine.readyToSend(qp);
        }
    }

    /** To ERR by the user: nothing more is sent, not even what is due (§8.5). */
    public void toError(QpContext qp) {
        qp.receive.cancelDue();
        completions.toError(qp, "a modify to ERR");
    }

    private void releasePeer(QpContext qp) {
        PeerState peer = qp.peer;
        if (peer != null) {
            peers.release(peer);
        }
        qp.peer = null;
        qp.path = null;
    }
}
