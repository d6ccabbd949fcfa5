package io.rdma4j.core.transport;

import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReadAtomicSlots.Slot;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** Executes requests that passed all checks, exactly once, and moves the expected PSN and the MSN (§4.1, §7). */
public final class RequestExecutor {
    private final MemoryTable memory;
    private final Completions completions;
    private final Payload payload;

    public RequestExecutor(MemoryTable memory, Completions completions, Payload payload) {
        this.memory = memory;
        this.completions = completions;
        this.payload = payload;
    }

    /** PROCEED, or why it failed although all checks passed; then no state has moved. */
    public Disposition execute(QpContext qp, RocePacket packet) {
        try {
            Operation operation = packet.opcode().operation();
            switch (operation) {
                case SEND -> {
                    return send(qp, packet);
                }
                case RDMA_WRITE -> write(qp, packet);
                case READ_REQUEST -> read(qp, packet);
                case COMPARE_SWAP, FETCH_ADD -> atomic(qp, packet);
                default -> throw new IllegalArgumentException(packet.opcode() + " passed the checks");
            }
            return Disposition.PROCEED;
        } catch (AccessFault e) {
            return Disposition.LOCAL_FAILURE;
        }
    }

    private Disposition send(QpContext qp, RocePacket packet) throws AccessFault {
        ReceiveState r = qp.receive;
        ReceiveWorkEntry receive = Objects.requireNonNull(r.current);
        int bytes = packet.payloadLength();
        payload.scatter(
                receive.elements(), qp.receiveDomain(), r.placed, packet.buffer(), packet.payloadOffset(), bytes);
        if (packet.opcode().hasInvalidate() && !memory.invalidate(packet.invalidateKey(), qp)) {
            return Disposition.INVALIDATION; // §7.2(8): the data are placed by now
        }
        r.placed += bytes;
        continueMessage(r, packet.opcode());
        if (packet.opcode().position().ends()) {
            completions.receiveSucceeded(qp, packet, r.placed);
            r.endMessage();
        }
        return Disposition.PROCEED;
    }

    private void write(QpContext qp, RocePacket packet) throws AccessFault {
        ReceiveState r = qp.receive;
        Opcode opcode = packet.opcode();
        int bytes = packet.payloadLength();
        long address = opcode.hasReth() ? packet.rethAddress() : r.writeAddress;
        int key = opcode.hasReth() ? packet.rethKey() : r.writeKey;
        long left = opcode.hasReth() ? packet.rethLength() : r.writeRemaining;
        r.writeLength = opcode.hasReth() ? left : r.writeLength;
        if (bytes > 0) {
            region(qp, key, address, bytes).write(address, packet.buffer(), packet.payloadOffset(), bytes);
            // Whoever polls this memory sees earlier packets' bytes before later ones'.
            VarHandle.releaseFence();
        }
        r.writeKey = key;
        r.writeAddress = address + bytes;
        r.writeRemaining = left - bytes;
        continueMessage(r, opcode);
        if (opcode.hasImmediate()) {
            completions.receiveSucceeded(qp, packet, r.writeLength);
        }
        if (opcode.position().ends()) {
            r.endMessage();
        }
    }

    private static void continueMessage(ReceiveState r, Opcode opcode) {
        r.message = RequestChecks.messageOf(opcode.operation());
        r.expectedPsn = Psn.next(r.expectedPsn);
        if (opcode.position().ends()) {
            r.msn = Psn.next(r.msn); // MSN is 24 bits too
        }
    }

    /** A READ uses as many PSNs as it has responses (§5); they are sent later, in quanta, from memory as it is then. */
    private static void read(QpContext qp, RocePacket packet) {
        ReceiveState r = qp.receive;
        int responses = qp.attributes.packetsOf(packet.rethLength());
        Slot slot = remember(r, false, responses);
        slot.address = packet.rethAddress();
        slot.key = packet.rethKey();
        slot.length = packet.rethLength();
        r.slots.schedule(slot, slot.firstPsn, slot.lastPsn);
    }

    private void atomic(QpContext qp, RocePacket packet) throws AccessFault {
        RegisteredMemory region = region(qp, packet.atomicKey(), packet.atomicAddress(), Long.BYTES);
        long before = packet.opcode().operation() == Operation.COMPARE_SWAP
                ? region.compareAndSwap(packet.atomicAddress(), packet.atomicCompare(), packet.atomicSwapOrAdd())
                : region.fetchAndAdd(packet.atomicAddress(), packet.atomicSwapOrAdd());
        Slot slot = remember(qp.receive, true, 1);
        slot.result = before;
        qp.receive.slots.schedule(slot, slot.firstPsn, slot.lastPsn);
    }

    private static Slot remember(ReceiveState r, boolean atomic, int psns) {
        Slot slot = Objects.requireNonNull(r.slots.allocate());
        slot.valid = true;
        slot.atomic = atomic;
        slot.firstPsn = r.expectedPsn;
        slot.lastPsn = Psn.add(r.expectedPsn, psns - 1);
        r.expectedPsn = Psn.add(r.expectedPsn, psns);
        r.msn = Psn.next(r.msn);
        slot.msn = r.msn;
        return slot;
    }

    private RegisteredMemory region(QpContext qp, int key, long address, int bytes) {
        return Objects.requireNonNull(memory.resolveRemote(key, qp, 0, address, bytes));
    }
}
