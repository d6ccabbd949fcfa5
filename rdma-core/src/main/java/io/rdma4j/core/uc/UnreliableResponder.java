package io.rdma4j.core.uc;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Disposition;
import io.rdma4j.core.transport.Payload;
import io.rdma4j.core.transport.Receives;
import io.rdma4j.core.transport.RequestChecks;
import io.rdma4j.core.transport.RequestExecutor;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;

/**
 * Takes requests that nobody will repeat (§5, §8.4). What cannot be used is dropped, with the rest of its message, and
 * counted by its reason; the next message that begins is taken again. Nothing is ever answered.
 */
final class UnreliableResponder {
    private final EngineServices engine;
    private final Completions completions;
    private final RequestChecks checks;
    private final RequestExecutor executor;

    UnreliableResponder(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.completions = completions;
        Payload payload = new Payload(engine.memory());
        this.checks = new RequestChecks(engine.memory(), payload);
        this.executor = new RequestExecutor(engine.memory(), completions, payload);
    }

    /** Takes one packet of a queue pair that may receive. */
    void onRequest(QpContext qp, RocePacket packet) {
        completions.noteEstablished(qp);
        ReceiveState r = qp.receive;
        int distance = Psn.diff(packet.psn(), r.expectedPsn);
        if (distance < 0) {
            engine.counters().count(Counter.DUPLICATE_REQUEST);
            engine.counters().drop(DropReason.DUPLICATE_DROPPED);
            return;
        }
        boolean begins = packet.opcode().position().begins();
        if (distance > 0) {
            engine.counters().count(Counter.OUT_OF_SEQUENCE);
        }
        if (distance > 0 || begins) {
            Receives.giveBack(qp); // §5, §7.2(1): the end of the message in progress, if there is one, is lost
        }
        r.expectedPsn = packet.psn();
        if (!begins && r.message == ReceiveState.Message.NONE) {
            drop(qp, packet, DropReason.MESSAGE_BROKEN);
        } else {
            take(qp, packet);
        }
    }

    private void take(QpContext qp, RocePacket packet) {
        Disposition disposition = checks.check(qp, packet);
        if (disposition == Disposition.PROCEED) {
            disposition = executor.execute(qp, packet);
        }
        if (disposition.dropped != null) {
            drop(qp, packet, disposition.dropped);
        } else if (disposition != Disposition.PROCEED) {
            // The fault is on this side, in a receive or in memory itself: there is nobody else to tell it.
            completions.failResponder(
                    qp, disposition, qp.receive.current != null, 0, checks.describe(packet, disposition));
        }
    }

    /** The message is dropped; what else comes of it finds no message in progress. A receive that it held serves the next. */
    private void drop(QpContext qp, RocePacket packet, DropReason reason) {
        engine.counters().drop(reason);
        Receives.giveBack(qp);
        qp.receive.expectedPsn = Psn.next(packet.psn());
    }
}
