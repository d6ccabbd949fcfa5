package io.rdma4j.core.rc;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Go-back-N: timers, retries, and setting the cursor back to the oldest unacknowledged packet (§6.3). */
public final class LossRecovery {
    /** rnr_retry that never runs out (§4.4); for the transport retry count 7 means seven. */
    private static final int INFINITE_RNR_RETRY = 7;

    /** The vendor error of what no NAK brought about. */
    private static final int NO_NAK = 0;

    private final EngineServices engine;
    private final Completions completions;

    public LossRecovery(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.completions = completions;
    }

    /** A deadline of the queue pair may have passed. */
    public void onDeadline(QpContext qp, long nowNs) {
        SendState s = qp.send;
        if (s.rnrTimerNs <= nowNs) {
            s.rnrTimerNs = EngineLimits.NO_DEADLINE;
            engine.readyToSend(qp);
        }
        if (s.timerNs <= nowNs) {
            s.timerNs = EngineLimits.NO_DEADLINE;
            if (s.hasUnacknowledged() && qp.isRequesting()) {
                engine.counters().count(Counter.LOCAL_ACK_TIMEOUT_ERROR);
                retry(qp, NO_NAK, "no acknowledgement in time");
            }
        }
    }

    /** A NAK 0x60, or a response that shows that an earlier one is missing (implied NAK). */
    void onSequenceError(QpContext qp, Counter counter) {
        SendState s = qp.send;
        if (s.recovering || s.rnrTimerNs != EngineLimits.NO_DEADLINE || !s.hasUnacknowledged()) {
            // §6.3: one rollback for each retry, and none while the resending has still to begin;
            // §7.5: an RNR wait is neither shortened nor charged.
            return;
        }
        engine.counters().count(counter);
        if (counter == Counter.PACKET_SEQUENCE_ERROR) {
            retry(qp, Syndrome.NAK_SEQUENCE_ERROR, "packets lost");
        } else {
            retry(qp, NO_NAK, "responses lost");
        }
    }

    private void retry(QpContext qp, int syndrome, String what) {
        SendState s = qp.send;
        if (s.retriesLeft == 0) {
            engine.counters().count(Counter.RETRY_EXCEEDED_ERROR);
            completions.failSend(
                    qp,
                    WorkCompletionStatus.RETRY_EXC_ERR,
                    syndrome,
                    String.format(
                            "%s: PSN 0x%06x not acknowledged after %d retries (timeout code %d)%s%s",
                            what,
                            s.una,
                            qp.attributes.retryCount,
                            qp.attributes.timeout,
                            s.refusalBehind.isEmpty() ? "" : "; the peer failed with a " + s.refusalBehind,
                            sendError(qp.peer)));
            return;
        }
        s.retriesLeft--;
        PeerState peer = qp.peer;
        if (peer != null) {
            peer.onLoss();
        }
        if (s.inFlightPackets > EngineLimits.RESTART_ABOVE_PACKETS
                || s.restartWindow != EngineLimits.UNLIMITED_WINDOW) {
            s.restartWindow = EngineLimits.RESTART_PACKETS;
        }
        rollback(qp);
        s.recovering = true;
    }

    private static String sendError(@Nullable PeerState peer) {
        return peer == null || peer.sendError.isEmpty()
                ? ""
                : "; the last send was refused by the system: " + peer.sendError;
    }

    /** An RNR NAK for the oldest unacknowledged packet: wait at least as long as the responder asks (§4.3, §6.3). */
    void onReceiverNotReady(QpContext qp, int timerCode, long nowNs) {
        SendState s = qp.send;
        if (s.rnrTimerNs != EngineLimits.NO_DEADLINE) {
            return; // one wait, one charge
        }
        engine.counters().count(Counter.RNR_NAK_RECEIVED);
        s.retriesLeft = qp.attributes.retryCount; // it is a response
        if (qp.attributes.rnrRetry != INFINITE_RNR_RETRY) {
            if (s.rnrRetriesLeft == 0) {
                engine.counters().count(Counter.RNR_RETRY_EXCEEDED_ERROR);
                completions.failSend(
                        qp,
                        WorkCompletionStatus.RNR_RETRY_EXC_ERR,
                        Syndrome.rnrNak(timerCode),
                        String.format(
                                "the peer had no receive posted for PSN 0x%06x in %d tries",
                                s.una, qp.attributes.rnrRetry + 1));
                return;
            }
            s.rnrRetriesLeft--;
        }
        rollback(qp);
        s.recovering = false; // the packet did arrive, so a NAK 0x60 after the wait tells something new
        s.rnrTimerNs = nowNs + RnrTimer.nanos(timerCode);
        engine.deadlineChanged(qp);
    }

    /** The packet whose place is known has arrived, and with it, or never, all that was sent to the peer before. */
    void noteArrival(QpContext qp) {
        SendState s = qp.send;
        PeerState peer = qp.peer;
        if (s.marked && peer != null && Psn.isNewer(s.una, s.markPsn)) {
            s.marked = false;
            peer.arrived(s.markPackets, s.markBytes);
        }
    }

    /** So many packets of a restart were acknowledged: each makes room for itself and one more. */
    void widen(SendState s, int packets) {
        int wider = s.restartWindow + packets;
        s.restartWindow = wider < 0 || wider > EngineLimits.PEER_MAX_PACKETS ? EngineLimits.UNLIMITED_WINDOW : wider;
    }

    /** Something new was acknowledged: both counters reload, the timer runs anew (§4.4, §6.3). */
    void onProgress(QpContext qp, long nowNs) {
        SendState s = qp.send;
        s.recovering = false;
        PeerState peer = qp.peer;
        if (peer != null) {
            peer.sendError = ""; // what the system refused before, it takes by now
        }
        s.retriesLeft = qp.attributes.retryCount;
        s.rnrRetriesLeft = qp.attributes.rnrRetry;
        s.timerNs = s.hasUnacknowledged() ? Requester.deadline(nowNs, qp.attributes.timeout) : EngineLimits.NO_DEADLINE;
        engine.deadlineChanged(qp);
    }

    /** Everything in flight counts as lost; sending goes on at the oldest unacknowledged packet. */
    private void rollback(QpContext qp) {
        SendState s = qp.send;
        s.timerNs = EngineLimits.NO_DEADLINE;
        discharge(qp, s.inFlightBytes, s.inFlightPackets);
        s.marked = false;
        s.reads.markRepeated();
        seek(qp);
        engine.readyToSend(qp);
    }

    /** Gives back budget, at most what this queue pair holds. */
    void discharge(QpContext qp, long bytes, int packets) {
        SendState s = qp.send;
        PeerState peer = qp.peer;
        if (peer == null || packets == 0) {
            return;
        }
        long freedBytes = Math.min(bytes, s.inFlightBytes);
        int freedPackets = Math.min(packets, s.inFlightPackets);
        if (freedPackets == s.inFlightPackets) {
            freedBytes = s.inFlightBytes;
        }
        s.inFlightBytes -= freedBytes;
        s.inFlightPackets -= freedPackets;
        peer.discharge(freedBytes, freedPackets);
        engine.budgetFreed(qp);
    }

    /**
     * Sets cursor and next PSN to the oldest unacknowledged packet, in the middle of a message if need be. A request that
     * could not be sent is tried again when its turn comes, unless it has been acknowledged meanwhile.
     */
    void seek(QpContext qp) {
        SendState s = qp.send;
        s.clearFailure();
        s.nextPsn = s.una;
        s.cursor = s.head;
        s.cursorPacket = 0;
        if (s.head < qp.sendQueue().posted() && qp.isRequesting()) {
            SendWorkEntry entry = qp.sendQueue().at(s.head);
            if (entry.packets != 0) {
                s.cursorPacket = Psn.diff(s.una, entry.firstPsn);
            }
        }
    }
}
