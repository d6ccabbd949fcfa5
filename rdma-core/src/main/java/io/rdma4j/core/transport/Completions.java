package io.rdma4j.core.transport;

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
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Completes work requests, in order, and turns queue pairs to ERR with all that follows (§6.2, §8.5). */
public final class Completions {
    private final EngineServices engine;

    public Completions(EngineServices engine) {
        this.engine = engine;
    }

    /**
     * The oldest send request is done, and with it those behind it that this side has executed itself (§6.1(1)). Unsignaled
     * ones leave no completion; the next signaled one frees their slots.
     */
    public void sendSucceeded(QpContext qp) {
        SendState s = qp.send;
        oldestSucceeded(qp);
        while (qp.isRequesting()
                && s.head < qp.sendQueue().posted()
                && qp.sendQueue().at(s.head).executed) {
            if (s.cursor == s.head) {
                s.cursor++; // a rollback had set it back to before this one
            }
            oldestSucceeded(qp);
        }
    }

    private void oldestSucceeded(QpContext qp) {
        SendState s = qp.send;
        SendWorkEntry entry = qp.sendQueue().at(s.head);
        if (entry.kind.awaitsResponse()) {
            s.readWorkRequests--;
        }
        if (!entry.signaled && !qp.signalAll) {
            s.head++;
            return;
        }
        CompletionEntry completion = takeSend(qp, WorkCompletionStatus.SUCCESS);
        if (completion != null) {
            completion.byteLength = entry.length();
            qp.parts.sendCompletions().publish();
        }
    }

    /** A message of {@code byteLength} bytes that took a receive ends with {@code packet}. */
    public void receiveSucceeded(QpContext qp, RocePacket packet, long byteLength) {
        CompletionEntry completion = takeReceive(qp, WorkCompletionStatus.SUCCESS);
        if (completion != null) {
            completion.sourceQueuePair = qp.attributes.destinationQp;
            finishReceive(qp, completion, packet, byteLength);
        }
    }

    /** The datagram {@code packet} is in its receive, with its route {@code byteLength} bytes (§14). */
    public void datagramReceived(QpContext qp, RocePacket packet, long byteLength, int sourcePort) {
        CompletionEntry completion = takeReceive(qp, WorkCompletionStatus.SUCCESS);
        if (completion != null) {
            completion.datagram(packet.dethSourceQp(), sourcePort);
            finishReceive(qp, completion, packet, byteLength);
        }
    }

    private static void finishReceive(QpContext qp, CompletionEntry completion, RocePacket packet, long byteLength) {
        completion.byteLength = byteLength;
        completion.solicited = packet.solicited();
        Opcode opcode = packet.opcode();
        if (opcode.hasImmediate()) {
            completion.immediate(packet.immediate());
        }
        if (opcode.hasInvalidate()) {
            completion.invalidated(packet.invalidateKey());
        }
        if (opcode.operation() == Operation.RDMA_WRITE) {
            completion.opcode = WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
        }
        qp.parts.receiveCompletions().publish();
    }

    /** The oldest send request fails, and with it the queue pair; of UC and UD only the send queue (§8.2). */
    public void failSend(QpContext qp, WorkCompletionStatus status, int vendorError, String cause) {
        completeSend(qp, status, vendorError, cause);
        if (qp.type() == QueuePairType.RC) {
            qp.receive.cancelDue(); // §8.5(1): only a responder that fails sends on
            toError(qp, status + ": " + cause);
        } else {
            toSendQueueError(qp, status + ": " + cause);
        }
    }

    /** To SQE: the send queue is flushed, and what is posted to it later too; receives go on (§9). */
    private void toSendQueueError(QpContext qp, String cause) {
        if (!qp.isRequesting()) {
            return; // the completion was lost, and with it the queue pair
        }
        qp.firstError = cause;
        qp.state(QueuePairState.SQE);
        stop(qp);
        flushSends(qp);
    }

    /**
     * A responder cannot go on (§8.1): its receive in progress ends with the error, or where the request had taken none an
     * event tells, and the queue pair goes to ERR.
     */
    public void failResponder(QpContext qp, Disposition why, boolean holdsReceive, int vendorError, String cause) {
        if (holdsReceive && why.receiveStatus != null) {
            failReceive(qp, why.receiveStatus, vendorError, cause);
        } else if (why.event != null) {
            engine.event(why.event, qp.number());
        }
        toError(qp, "responder: " + cause);
    }

    /** The receive in progress fails; whether the queue pair goes to ERR is the caller's to say. */
    public void failReceive(QpContext qp, WorkCompletionStatus status, int vendorError, String cause) {
        qp.receive.current = null;
        completeReceive(qp, status, vendorError, cause);
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
        if (qp.parts.sharedReceives() != null) {
            engine.event(AsyncEventType.QP_LAST_WQE_REACHED, qp.number()); // §8.5(3)
        }
    }

    /** A completion queue of this queue pair has overrun: what completes is lost, so the queue pair fails, once (§10). */
    public void failByOverrun(QpContext qp) {
        if (qp.state() != QueuePairState.ERR) {
            engine.event(AsyncEventType.QP_FATAL, qp.number());
            toError(qp, "completion queue overrun");
        }
    }

    /** §9: reports the first packet that comes to a queue pair in RTR. */
    public void noteEstablished(QpContext qp) {
        ReceiveState r = qp.receive;
        if (!r.established) {
            r.established = true;
            if (qp.state() == QueuePairState.RTR) {
                engine.event(AsyncEventType.COMM_EST, qp.number());
            }
        }
    }

    /** §9: reports, once, that a send queue in SQD has nothing left that was started. */
    public void noteDrained(QpContext qp) {
        SendState s = qp.send;
        if (s.draining && s.isDrained()) {
            s.draining = false;
            if (qp.attributes.sqdAsyncNotify) {
                engine.event(AsyncEventType.SQ_DRAINED, qp.number());
            }
        }
    }

    /** Stops timers and gives the budget back. */
    public void stop(QpContext qp) {
        SendState s = qp.send;
        s.timerNs = EngineLimits.NO_DEADLINE;
        s.rnrTimerNs = EngineLimits.NO_DEADLINE;
        s.reads.clear();
        s.draining = false;
        s.clearFailure();
        leaveBudget(qp);
    }

    /** Gives back what the queue pair has charged to its peer, and its place among those that wait. */
    public void leaveBudget(QpContext qp) {
        SendState s = qp.send;
        PeerState peer = qp.peer;
        if (peer != null) {
            peer.leave(qp);
            peer.discharge(s.inFlightBytes, s.inFlightPackets);
            s.inFlightBytes = 0;
            s.inFlightPackets = 0;
            s.marked = false; // its place in the order of sending is one on the way to this peer
            engine.budgetFreed(qp);
        }
    }

    /**
     * Completes everything posted with WR_FLUSH_ERR, each queue in order (§8.5); of a shared receive queue only what this
     * queue pair has taken (§8.5(3)).
     */
    public void flush(QpContext qp) {
        ReceiveState r = qp.receive;
        flushSends(qp);
        // What is posted from here on rings, and is flushed by that ring: a poster must not keep the owner here.
        long receives = qp.receiveQueue().posted();
        if (r.head == receives && !r.holdsShared) {
            return;
        }
        String cause = flushed(qp);
        while (r.head < receives || r.holdsShared) {
            completeReceive(qp, WorkCompletionStatus.WR_FLUSH_ERR, 0, cause);
        }
        r.endMessage();
    }

    /** Completes every send request posted with WR_FLUSH_ERR, in order. */
    public void flushSends(QpContext qp) {
        SendState s = qp.send;
        long sends = qp.sendQueue().posted();
        if (s.head < sends) {
            String cause = flushed(qp);
            while (s.head < sends) {
                completeSend(qp, WorkCompletionStatus.WR_FLUSH_ERR, 0, cause);
            }
        }
        s.cursor = s.head;
        s.cursorPacket = 0;
    }

    private static String flushed(QpContext qp) {
        return "flushed; the queue pair failed first with " + qp.firstError;
    }

    private void completeSend(QpContext qp, WorkCompletionStatus status, int vendorError, String cause) {
        CompletionEntry completion = takeSend(qp, status);
        if (completion != null) {
            completion.vendorError = vendorError;
            completion.cause = cause;
            qp.parts.sendCompletions().publish();
        }
    }

    private void completeReceive(QpContext qp, WorkCompletionStatus status, int vendorError, String cause) {
        CompletionEntry completion = takeReceive(qp, status);
        if (completion != null) {
            completion.vendorError = vendorError;
            completion.cause = cause;
            qp.parts.receiveCompletions().publish();
        }
    }

    /** Takes the oldest send request off its queue and begins its completion; null when the ring is full. */
    private @Nullable CompletionEntry takeSend(QpContext qp, WorkCompletionStatus status) {
        SendWorkEntry entry = qp.sendQueue().at(qp.send.head++);
        CompletionEntry completion = claim(qp, qp.parts.sendCompletions());
        if (completion != null) {
            completion.begin(entry.id, qp.number(), status, entry.kind.completionOpcode());
            completion.releases(qp.sendQueue(), qp.send.head);
        }
        return completion;
    }

    /** Ends the receive taken last, or the oldest, and begins its completion; null when the ring is full. */
    private @Nullable CompletionEntry takeReceive(QpContext qp, WorkCompletionStatus status) {
        ReceiveWorkEntry entry = Receives.complete(qp);
        CompletionEntry completion = claim(qp, qp.parts.receiveCompletions());
        if (completion != null) {
            completion.begin(entry.id, qp.number(), status, WorkCompletionOpcode.RECV);
            if (qp.parts.sharedReceives() == null) {
                completion.releases(qp.receiveQueue(), qp.receive.head);
            }
        }
        return completion;
    }

    private @Nullable CompletionEntry claim(QpContext qp, CompletionRing ring) {
        boolean first = !ring.isOverrun();
        CompletionEntry entry = ring.claim();
        if (entry == null) {
            if (first) {
                engine.counters().count(Counter.COMPLETION_QUEUE_OVERRUN);
                engine.completionOverrun(ring);
            }
            failByOverrun(qp); // one that took up the queue after its overrun
        }
        return entry;
    }
}
