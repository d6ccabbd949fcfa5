package io.rdma4j.core.ud;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.PacketWriter;
import io.rdma4j.core.transport.Payload;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionStatus;

/** Sends datagrams. Each is one packet, and done when the link has it (§6.1(7)); what cannot be sent leads to SQE (§8.2). */
final class DatagramSender {
    private final EngineServices engine;
    private final Completions completions;
    private final Payload payload;
    private final PacketWriter writer = new PacketWriter();
    private final int mtu;

    DatagramSender(EngineServices engine, Completions completions, int mtu) {
        this.engine = engine;
        this.completions = completions;
        this.payload = new Payload(engine.memory());
        this.mtu = mtu;
    }

    /** Gives a queue pair its turn: up to one send batch. */
    Turn serve(QpContext qp, Egress egress) {
        SendState s = qp.send;
        int quota = Turn.packets(mtu);
        for (int sent = 0;
                qp.state() == QueuePairState.RTS && s.head != qp.sendQueue().posted();
                sent++) {
            if (sent == quota) {
                return Turn.MORE;
            }
            if (!send(qp, qp.sendQueue().at(s.head), egress)) {
                return Turn.BLOCKED;
            }
            s.cursor = s.head;
        }
        return Turn.IDLE;
    }

    /** Completes one request, with success or without; false, and nothing has changed, when the link takes nothing. */
    private boolean send(QpContext qp, SendWorkEntry entry, Egress egress) {
        Opcode opcode = entry.kind.opcode(Transport.UD, true, true); // each is one packet
        Path path = entry.path;
        if (opcode == null || path == null) {
            return fail(
                    qp, WorkCompletionStatus.LOC_QP_OP_ERR, entry.kind + " is not for datagrams; only a SEND is (§14)");
        }
        if (entry.handleDomain != qp.protectionDomain()) {
            return fail(
                    qp,
                    WorkCompletionStatus.LOC_QP_OP_ERR,
                    "the address handle is of protection domain " + entry.handleDomain + ", the queue pair of "
                            + qp.protectionDomain());
        }
        if (entry.length() > mtu) {
            return fail(
                    qp,
                    WorkCompletionStatus.LOC_LEN_ERR, // §6.1(12)
                    "a datagram of " + entry.length() + " bytes; the MTU of the port is " + mtu);
        }
        int bytes = (int) entry.length();
        if (bytes > 0 && !payload.checkSource(entry, qp.protectionDomain(), 0, bytes)) {
            return fail(qp, WorkCompletionStatus.LOC_PROT_ERR, payload.describeFailure());
        }
        if (!egress.claim(path, writer.frameLength(opcode, bytes))) {
            return false;
        }
        if (!write(qp, entry, opcode, egress)) {
            egress.cancel();
            return fail(qp, WorkCompletionStatus.LOC_PROT_ERR, "the memory of the request failed");
        }
        egress.commit();
        committed(qp);
        return true;
    }

    /** Whether all bytes could be read. */
    private boolean write(QpContext qp, SendWorkEntry entry, Opcode opcode, Egress egress) {
        int bytes = (int) entry.length();
        writer.begin(egress.buffer(), egress.offset(), opcode, entry.destinationQp, qp.send.nextPsn);
        writer.flags(false, entry.solicited);
        // §3: with the top bit set it stands for the queue pair's own.
        writer.deth(entry.qkey < 0 ? qp.attributes.qkey : entry.qkey, qp.number());
        if (opcode.hasImmediate()) {
            writer.immediate(entry.immediate);
        }
        try {
            payload.gather(entry, qp.protectionDomain(), 0, egress.buffer(), writer.payloadOffset(), bytes);
        } catch (AccessFault e) {
            return false;
        }
        writer.end(bytes);
        return true;
    }

    /** §6.1(7): the link has the datagram, whatever becomes of the queue pair; so the request is done. */
    private void committed(QpContext qp) {
        SendState s = qp.send;
        engine.counters().count(Counter.SENT_PACKETS);
        s.nextPsn = Psn.next(s.nextPsn);
        s.una = s.nextPsn;
        s.maxPsn = s.nextPsn;
        completions.sendSucceeded(qp);
    }

    private boolean fail(QpContext qp, WorkCompletionStatus status, String cause) {
        completions.failSend(qp, status, 0, cause);
        return true;
    }
}
