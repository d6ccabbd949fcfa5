package io.rdma4j.testkit.check;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Position;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import java.util.HashMap;
import java.util.Map;

/**
 * What a responder may send: nothing for what was never asked, answers in order, each READ exactly, one NAK for a gap,
 * one RNR NAK for each try, and after a fatal NAK nothing (§5, §7.3, §7.5, §8.5).
 */
final class ResponseRules {
    private static final long NONE = -1;

    private final RequestRules requests;
    private final int mtu;
    private final Map<Long, Integer> rnrNaks = new HashMap<>();

    /** All READs and atomics before this position have been answered to their ends. */
    private long answeredTo;

    private long newestAck = NONE;
    private long newestSequenceNak = NONE;

    /** READs whose responses are being sent, by their first position: which comes next. A repetition may come between. */
    private final Map<Long, Long> reading = new HashMap<>();

    private boolean failed;

    ResponseRules(RequestRules requests, int mtu) {
        this.requests = requests;
        this.mtu = mtu;
    }

    void accept(TraceEntry entry) {
        FrameView frame = entry.frame();
        long position = requests.positions().of(frame.psn());
        if (failed) {
            throw new WireFailure(entry, "§8.5(1): sent after the NAK that ended the connection");
        }
        if (position >= requests.next()) {
            throw new WireFailure(entry, "§5: no request with this PSN was sent");
        }
        boolean negative = frame.syndrome() >= 0 && !Syndrome.isAck(frame.syndrome());
        requests.acknowledged(negative ? position : position + 1);
        if (frame.opcode() == Opcode.RC_ACKNOWLEDGE) {
            acknowledge(entry, position);
        } else if (frame.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            atomic(entry, position);
        } else {
            read(entry, position);
        }
    }

    private void acknowledge(TraceEntry entry, long position) {
        int syndrome = entry.frame().syndrome();
        boolean positive = Syndrome.isAck(syndrome);
        SentRequest due = requests.nextAnswered(answeredTo);
        if (due != null && due.first() <= (positive ? position : position - 1)) {
            throw new WireFailure(entry, "§5: passes the unanswered " + due);
        }
        if (positive) {
            if (position < newestAck) {
                throw new WireFailure(entry, "§5: an ACK goes back, behind position " + newestAck);
            }
            newestAck = position;
        } else if (Syndrome.isRnrNak(syndrome)) {
            if (rnrNaks.merge(position, 1, Integer::sum) > requests.tries(position)) {
                throw new WireFailure(entry, "§7.5: an RNR NAK without a try since the last");
            }
        } else if (syndrome == Syndrome.NAK_SEQUENCE_ERROR) {
            if (position <= newestSequenceNak) {
                throw new WireFailure(entry, "§5: a second NAK for one gap");
            }
            newestSequenceNak = position;
        } else {
            failed = true;
        }
    }

    private void atomic(TraceEntry entry, long position) {
        SentRequest request = requests.at(position);
        if (request == null || !request.isAtomic()) {
            throw new WireFailure(entry, "§5: answers no atomic, but " + request);
        }
        answered(entry, request);
    }

    private void read(TraceEntry entry, long position) {
        SentRequest request = requests.at(position);
        if (request == null || !request.isRead()) {
            throw new WireFailure(entry, "§5: answers no READ, but " + request);
        }
        Position place = entry.frame().opcode().position();
        boolean begins = place == Position.FIRST || place == Position.ONLY;
        Long expectedNext = reading.put(request.first(), position + 1);
        if (!begins && (expectedNext == null || expectedNext != position)) {
            throw new WireFailure(entry, "§5: a READ response out of order, expected position " + expectedNext);
        }
        boolean last = place == Position.LAST || place == Position.ONLY;
        if (last != (position == request.last())) {
            throw new WireFailure(entry, "§2: the end of the responses is not the end of " + request);
        }
        long expected = last ? request.length() - (request.last() - request.first()) * mtu : mtu;
        if (entry.frame().payloadLength() != expected) {
            throw new WireFailure(entry, "§5: not the " + expected + " bytes that were asked for");
        }
        if (last) {
            reading.remove(request.first());
            answered(entry, request);
        }
    }

    /** First answers come in order; the answer to a repetition may come at any time. */
    private void answered(TraceEntry entry, SentRequest request) {
        if (request.first() < answeredTo) {
            return;
        }
        SentRequest due = requests.nextAnswered(answeredTo);
        if (due != null && due.first() < request.first()) {
            throw new WireFailure(entry, "§5: passes the unanswered " + due);
        }
        answeredTo = request.last() + 1;
    }
}
