package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.WorkCompletionStatus;

/**
 * What a requester knows (§5, §6). Positions count work requests, PSNs count packets:
 *
 * <pre>
 *   head ........ cursor ........ posted      positions in the send queue
 *   una  ........ nextPsn ....... maxPsn      PSNs: oldest unacknowledged, next to send, one past the newest ever sent
 * </pre>
 *
 * After a rollback nextPsn is behind maxPsn until what was lost is sent again.
 */
public final class SendState {
    /** No work request has failed locally. */
    public static final long NONE = -1;

    public long head;
    public long cursor;
    /** PSNs of the request at {@link #cursor} that were sent already in this round. */
    public int cursorPacket;

    public int una;
    public int nextPsn;
    public int maxPsn;

    public int retriesLeft;
    public int rnrRetriesLeft;
    /** Since the last rollback nothing new was acknowledged: further NAKs tell nothing new (§6.3). */
    public boolean recovering;

    /**
     * A fatal NAK that came while an earlier READ or atomic was unanswered, in words; else empty. Its sender answers no
     * more (§8.5), so that the request before it will run out of retries, and this is why.
     */
    public String refusalBehind = "";

    public long timerNs = EngineLimits.NO_DEADLINE;
    public long rnrTimerNs = EngineLimits.NO_DEADLINE;

    /**
     * Packets this queue pair may have in flight after a loss: few at first, for what was in flight may still fill the
     * receiver's buffer, and a retransmission that is lost too is found by its time-out alone. Progress doubles it.
     */
    public int restartWindow = EngineLimits.UNLIMITED_WINDOW;

    /** A packet in flight whose place in the order of sending to the peer is known; its arrival tells of all before it. */
    public boolean marked;

    public int markPsn;
    public long markPackets;
    public long markBytes;

    /** What this queue pair has charged to its peer. */
    public long inFlightBytes;

    public int inFlightPackets;

    public OutstandingReads reads = new OutstandingReads(1);
    /** READ and atomic work requests started and not completed, for FENCE (§6.1). */
    public int readWorkRequests;

    /** A request that cannot be sent; it completes with this status when all before it have completed. */
    public long failedPosition = NONE;

    public WorkCompletionStatus failedStatus = WorkCompletionStatus.SUCCESS;
    public String failedCause = "";

    /** In SQD: requests that were started are still to be completed (sq_draining, §9). */
    public boolean draining;

    /** Notes the place of the packet of {@code psn}: what had been charged to the peer before it. */
    public void mark(int psn, long packetsBefore, long bytesBefore) {
        marked = true;
        markPsn = psn;
        markPackets = packetsBefore;
        markBytes = bytesBefore;
    }

    /** Whether packets are out that nobody has acknowledged. */
    public boolean hasUnacknowledged() {
        return una != nextPsn;
    }

    /** Whether the next packet was sent before. */
    public boolean isRepetition() {
        return Psn.diff(nextPsn, maxPsn) < 0;
    }

    /** Whether the request at {@link #cursor} is one of which no packet was ever sent. */
    public boolean isAtNewRequest() {
        return cursorPacket == 0 && !isRepetition();
    }

    /** Whether every request that was started has completed, to its last packet. */
    public boolean isDrained() {
        return una == maxPsn && isAtNewRequest();
    }

    /** Starts with {@code psn}, nothing sent. */
    public void start(int psn, int maxReadAtomic) {
        una = psn;
        nextPsn = psn;
        maxPsn = psn;
        restartWindow = EngineLimits.UNLIMITED_WINDOW;
        marked = false;
        refusalBehind = "";
        reads = new OutstandingReads(Math.max(1, maxReadAtomic));
    }

    /** Back to creation: positions, timers and failures. */
    public void reset() {
        head = 0;
        cursor = 0;
        cursorPacket = 0;
        start(0, 1);
        recovering = false;
        timerNs = EngineLimits.NO_DEADLINE;
        rnrTimerNs = EngineLimits.NO_DEADLINE;
        readWorkRequests = 0;
        draining = false;
        clearFailure();
    }

    public void clearFailure() {
        failedPosition = NONE;
        failedStatus = WorkCompletionStatus.SUCCESS;
        failedCause = "";
    }
}
