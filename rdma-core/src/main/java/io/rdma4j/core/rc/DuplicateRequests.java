package io.rdma4j.core.rc;

import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReadAtomicSlots.Slot;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;

/** Requests seen before (§7.4): answered again, never executed again, and without touching the message in progress. */
final class DuplicateRequests {
    private final EngineServices engine;

    DuplicateRequests(EngineServices engine) {
        this.engine = engine;
    }

    void onDuplicate(QpContext qp, RocePacket packet) {
        Opcode opcode = packet.opcode();
        switch (opcode.operation()) {
            case SEND, RDMA_WRITE -> {
                if (packet.ackRequest() || opcode.position().ends()) {
                    qp.receive.ackDue = true; // with the newest PSN, not the duplicate's
                }
            }
            case READ_REQUEST -> onRead(qp, packet);
            case COMPARE_SWAP, FETCH_ADD -> onAtomic(qp, packet);
            default -> engine.counters().drop(DropReason.DUPLICATE_DROPPED);
        }
    }

    /** Reads memory again, if the request lies within a READ that is remembered: same key, a part of its range. */
    private void onRead(QpContext qp, RocePacket packet) {
        ReceiveState r = qp.receive;
        Slot slot = r.slots.find(packet.psn());
        if (slot == null || slot.atomic || !isPartOf(slot, packet, qp.attributes.mtuBytes())) {
            engine.counters().drop(DropReason.DUPLICATE_DROPPED);
            return;
        }
        int responses = qp.attributes.packetsOf(packet.rethLength());
        long end = packet.rethAddress() + packet.rethLength() - slot.address;
        r.slots.repeat(slot, packet.psn(), Psn.add(packet.psn(), responses - 1), end);
    }

    private static boolean isPartOf(Slot slot, RocePacket packet, int mtu) {
        long skipped = (long) Psn.diff(packet.psn(), slot.firstPsn) * mtu;
        return packet.rethKey() == slot.key
                && packet.rethAddress() == slot.address + skipped
                && packet.rethLength() <= slot.length - skipped;
    }

    /** Gives the saved result; the operation itself happened once. */
    private void onAtomic(QpContext qp, RocePacket packet) {
        Slot slot = qp.receive.slots.find(packet.psn());
        if (slot == null || !slot.atomic) {
            engine.counters().drop(DropReason.DUPLICATE_DROPPED);
        } else {
            qp.receive.slots.repeat(slot, slot.firstPsn, slot.lastPsn, 0);
        }
    }
}
