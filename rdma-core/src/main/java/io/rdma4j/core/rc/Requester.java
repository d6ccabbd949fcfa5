package io.rdma4j.core.rc;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.LocalRequests;
import io.rdma4j.core.transport.RequestWriter;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.AckTimeout;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.Objects;

/**
 * Sends requests (§6.1). Nothing is kept of a sent packet: where a packet begins follows from its PSN, so a retransmission
 * is the same code with the cursor set back.
 */
public final class Requester {
    private final EngineServices engine;
    private final Completions completions;
    private final RequestWriter writer;
    private final LocalRequests localRequests;

    public Requester(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.completions = completions;
        this.writer = new RequestWriter(engine, Transport.RC);
        this.localRequests = new LocalRequests(engine.memory());
    }

    /** Gives a queue pair its turn: up to one send batch. */
    public Turn serve(QpContext qp, Egress egress, long nowNs) {
        SendState s = qp.send;
        PeerState peer = qp.peer;
        if (peer == null) {
            return Turn.IDLE;
        }
        startTimer(qp, nowNs);
        int quota = peer.turnPackets(Turn.packets(qp.attributes.mtuBytes()));
        boolean mayTake = peer.beginTurn(qp);
        int span;
        for (int sent = 0; maySend(qp); sent += span) {
            if (s.cursor == qp.sendQueue().posted()) {
                return Turn.IDLE;
            }
            if (sent >= quota) {
                return Turn.MORE;
            }
            if (qp.state() == QueuePairState.SQD && s.isAtNewRequest()) {
                return Turn.IDLE; // §9: what was started is finished, nothing new begins
            }
            SendWorkEntry entry = qp.sendQueue().at(s.cursor);
            if (entry.kind.isLocal()) {
                if (!passLocal(qp, entry)) {
                    return Turn.IDLE;
                }
                span = 1;
                continue;
            }
            if (s.cursorPacket == 0 && !mayStart(qp, entry)) {
                return Turn.IDLE;
            }
            if (entry.kind.awaitsResponse() && !s.isRepetition() && !mayAsk(qp)) {
                return Turn.IDLE; // §6.1(4)
            }
            if (s.inFlightPackets >= s.restartWindow) {
                return Turn.IDLE; // goes on when what it has sent again arrives
            }
            span = span(qp, entry, peer);
            long bytes = frameBytes(qp, entry, s.cursorPacket, span);
            int least = peer.isOver() ? 1 : span; // what is repeated cannot be asked for in parts
            if (!mayTake || !peer.admits(bytes, least)) {
                peer.await(qp, bytes, span);
                return Turn.IDLE;
            }
            long fullFrame = (long) qp.attributes.mtuBytes() + EngineLimits.FRAME_OVERHEAD_BYTES;
            boolean endOfTurn = sent + span >= quota
                    || s.inFlightPackets + span >= s.restartWindow
                    || !peer.admits(bytes + fullFrame, span + 1);
            if (!transmit(qp, entry, egress, span, endOfTurn)) {
                if (s.failedPosition != SendState.NONE || !qp.isRequesting()) {
                    return Turn.IDLE;
                }
                peer.keepTurn(qp);
                return Turn.BLOCKED;
            }
            advance(qp, entry, span, bytes, nowNs);
        }
        return Turn.IDLE;
    }

    /**
     * The request at the cursor needs no packet: executes it, unless that was done before a rollback, and goes past it.
     *
     * @return false when it has to wait, or failed
     */
    private boolean passLocal(QpContext qp, SendWorkEntry entry) {
        SendState s = qp.send;
        if (!entry.executed) {
            if (!LocalRequests.mayExecute(qp, entry)) {
                return false;
            }
            String refusal = localRequests.execute(qp, entry);
            if (refusal != null) {
                fail(qp, localRequests.failureOf(entry), refusal);
                return false;
            }
        }
        boolean oldest = s.head == s.cursor++;
        if (oldest) {
            completions.sendSucceeded(qp);
        }
        return true;
    }

    private static boolean maySend(QpContext qp) {
        return qp.isRequesting()
                && qp.send.rnrTimerNs == EngineLimits.NO_DEADLINE
                && qp.send.failedPosition == SendState.NONE;
    }

    /** Whether one more READ or atomic may be outstanding; what was begun goes on though 0 were set meanwhile (§9). */
    private static boolean mayAsk(QpContext qp) {
        return qp.send.reads.size() < Math.max(1, qp.attributes.maxReadAtomic);
    }

    /** Whether the request at the cursor may begin; gives it its PSNs at its first time (§6.1). */
    private boolean mayStart(QpContext qp, SendWorkEntry entry) {
        SendState s = qp.send;
        if (entry.packets != 0 && (s.isRepetition() || !isForbidden(qp, entry))) {
            return true;
        }
        if (entry.packets == 0 && entry.fenced && s.readWorkRequests > 0) {
            return false; // §6.1(5): prior READs and atomics first
        }
        if (entry.kind.isAtomic() ? entry.length() != Long.BYTES : entry.length() > EngineLimits.MAX_MESSAGE_BYTES) {
            fail(qp, WorkCompletionStatus.LOC_LEN_ERR, "a message of " + entry.length() + " bytes is not legal here");
            return false;
        }
        if (isForbidden(qp, entry)) {
            fail(qp, WorkCompletionStatus.LOC_QP_OP_ERR, "max_rd_atomic of the queue pair is 0");
            return false;
        }
        int packets = entry.kind.isAtomic() ? 1 : qp.attributes.packetsOf(entry.length());
        if (Psn.distance(s.una, s.nextPsn) + (long) packets > EngineLimits.MAX_OUTSTANDING_PSNS) {
            return false; // §5: half the PSN space
        }
        entry.packets = packets;
        entry.firstPsn = s.nextPsn;
        if (entry.kind.awaitsResponse()) {
            s.readWorkRequests++;
        }
        return true;
    }

    private static boolean isForbidden(QpContext qp, SendWorkEntry entry) {
        return entry.kind.awaitsResponse() && qp.attributes.maxReadAtomic == 0;
    }

    /**
     * PSNs that the next packet of {@code entry} uses: one, or for a READ the responses it asks for. That is no more than
     * the budget of the peer admits, since the responses come at once, nor than a restart allows. A repetition asks for the
     * rest of what it repeats, neither more nor less (§6.3), for any other end would be one that the responder does not
     * remember (§7.4).
     */
    private static int span(QpContext qp, SendWorkEntry entry, PeerState peer) {
        if (entry.kind != RequestKind.RDMA_READ) {
            return 1;
        }
        SendState s = qp.send;
        if (s.isRepetition()) {
            return Psn.diff(s.reads.lastPsnCovering(s.nextPsn), s.nextPsn) + 1;
        }
        int room = peer.isOver() ? 1 : s.restartWindow - s.inFlightPackets;
        room = Math.max(room, EngineLimits.PEER_READ_PACKETS);
        int mtu = qp.attributes.mtuBytes();
        long fits = peer.mostPacketsOfARead(mtu + EngineLimits.FRAME_OVERHEAD_BYTES);
        long chunk = Math.max(1, Math.min(EngineLimits.MAX_READ_REQUEST_BYTES / mtu, Math.min(fits, room)));
        return (int) Math.min(chunk, entry.packets - s.cursorPacket);
    }

    /** What packets {@code from} to {@code from + span} of a request cost its peer. */
    static long frameBytes(QpContext qp, SendWorkEntry entry, int from, int span) {
        long mtu = qp.attributes.mtuBytes();
        long begin = Math.min(from * mtu, entry.length());
        long end = Math.min((from + (long) span) * mtu, entry.length());
        return end - begin + (long) span * EngineLimits.FRAME_OVERHEAD_BYTES;
    }

    /** Writes one packet. False: the link took nothing, or the request failed; no state has moved. */
    private boolean transmit(QpContext qp, SendWorkEntry entry, Egress egress, int span, boolean endOfTurn) {
        boolean last = qp.send.cursorPacket + span == entry.packets;
        // §6.1(2): at each end of a message, and wherever this queue pair stops for a while.
        boolean ask = entry.kind.awaitsResponse() || last || endOfTurn;
        RequestWriter.Result result = writer.write(qp, entry, egress, span, ask);
        if (result == RequestWriter.Result.UNREADABLE) {
            fail(qp, WorkCompletionStatus.LOC_PROT_ERR, writer.failure());
        }
        return result == RequestWriter.Result.SENT;
    }

    /** The packet is out: only now PSNs, cursor, budget and timer move. */
    private void advance(QpContext qp, SendWorkEntry entry, int span, long bytes, long nowNs) {
        SendState s = qp.send;
        int psn = s.nextPsn;
        boolean repeated = s.isRepetition();
        if (repeated) {
            engine.counters().count(Counter.RETRANSMITTED_PACKETS);
        }
        if (entry.kind.awaitsResponse() && !repeated) {
            s.reads.push(psn, Psn.add(psn, span - 1));
        }
        s.nextPsn = Psn.add(psn, span);
        if (Psn.isNewer(s.nextPsn, s.maxPsn)) {
            s.maxPsn = s.nextPsn;
        }
        s.cursorPacket += span;
        if (s.cursorPacket == entry.packets) {
            s.cursor++;
            s.cursorPacket = 0;
        }
        s.inFlightBytes += bytes;
        s.inFlightPackets += span;
        PeerState peer = Objects.requireNonNull(qp.peer);
        if (!s.marked) {
            s.mark(psn, peer.chargedPackets(), peer.chargedBytes());
        }
        peer.charge(bytes, span);
        startTimer(qp, nowNs);
    }

    /**
     * §6.3: it starts when it is not running and something is outstanding; sending more does not postpone it. Of a queue
     * pair that has failed while it waited for its turn nothing is outstanding any more (§8.5).
     */
    private void startTimer(QpContext qp, long nowNs) {
        SendState s = qp.send;
        boolean due = qp.isRequesting() && s.hasUnacknowledged() && qp.attributes.timeout != 0;
        if (due && s.timerNs == EngineLimits.NO_DEADLINE) {
            s.timerNs = deadline(nowNs, qp.attributes.timeout);
            engine.deadlineChanged(qp);
        }
    }

    /** When the transport timer of code {@code timeout} expires (§4.4); 0 waits for ever. */
    static long deadline(long nowNs, int timeout) {
        long wait = AckTimeout.nanos(timeout);
        return wait == AckTimeout.NEVER ? EngineLimits.NO_DEADLINE : nowNs + wait;
    }

    /** The request at the cursor cannot be sent. It completes in its turn: all before it are still to be acknowledged. */
    private void fail(QpContext qp, WorkCompletionStatus status, String cause) {
        SendState s = qp.send;
        s.failedPosition = s.cursor;
        s.failedStatus = status;
        s.failedCause = cause;
        failIfDue(qp);
    }

    /** Completes a locally failed request once it is the oldest. */
    void failIfDue(QpContext qp) {
        SendState s = qp.send;
        if (s.failedPosition == s.head && qp.isRequesting()) {
            completions.failSend(qp, s.failedStatus, 0, s.failedCause);
        }
    }
}
