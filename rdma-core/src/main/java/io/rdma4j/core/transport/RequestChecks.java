package io.rdma4j.core.transport;

import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a request in sequence, in the order of §7.2: opcode sequence, operation allowed, resources, length, key.
 * Another order would give wrong NAKs. Besides taking a receive for a message that begins, they change nothing.
 */
public final class RequestChecks {
    private final MemoryTable memory;
    private final Payload payload;
    private String keyFailure = "";

    public RequestChecks(MemoryTable memory, Payload payload) {
        this.memory = memory;
        this.payload = payload;
    }

    public Disposition check(QpContext qp, RocePacket packet) {
        Opcode opcode = packet.opcode();
        keyFailure = "";
        if (!inSequence(qp.receive, opcode)) {
            return Disposition.OUT_OF_ORDER;
        }
        if (!allowed(qp, opcode.operation())) {
            return Disposition.NOT_ALLOWED;
        }
        if (isUnsupported(opcode)) {
            return Disposition.INVALID_REQUEST;
        }
        Disposition resources = resources(qp, opcode);
        if (resources != Disposition.PROCEED) {
            return resources;
        }
        if (!lengthIsRight(qp, packet)) {
            return Disposition.BAD_LENGTH;
        }
        return opcode.operation() == Operation.SEND ? receiveBuffer(qp, packet) : remoteKey(qp, packet);
    }

    /** §7.2(1): after FIRST or MIDDLE of a kind only MIDDLE or LAST of that kind. */
    private static boolean inSequence(ReceiveState r, Opcode opcode) {
        if (opcode.position().begins()) {
            return r.message == ReceiveState.Message.NONE;
        }
        return r.message == messageOf(opcode.operation());
    }

    public static ReceiveState.Message messageOf(Operation operation) {
        return switch (operation) {
            case SEND -> ReceiveState.Message.SEND;
            case RDMA_WRITE -> ReceiveState.Message.RDMA_WRITE;
            default -> ReceiveState.Message.NONE;
        };
    }

    /** §7.2(2): the queue pair's own access flags. */
    private static boolean allowed(QpContext qp, Operation operation) {
        AccessFlag needed = rightFor(operation);
        return needed == null || qp.attributes.allows(needed);
    }

    public static @Nullable AccessFlag rightFor(Operation operation) {
        return switch (operation) {
            case RDMA_WRITE -> AccessFlag.REMOTE_WRITE;
            case READ_REQUEST -> AccessFlag.REMOTE_READ;
            case COMPARE_SWAP, FETCH_ADD -> AccessFlag.REMOTE_ATOMIC;
            default -> null;
        };
    }

    /** Operations this device does not offer yet are invalid requests, never silence. */
    private static boolean isUnsupported(Opcode opcode) {
        return opcode.operation() == Operation.FLUSH || opcode.operation() == Operation.ATOMIC_WRITE;
    }

    /**
     * Whether the packet is the one that takes a receive: the first of a SEND, and of a WRITE the one with the immediate
     * data, which is its last (§7.2(3)).
     */
    private static boolean takesReceive(Opcode opcode) {
        return switch (opcode.operation()) {
            case SEND -> opcode.position().begins();
            case RDMA_WRITE -> opcode.hasImmediate();
            default -> false;
        };
    }

    /** §7.2(3): responder resources, and a receive for a message that needs one. */
    private static Disposition resources(QpContext qp, Opcode opcode) {
        ReceiveState r = qp.receive;
        if (opcode.operation() == Operation.READ_REQUEST || opcode.operation().isAtomic()) {
            return r.slots.hasRoom() ? Disposition.PROCEED : Disposition.INVALID_REQUEST;
        }
        return takesReceive(opcode) && !Receives.take(qp) ? Disposition.RECEIVER_NOT_READY : Disposition.PROCEED;
    }

    /** §7.2(4): FIRST and MIDDLE are one MTU, and a WRITE carries exactly what its RETH says. */
    private static boolean lengthIsRight(QpContext qp, RocePacket packet) {
        int mtu = qp.attributes.mtuBytes();
        int bytes = packet.payloadLength();
        boolean sizeIsRight = switch (packet.opcode().payloadRule()) {
            case NONE -> bytes == 0;
            case FULL -> bytes == mtu;
            case SOME -> bytes >= 1 && bytes <= mtu;
            case ANY -> bytes <= mtu;
            case EIGHT -> bytes == Long.BYTES;
        };
        if (!sizeIsRight) {
            return false;
        }
        if (packet.opcode().hasReth() && packet.rethLength() > EngineLimits.MAX_MESSAGE_BYTES) {
            return false;
        }
        if (packet.opcode().operation() != Operation.RDMA_WRITE) {
            return true;
        }
        long left = packet.opcode().hasReth() ? packet.rethLength() : qp.receive.writeRemaining;
        return packet.opcode().position().ends() ? bytes == left : bytes < left;
    }

    /** §7.2(6): the receive must hold the message so far, and its memory must be writable here. */
    private Disposition receiveBuffer(QpContext qp, RocePacket packet) {
        ReceiveState r = qp.receive;
        ReceiveWorkEntry receive = r.current;
        int bytes = packet.payloadLength();
        if (receive == null || r.placed + bytes > receive.elements().totalLength()) {
            return Disposition.RECEIVE_TOO_SHORT;
        }
        int right = AccessFlag.LOCAL_WRITE.code();
        if (bytes > 0 && !payload.check(receive.elements(), qp.receiveDomain(), right, r.placed, bytes)) {
            keyFailure = payload.describeFailure();
            return Disposition.RECEIVE_PROTECTION;
        }
        return Disposition.PROCEED;
    }

    /** §7.2(5) and (7): alignment of an atomic, then key, domain, right and range; length 0 needs no key. */
    private Disposition remoteKey(QpContext qp, RocePacket packet) {
        Opcode opcode = packet.opcode();
        if (opcode.hasAtomicEth()) {
            if ((packet.atomicAddress() & (Long.BYTES - 1)) != 0) {
                return Disposition.INVALID_REQUEST;
            }
            return resolve(qp, packet, packet.atomicKey(), packet.atomicAddress(), Long.BYTES);
        }
        if (opcode.hasReth()) {
            return resolve(qp, packet, packet.rethKey(), packet.rethAddress(), packet.rethLength());
        }
        // In the middle of a WRITE: the region may have gone since FIRST.
        ReceiveState r = qp.receive;
        return resolve(qp, packet, r.writeKey, r.writeAddress, packet.payloadLength());
    }

    private Disposition resolve(QpContext qp, RocePacket packet, int key, long address, long length) {
        AccessFlag right = rightFor(packet.opcode().operation());
        if (length == 0 || right == null) {
            return Disposition.PROCEED;
        }
        if (memory.resolveRemote(key, qp, right.code(), address, length) == null) {
            keyFailure = "remote " + memory.describeFailure(key, address, length);
            return Disposition.REMOTE_ACCESS;
        }
        return Disposition.PROCEED;
    }

    /** The refusal of the last packet in words. */
    public String describe(RocePacket packet, Disposition disposition) {
        String what = String.format("%s at PSN 0x%06x: %s", packet.opcode(), packet.psn(), disposition);
        if (disposition == Disposition.INVALIDATION) {
            return String.format(
                    "%s: key 0x%08x %s",
                    what, packet.invalidateKey(), memory.failure().words());
        }
        return keyFailure.isEmpty() ? what : what + ": " + keyFailure;
    }
}
