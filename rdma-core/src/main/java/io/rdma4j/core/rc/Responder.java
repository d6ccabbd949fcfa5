package io.rdma4j.core.rc;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Disposition;
import io.rdma4j.core.transport.Payload;
import io.rdma4j.core.transport.RequestChecks;
import io.rdma4j.core.transport.RequestExecutor;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.QueuePairState;

/**
 * Takes request packets (§7): first the PSN, then an ordered list of short checks, then execution. Each step says what
 * becomes of the packet, and one switch acts on it.
 */
public final class Responder {
    private final EngineServices engine;
    private final Completions completions;
    private final Refusal refusal;
    private final RequestChecks checks;
    private final RequestExecutor executor;
    private final DuplicateRequests duplicates;

    public Responder(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.completions = completions;
        this.refusal = new Refusal(engine, completions);
        Payload payload = new Payload(engine.memory());
        this.checks = new RequestChecks(engine.memory(), payload);
        this.executor = new RequestExecutor(engine.memory(), completions, payload);
        this.duplicates = new DuplicateRequests(engine);
    }

    /** Takes one request packet of a queue pair that may receive. */
    public void onRequest(QpContext qp, RocePacket packet) {
        ReceiveState r = qp.receive;
        completions.noteEstablished(qp);
        int distance = Psn.diff(packet.psn(), r.expectedPsn);
        if (distance > 0) {
            onGap(qp);
        } else if (distance < 0) {
            engine.counters().count(Counter.DUPLICATE_REQUEST);
            duplicates.onDuplicate(qp, packet);
        } else {
            onExpected(qp, packet);
        }
        if (r.hasDue()) {
            engine.readyToRespond(qp);
        }
    }

    /** A reserved opcode of this transport (§2): an invalid request if it is the expected packet, else nothing. */
    public void onReservedOpcode(QpContext qp, int psn) {
        if (psn != qp.receive.expectedPsn) {
            engine.counters().drop(DropReason.UNKNOWN_OPCODE);
            return;
        }
        boolean holdsReceive = qp.receive.current != null;
        refusal.refuse(qp, Disposition.INVALID_REQUEST, psn, holdsReceive, "reserved opcode");
        engine.readyToRespond(qp);
    }

    /** Packets before this one are missing (§5): one NAK with the expected PSN, then silence until it has come. */
    private void onGap(QpContext qp) {
        ReceiveState r = qp.receive;
        engine.counters().count(Counter.OUT_OF_SEQUENCE);
        if (r.nakOutstanding) {
            engine.counters().drop(DropReason.OUT_OF_SEQUENCE);
            return;
        }
        r.nakOutstanding = true;
        r.oweNak(Syndrome.NAK_SEQUENCE_ERROR, r.expectedPsn);
    }

    private void onExpected(QpContext qp, RocePacket packet) {
        ReceiveState r = qp.receive;
        // The missing packet is here: a NAK that asked for it and is still unsent would ask in vain.
        r.nakOutstanding = false;
        r.nakSyndrome = ReceiveState.NO_SYNDROME;
        Disposition disposition = checks.check(qp, packet);
        if (disposition == Disposition.PROCEED) {
            disposition = executor.execute(qp, packet);
        }
        if (disposition == Disposition.PROCEED) {
            if (qp.state() == QueuePairState.ERR) {
                // Its completion was lost: the queue pair failed under the request (§8.1).
                refusal.oweNak(qp, Disposition.LOCAL_FAILURE, packet.psn());
            } else if (packet.ackRequest() && isAcknowledgedByAck(packet.opcode())) {
                r.ackDue = true; // §7.3
            }
        } else if (disposition == Disposition.RECEIVER_NOT_READY) {
            askToWait(qp, packet.psn());
        } else {
            refusal.refuse(qp, disposition, packet.psn(), r.current != null, checks.describe(packet, disposition));
        }
    }

    private static boolean isAcknowledgedByAck(Opcode opcode) {
        return switch (opcode.operation()) {
            case SEND, RDMA_WRITE -> true;
            default -> false;
        };
    }

    /** §7.5: nothing is consumed; the peer is told to wait. */
    private void askToWait(QpContext qp, int psn) {
        engine.counters().count(Counter.RNR_NAK_SENT);
        qp.receive.nakOutstanding = true;
        qp.receive.oweNak(Syndrome.rnrNak(qp.attributes.minRnrTimer), psn);
    }
}
