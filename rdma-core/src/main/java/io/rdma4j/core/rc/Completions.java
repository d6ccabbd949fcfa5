package io.rdma4j.core.rc;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.CompletionEntry;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Completes work requests, in order, and turns queue pairs to ERR with all that follows (§6.2, §8.5). */
public final class Completions {
    private final EngineServices engine;

    public Completions(EngineServices engine) {
        this.engine = engine;
    }

    /** The oldest send request is done. Unsignaled ones leave no completion; the next signaled one frees their slots. */
    void sendSucceeded(QpContext qp) {
        SendState s = qp.send;
        SendWorkEntry entry = qp.sendQueue().at(s.head);
        if (entry.kind.awaitsResponse()) {
            s.readWorkRequests--;
        }
        s.head++;
        if (!entry.signaled && !qp.signalAll) {
            return;
        }
        CompletionEntry completion = begin(
                qp, qp.parts.sendCompletions(), entry.id, WorkCompletionStatus.SUCCESS, entry.kind.completionOpcode());
        if (completion != null) {
            completion.byteLength = entry.length();
            completion.releases(qp.sendQueue(), s.head);
            qp.parts.sendCompletions().publish();
        }
    }

    /** The receive in progress is filled. */
    void receiveSucceeded(QpContext qp, long byteLength, boolean solicited) {
        ReceiveState r = qp.receive;
        ReceiveWorkEntry entry = qp.receiveQueue().at(r.head);
        r.head++;
        CompletionEntry completion = begin(
                qp, qp.parts.receiveCompletions(), entry.id, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV);
        if (completion != null) {
            completion.byteLength = byteLength;
            completion.sourceQueuePair = qp.attributes.destinationQp;
            completion.solicited = solicited;
            completion.releases(qp.receiveQueue(), r.head);
            qp.parts.receiveCompletions().publish();
        }
    }

    /** The oldest send request fails, and with it the queue pair. */
    void failSend(QpContext qp, WorkCompletionStatus status, int vendorError, String cause) {
        SendState s = qp.send;
        SendWorkEntry entry = qp.sendQueue().at(s.head);
        s.head++;
        CompletionEntry completion =
                begin(qp, qp.parts.sendCompletions(), entry.id, status, entry.kind.completionOpcode());
        if (completion != null) {
            completion.vendorError = vendorError;
            completion.cause = cause;
            completion.releases(qp.sendQueue(), s.head);
            qp.parts.sendCompletions().publish();
        }
        qp.receive.cancelDue(); // §8.5(1): only a responder that fails sends on
        toError(qp, status + ": " + cause);
    }

    /** The receive in progress fails; the caller turns the queue pair to ERR. */
    void failReceive(QpContext qp, WorkCompletionStatus status, String cause) {
        ReceiveState r = qp.receive;
        ReceiveWorkEntry entry = qp.receiveQueue().at(r.head);
        r.head++;
        r.current = null;
        CompletionEntry completion =
                begin(qp, qp.parts.receiveCompletions(), entry.id, status, WorkCompletionOpcode.RECV);
        if (completion != null) {
            completion.cause = cause;
            completion.releases(qp.receiveQueue(), r.head);
            qp.parts.receiveCompletions().publish();
        }
    }

    /**
     * To ERR: requests stop, timers stop, everything posted is flushed. What the responder still owes (its answers and
     * one terminal NAK) goes out unless the caller cancels it.
     */
    public void toError(QpContext qp, String cause) {
        if (qp.state() == QueuePairState.ERR) {
            return;
        }
        if (qp.firstError.isEmpty()) {
            qp.firstError = cause;
        }
        qp.receiveQueue().wantDoorbell(true);
        qp.state(QueuePairState.ERR);
        stop(qp);
        flush(qp);
    }

    /** Stops timers and gives the budget back. */
    public void stop(QpContext qp) {
        SendState s = qp.send;
        s.timerNs = EngineLimits.NO_DEADLINE;
        s.rnrTimerNs = EngineLimits.NO_DEADLINE;
        s.reads.clear();
        s.clearFailure();
        PeerState peer = qp.peer;
        if (peer != null) {
            peer.leave(qp);
            peer.discharge(s.inFlightBytes, s.inFlightPackets);
            s.inFlightBytes = 0;
            s.inFlightPackets = 0;
            engine.budgetFreed(qp);
        }
    }

    /** Completes everything posted with WR_FLUSH_ERR, each queue in order (§8.5). */
    public void flush(QpContext qp) {
        SendState s = qp.send;
        ReceiveState r = qp.receive;
        if (s.head == qp.sendQueue().posted() && r.head == qp.receiveQueue().posted()) {
            return;
        }
        String cause = "flushed; the queue pair failed first with " + qp.firstError;
        while (s.head < qp.sendQueue().posted()) {
            SendWorkEntry entry = qp.sendQueue().at(s.head);
            s.head++;
            CompletionRing ring = qp.parts.sendCompletions();
            CompletionEntry completion =
                    begin(qp, ring, entry.id, WorkCompletionStatus.WR_FLUSH_ERR, entry.kind.completionOpcode());
            if (completion != null) {
                completion.cause = cause;
                completion.releases(qp.sendQueue(), s.head);
                ring.publish();
            }
        }
        s.cursor = s.head;
        s.cursorPacket = 0;
        while (r.head < qp.receiveQueue().posted()) {
            ReceiveWorkEntry entry = qp.receiveQueue().at(r.head);
            r.head++;
            CompletionRing ring = qp.parts.receiveCompletions();
            CompletionEntry completion =
                    begin(qp, ring, entry.id, WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionOpcode.RECV);
            if (completion != null) {
                completion.cause = cause;
                completion.releases(qp.receiveQueue(), r.head);
                ring.publish();
            }
        }
        r.endMessage();
    }

    private @Nullable CompletionEntry begin(
            QpContext qp, CompletionRing ring, long id, WorkCompletionStatus status, WorkCompletionOpcode opcode) {
        boolean first = !ring.isOverrun();
        CompletionEntry entry = ring.claim();
        if (entry != null) {
            entry.begin(id, qp.number(), status, opcode);
        } else if (first) {
            engine.counters().count(Counter.COMPLETION_QUEUE_OVERRUN);
            engine.completionOverrun(ring);
        }
        return entry;
    }
}
