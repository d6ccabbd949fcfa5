package io.rdma4j.core.rc;

import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Payload;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Takes responses and completes requests, in order (§5, §6.2, §8.3). */
public final class Completer {
    private final EngineServices engine;
    private final Completions completions;
    private final LossRecovery recovery;
    private final Requester requester;
    private final Payload payload;
    private final ByteBuffer atomicResult =
            ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    public Completer(EngineServices engine, Completions completions, LossRecovery recovery, Requester requester) {
        this.engine = engine;
        this.completions = completions;
        this.recovery = recovery;
        this.requester = requester;
        this.payload = new Payload(engine.memory());
    }

    /** Takes one response packet of a queue pair in RTS. */
    public void onResponse(QpContext qp, RocePacket packet, long nowNs) {
        SendState s = qp.send;
        int psn = packet.psn();
        if (Psn.diff(psn, s.una) < 0 || Psn.diff(psn, s.maxPsn) >= 0) {
            // §5: acknowledged already, or never sent; completes nothing and is no error.
            engine.counters().drop(DropReason.GHOST_RESPONSE);
            return;
        }
        int unaBefore = s.una;
        switch (packet.opcode().operation()) {
            case ACKNOWLEDGE -> onAcknowledge(qp, packet, nowNs);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> onData(qp, packet, nowNs);
            default -> throw new IllegalArgumentException(packet.opcode() + " is no response");
        }
        if (s.una != unaBefore && qp.isRequesting()) {
            requester.failIfDue(qp);
        }
        completions.noteDrained(qp);
        if (qp.isRequesting() && s.cursor < qp.sendQueue().posted()) {
            engine.readyToSend(qp);
        }
    }

    private void onAcknowledge(QpContext qp, RocePacket packet, long nowNs) {
        int syndrome = packet.syndrome();
        int psn = packet.psn();
        if (Syndrome.isAck(syndrome)) {
            if (acknowledge(qp, Psn.next(psn), nowNs) && qp.send.una != Psn.next(psn)) {
                // An ACK beyond a READ or atomic whose response has not come: the response was lost (§5).
                recovery.onSequenceError(qp, Counter.IMPLIED_NAK_SEQUENCE_ERROR);
            }
        } else if (Syndrome.isReserved(syndrome)) {
            engine.counters().drop(DropReason.RESERVED_SYNDROME);
        } else {
            onNegative(qp, psn, syndrome, nowNs);
        }
    }

    /** A NAK acknowledges everything before its PSN (§5); then it says what is wrong with the packet at it. */
    private void onNegative(QpContext qp, int psn, int syndrome, long nowNs) {
        SendState s = qp.send;
        if (!acknowledge(qp, psn, nowNs)) {
            return;
        }
        if (s.una != psn) {
            if (NakTable.statusOf(syndrome) != null) {
                s.refusalBehind = String.format("%s at PSN 0x%06x", Syndrome.describe(syndrome), psn);
            }
            recovery.onSequenceError(qp, Counter.IMPLIED_NAK_SEQUENCE_ERROR);
        } else if (Syndrome.isRnrNak(syndrome)) {
            recovery.onReceiverNotReady(qp, Syndrome.value(syndrome), nowNs);
        } else if (syndrome == Syndrome.NAK_SEQUENCE_ERROR) {
            recovery.onSequenceError(qp, Counter.PACKET_SEQUENCE_ERROR);
        } else {
            WorkCompletionStatus status = NakTable.statusOf(syndrome);
            if (status == null) {
                engine.counters().drop(DropReason.RESERVED_SYNDROME);
                return;
            }
            completions.failSend(qp, status, syndrome, NakTable.describe(syndrome, s, head(qp)));
        }
    }

    private static SendWorkEntry head(QpContext qp) {
        return qp.sendQueue().at(qp.send.head);
    }

    /**
     * Acknowledges all PSNs before {@code end}, but never a READ or atomic, which only its data completes. Stops at such
     * a one: una is then short of {@code end}.
     *
     * @return false when the completion queue overran, and the queue pair failed with it
     */
    private boolean acknowledge(QpContext qp, int end, long nowNs) {
        SendState s = qp.send;
        long bytes = 0;
        int packets = 0;
        int left = Psn.distance(s.una, end);
        while (packets < left && qp.isRequesting()) {
            SendWorkEntry entry = head(qp);
            if (entry.kind.awaitsResponse()) {
                break;
            }
            int from = Psn.diff(s.una, entry.firstPsn);
            int n = Math.min(entry.packets - from, left - packets);
            bytes += Requester.frameBytes(qp, entry, from, n);
            packets += n;
            s.una = Psn.add(s.una, n);
            if (from + n == entry.packets) {
                completions.sendSucceeded(qp);
            }
        }
        progressed(qp, bytes, packets, nowNs);
        return qp.isRequesting();
    }

    private void progressed(QpContext qp, long bytes, int packets, long nowNs) {
        SendState s = qp.send;
        if (packets == 0 || !qp.isRequesting()) {
            return;
        }
        recovery.noteArrival(qp);
        recovery.discharge(qp, bytes, packets);
        recovery.widen(s, packets);
        int unaBefore = Psn.add(s.una, -packets);
        if (Psn.distance(unaBefore, s.nextPsn) < packets) {
            recovery.seek(qp); // what was about to be sent again has arrived after all
        }
        recovery.onProgress(qp, nowNs);
    }

    /** A READ response or an atomic's result; it also acknowledges all before it (§5). */
    private void onData(QpContext qp, RocePacket packet, long nowNs) {
        SendState s = qp.send;
        int psn = packet.psn();
        if (packet.opcode().hasAeth() && Syndrome.isReserved(packet.syndrome())) {
            engine.counters().drop(DropReason.RESERVED_SYNDROME);
            return;
        }
        if (!acknowledge(qp, psn, nowNs)) {
            return;
        }
        if (s.una != psn) {
            recovery.onSequenceError(qp, Counter.IMPLIED_NAK_SEQUENCE_ERROR);
            return;
        }
        SendWorkEntry entry = head(qp);
        String wrong = ResponseCheck.problem(qp, entry, packet);
        if (wrong != null) {
            completions.failSend(qp, WorkCompletionStatus.BAD_RESP_ERR, 0, wrong);
            return;
        }
        String refused = entry.kind.isAtomic() ? placeResult(qp, entry, packet) : placeRead(qp, entry, packet);
        if (refused != null) {
            completions.failSend(qp, WorkCompletionStatus.LOC_PROT_ERR, 0, refused);
            return;
        }
        long bytes = Requester.frameBytes(qp, entry, Psn.diff(psn, entry.firstPsn), 1);
        s.una = Psn.next(psn);
        if (s.reads.oldestLastPsn() == psn) {
            s.reads.pop();
        }
        if (entry.lastPsn() == psn) {
            completions.sendSucceeded(qp);
        }
        progressed(qp, bytes, 1, nowNs);
    }

    private @Nullable String placeRead(QpContext qp, SendWorkEntry entry, RocePacket packet) {
        long offset = (long) Psn.diff(packet.psn(), entry.firstPsn) * qp.attributes.mtuBytes();
        return place(qp, entry, offset, packet.buffer(), packet.payloadOffset(), packet.payloadLength());
    }

    /** The result is handed over in host order, little-endian (§3). */
    private @Nullable String placeResult(QpContext qp, SendWorkEntry entry, RocePacket packet) {
        atomicResult.putLong(0, packet.atomicOriginal());
        return place(qp, entry, 0, atomicResult, 0, Long.BYTES);
    }

    private @Nullable String place(
            QpContext qp, SendWorkEntry entry, long offset, ByteBuffer source, int index, int bytes) {
        int right = AccessFlag.LOCAL_WRITE.code();
        if (bytes > 0 && !payload.check(entry.elements(), qp.protectionDomain(), right, offset, bytes)) {
            return payload.describeFailure();
        }
        try {
            payload.scatter(entry.elements(), qp.protectionDomain(), offset, source, index, bytes);
            return null;
        } catch (AccessFault e) {
            return e.getMessage();
        }
    }
}
