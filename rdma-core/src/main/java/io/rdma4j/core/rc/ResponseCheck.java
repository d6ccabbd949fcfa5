package io.rdma4j.core.rc;

import io.rdma4j.core.qp.OutstandingReads;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.Position;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Syndrome;
import org.jspecify.annotations.Nullable;

/** Whether a response with data is the one its request asks for (§8.2: else BAD_RESP_ERR). */
final class ResponseCheck {
    private ResponseCheck() {}

    /** What is wrong with a response at the next expected PSN, in words; null when it is right. */
    static @Nullable String problem(QpContext qp, SendWorkEntry entry, RocePacket packet) {
        boolean atomicAnswer = packet.opcode().operation() == Operation.ATOMIC_ACKNOWLEDGE;
        boolean fits = atomicAnswer ? entry.kind.isAtomic() : entry.kind == RequestKind.RDMA_READ;
        if (!fits) {
            return String.format("%s at PSN 0x%06x answers a %s", packet.opcode(), packet.psn(), entry.kind);
        }
        if (packet.opcode().hasAeth() && !Syndrome.isAck(packet.syndrome())) {
            return String.format(
                    "%s at PSN 0x%06x with syndrome 0x%02x", packet.opcode(), packet.psn(), packet.syndrome());
        }
        return atomicAnswer ? null : readProblem(qp, entry, packet);
    }

    private static @Nullable String readProblem(QpContext qp, SendWorkEntry entry, RocePacket packet) {
        int mtu = qp.attributes.mtuBytes();
        int index = Psn.diff(packet.psn(), entry.firstPsn);
        long expected = Math.min(mtu, entry.length() - (long) index * mtu);
        if (packet.payloadLength() != expected) {
            return String.format(
                    "%s at PSN 0x%06x carries %d bytes instead of %d",
                    packet.opcode(), packet.psn(), packet.payloadLength(), expected);
        }
        OutstandingReads reads = qp.send.reads;
        if (reads.isOldestRepeated()) {
            // Asked for more than once: the answers to either request are cut their own way, the bytes are the same.
            return null;
        }
        boolean first = packet.psn() == reads.oldestFirstPsn();
        boolean last = packet.psn() == reads.oldestLastPsn();
        Position due = first ? (last ? Position.ONLY : Position.FIRST) : last ? Position.LAST : Position.MIDDLE;
        return packet.opcode().position() == due
                ? null
                : String.format("%s at PSN 0x%06x where %s is due", packet.opcode(), packet.psn(), due);
    }
}
