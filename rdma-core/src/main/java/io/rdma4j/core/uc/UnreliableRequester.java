package io.rdma4j.core.uc;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.LocalRequests;
import io.rdma4j.core.transport.RequestWriter;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionStatus;

/**
 * Sends requests that nobody acknowledges. A request is done when its last packet was handed over (§6.1(7)), so nothing is
 * ever outstanding: no timer, no window, and no budget of the peer, which only an acknowledgement could give back. What
 * bounds such a sender is its turn, and the link when it takes no more.
 */
final class UnreliableRequester {
    private final Completions completions;
    private final RequestWriter writer;
    private final LocalRequests localRequests;

    UnreliableRequester(EngineServices engine, Completions completions) {
        this.completions = completions;
        this.writer = new RequestWriter(engine, Transport.UC);
        this.localRequests = new LocalRequests(engine.memory());
    }

    Turn serve(QpContext qp, Egress egress) {
        Turn turn = send(qp, egress);
        completions.noteDrained(qp);
        return turn;
    }

    /** Up to one send batch. */
    private Turn send(QpContext qp, Egress egress) {
        SendState s = qp.send;
        int quota = Turn.packets(qp.attributes.mtuBytes());
        for (int sent = 0; qp.isRequesting() && s.cursor != qp.sendQueue().posted(); sent++) {
            if (qp.state() == QueuePairState.SQD && s.isAtNewRequest()) {
                return Turn.IDLE; // §9: what was started is finished, nothing new begins
            }
            if (sent == quota) {
                return Turn.MORE;
            }
            SendWorkEntry entry = qp.sendQueue().at(s.cursor);
            if (entry.kind.isLocal()) {
                executeHere(qp, entry);
                continue;
            }
            if (s.cursorPacket == 0 && !mayStart(qp, entry)) {
                return Turn.IDLE;
            }
            // §14: nothing is acknowledged, so no packet asks for it.
            switch (writer.write(qp, entry, egress, 1, false)) {
                case SENT -> advance(qp, entry);
                case REFUSED -> {
                    return Turn.BLOCKED;
                }
                case UNREADABLE -> {
                    completions.failSend(qp, WorkCompletionStatus.LOC_PROT_ERR, 0, writer.failure());
                    return Turn.IDLE;
                }
            }
        }
        return Turn.IDLE;
    }

    /** A request that needs no packet. All before it are done, so that it never waits (§6.1(5)). */
    private void executeHere(QpContext qp, SendWorkEntry entry) {
        String refusal = localRequests.execute(qp, entry);
        if (refusal == null) {
            qp.send.cursor++;
            completions.sendSucceeded(qp);
        } else {
            completions.failSend(qp, localRequests.failureOf(entry), 0, refusal);
        }
    }

    /** Whether the request at the cursor may begin; else it has failed, and with it the send queue (§8.2). */
    private boolean mayStart(QpContext qp, SendWorkEntry entry) {
        if (!entry.kind.isOfferedBy(Transport.UC)) {
            completions.failSend(
                    qp,
                    WorkCompletionStatus.LOC_QP_OP_ERR,
                    0,
                    entry.kind + " is no operation of an unreliable connection");
            return false;
        }
        if (entry.length() > EngineLimits.MAX_MESSAGE_BYTES) {
            completions.failSend(
                    qp, WorkCompletionStatus.LOC_LEN_ERR, 0, "a message of " + entry.length() + " bytes is too long");
            return false;
        }
        entry.packets = qp.attributes.packetsOf(entry.length());
        entry.firstPsn = qp.send.nextPsn;
        return true;
    }

    /** The packet is out: only now PSN and cursor move. */
    private void advance(QpContext qp, SendWorkEntry entry) {
        SendState s = qp.send;
        s.nextPsn = Psn.next(s.nextPsn);
        s.maxPsn = s.nextPsn;
        s.una = s.nextPsn;
        if (++s.cursorPacket == entry.packets) {
            s.cursor++;
            s.cursorPacket = 0;
            completions.sendSucceeded(qp);
        }
    }
}
