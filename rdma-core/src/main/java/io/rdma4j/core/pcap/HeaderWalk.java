package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Feth;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Xrceth;
import java.nio.ByteBuffer;

/** Goes through the extension headers of a well-formed packet in the order of the wire (§2). */
final class HeaderWalk {
    private HeaderWalk() {}

    static void visit(RocePacket packet, HeaderVisitor visitor) {
        Opcode opcode = packet.opcode();
        ByteBuffer buffer = packet.buffer();
        int bth = packet.offset();
        if (opcode.hasXrceth()) {
            visitor.xrceth(new Xrceth().wrap(buffer, bth + opcode.xrcethOffset()));
        }
        if (opcode.hasDeth()) {
            visitor.deth(new Deth().wrap(buffer, bth + opcode.dethOffset()));
        }
        if (opcode.hasFeth()) {
            visitor.feth(new Feth().wrap(buffer, bth + opcode.fethOffset()));
        }
        if (opcode.hasReth()) {
            visitor.reth(new Reth().wrap(buffer, bth + opcode.rethOffset()));
        }
        if (opcode.hasAtomicEth()) {
            visitor.atomicEth(new AtomicEth().wrap(buffer, bth + opcode.atomicEthOffset()));
        }
        if (opcode.hasAeth()) {
            visitor.aeth(new Aeth().wrap(buffer, bth + opcode.aethOffset()));
        }
        if (opcode.hasAtomicAckEth()) {
            visitor.atomicAckEth(new AtomicAckEth().wrap(buffer, bth + opcode.atomicAckEthOffset()));
        }
        if (opcode.hasImmediate()) {
            visitor.immediate(new ImmediateData().wrap(buffer, bth + opcode.immediateOffset()));
        }
        if (opcode.hasInvalidate()) {
            visitor.ieth(new Ieth().wrap(buffer, bth + opcode.invalidateOffset()));
        }
    }
}
