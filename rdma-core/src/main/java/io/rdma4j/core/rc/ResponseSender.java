package io.rdma4j.core.rc;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReadAtomicSlots.Slot;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Disposition;
import io.rdma4j.core.transport.PacketWriter;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.AccessFlag;

/** Sends what a responder owes, in PSN order: answers to READs and atomics, then one ACK or NAK (§5, §7.3). */
public final class ResponseSender {
    private static final int ACK = Syndrome.ack(Syndrome.UNLIMITED_CREDITS);

    private final EngineServices engine;
    private final MemoryTable memory;
    private final Refusal refusal;
    private final PacketWriter writer = new PacketWriter();

    public ResponseSender(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.memory = engine.memory();
        this.refusal = new Refusal(engine, completions);
    }

    /** Gives a queue pair its turn: up to one send batch of responses. */
    public Turn serve(QpContext qp, Egress egress) {
        ReceiveState r = qp.receive;
        Path path = qp.path;
        if (path == null) {
            return Turn.IDLE;
        }
        int quota = Turn.packets(qp.attributes.mtuBytes());
        for (int sent = 0; r.hasDue(); sent++) {
            if (sent == quota) {
                return Turn.MORE;
            }
            Slot slot = r.slots.nextDue();
            boolean done;
            if (slot != null) {
                done = slot.atomic ? atomicResult(qp, path, slot, egress) : readResponse(qp, path, slot, egress);
            } else {
                done = acknowledge(qp, path, egress);
            }
            if (!done) {
                return Turn.BLOCKED;
            }
        }
        return Turn.IDLE;
    }

    private boolean acknowledge(QpContext qp, Path path, Egress egress) {
        ReceiveState r = qp.receive;
        boolean negative = r.nakSyndrome != ReceiveState.NO_SYNDROME;
        int psn = negative ? r.nakPsn : Psn.previous(r.expectedPsn);
        if (!begin(qp, path, Opcode.RC_ACKNOWLEDGE, psn, 0, egress)) {
            return false;
        }
        writer.aeth(negative ? r.nakSyndrome : ACK, r.msn);
        finish(0, egress);
        r.ackDue = false; // a NAK acknowledges all before it too
        r.nakSyndrome = ReceiveState.NO_SYNDROME;
        return true;
    }

    private boolean atomicResult(QpContext qp, Path path, Slot slot, Egress egress) {
        if (!begin(qp, path, Opcode.RC_ATOMIC_ACKNOWLEDGE, slot.firstPsn, 0, egress)) {
            return false;
        }
        writer.aeth(ACK, slot.msn);
        writer.atomicAck(slot.result);
        finish(0, egress);
        qp.receive.slots.answered();
        return true;
    }

    /** One packet of a READ's answer. The key is looked up for each: the region may go while the answer is on its way. */
    private boolean readResponse(QpContext qp, Path path, Slot slot, Egress egress) {
        int mtu = qp.attributes.mtuBytes();
        long offset = (long) Psn.diff(slot.cursor, slot.firstPsn) * mtu;
        int bytes = (int) Math.min(mtu, slot.answerEnd - offset);
        long address = slot.address + offset;
        RegisteredMemory region = null;
        if (bytes > 0) {
            region = memory.resolveRemote(slot.key, qp, AccessFlag.REMOTE_READ.code(), address, bytes);
            if (region == null) {
                refuse(qp, slot, Disposition.REMOTE_ACCESS, memory.describeFailure(slot.key, address, bytes));
                return true;
            }
        }
        boolean last = slot.cursor == slot.answerLast;
        Opcode opcode = responseOpcode(slot.cursor == slot.answerFirst, last);
        if (!begin(qp, path, opcode, slot.cursor, bytes, egress)) {
            return false;
        }
        if (opcode.hasAeth()) {
            writer.aeth(ACK, slot.msn);
        }
        try {
            if (region != null) {
                region.read(address, egress.buffer(), writer.payloadOffset(), bytes);
            }
        } catch (AccessFault e) {
            egress.cancel();
            refuse(qp, slot, Disposition.LOCAL_FAILURE, String.valueOf(e.getMessage()));
            return true;
        }
        finish(bytes, egress);
        if (last) {
            qp.receive.slots.answered();
        } else {
            slot.cursor = Psn.next(slot.cursor);
        }
        return true;
    }

    private static Opcode responseOpcode(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }

    /** The answer cannot go on: a NAK takes the place of the response (§5), and nothing after it is answered. */
    private void refuse(QpContext qp, Slot slot, Disposition why, String cause) {
        int psn = slot.cursor;
        qp.receive.cancelDue();
        refusal.refuse(qp, why, psn, false, String.format("READ response at PSN 0x%06x: %s", psn, cause));
    }

    private boolean begin(QpContext qp, Path path, Opcode opcode, int psn, int bytes, Egress egress) {
        if (!egress.claim(path, writer.frameLength(opcode, bytes))) {
            return false;
        }
        writer.begin(egress.buffer(), egress.offset(), opcode, qp.attributes.destinationQp, psn);
        writer.flags(false, false);
        return true;
    }

    private void finish(int bytes, Egress egress) {
        writer.end(bytes);
        egress.commit();
        engine.counters().count(Counter.SENT_PACKETS);
    }
}
