package io.rdma4j.core.engine;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.rc.Completions;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import java.util.Objects;

/** What happens to a queue pair when its state changes (§9); whether it may change is decided above. Owner thread. */
public final class QpLifecycle {
    private final QpTable table;
    private final QpDeadlines deadlines;
    private final PeerTable peers;
    private final Completions completions;
    private final Gid localGid;

    QpLifecycle(QpTable table, QpDeadlines deadlines, PeerTable peers, Completions completions, Gid localGid) {
        this.table = table;
        this.deadlines = deadlines;
        this.peers = peers;
        this.completions = completions;
        this.localGid = localGid;
    }

    /** A number for a queue pair to be created; ENOMEM when the device has no more. */
    public int allocateNumber() {
        if (table.isFull()) {
            throw new RdmaException(ErrorCode.ENOMEM, "the device has no more queue pairs");
        }
        return table.allocateNumber();
    }

    public void add(QpContext qp) {
        table.add(qp);
    }

    public void destroy(QpContext qp) {
        toReset(qp);
        table.remove(qp);
    }

    /** To RESET: everything is forgotten, posted requests and unpolled completions included (§8.5). */
    public void toReset(QpContext qp) {
        completions.stop(qp);
        qp.state(QueuePairState.RESET);
        deadlines.remove(qp);
        releasePeer(qp);
        qp.parts.sendCompletions().purge(qp.number());
        qp.parts.receiveCompletions().purge(qp.number());
        qp.sendQueue().reset();
        qp.receiveQueue().reset();
        qp.receiveQueue().wantDoorbell(false);
        qp.send.reset();
        qp.receive.reset();
        qp.attributes.reset();
        qp.firstError = "";
    }

    /** To RTR: the path is resolved and the responder starts. */
    public void toReadyToReceive(QpContext qp) {
        AddressVector vector = Objects.requireNonNull(qp.attributes.addressVector);
        PeerState peer = peers.acquire(vector.destination());
        if (peer == null) {
            throw new RdmaException(ErrorCode.ENOMEM, "the device has no room for another peer");
        }
        releasePeer(qp);
        qp.peer = peer;
        qp.path =
                new Path(localGid, vector.destination(), vector.trafficClass(), vector.hopLimit(), vector.flowLabel());
        qp.receive.start(qp.attributes.receivePsn, qp.attributes.maxDestinationReadAtomic);
        qp.state(QueuePairState.RTR);
    }

    /** To RTS: the requester starts. */
    public void toReadyToSend(QpContext qp) {
        qp.send.start(qp.attributes.sendPsn, qp.attributes.maxReadAtomic);
        qp.send.retriesLeft = qp.attributes.retryCount;
        qp.send.rnrRetriesLeft = qp.attributes.rnrRetry;
        qp.state(QueuePairState.RTS);
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
