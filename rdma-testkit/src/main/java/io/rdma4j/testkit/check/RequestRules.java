package io.rdma4j.testkit.check;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Position;
import io.rdma4j.testkit.fabric.Fate;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a requester may send: PSNs that advance by what each packet uses, without a gap; behind what was sent before only
 * the same again (§5, §6.3).
 */
final class RequestRules {
    private final Positions positions;
    private final int mtu;

    /** What was sent, by position; of a READ that was asked for again from its middle, the first request. */
    private final TreeMap<Long, SentRequest> sent = new TreeMap<>();

    /** How often a packet at a position was put on its way, copies counted. */
    private final Map<Long, Integer> tries = new TreeMap<>();

    private long next;
    private long cursor;
    private long acknowledged;
    private boolean insideMessage;

    RequestRules(int startPsn, int mtu) {
        this.positions = new Positions(startPsn);
        this.mtu = mtu;
    }

    Positions positions() {
        return positions;
    }

    /** The first position that no request has used yet. */
    long next() {
        return next;
    }

    /** The request that uses a position, as it was first sent; null when none does. */
    @Nullable
    SentRequest at(long position) {
        Map.Entry<Long, SentRequest> entry = sent.floorEntry(position);
        return entry != null && position <= entry.getValue().last() ? entry.getValue() : null;
    }

    /** The oldest READ or atomic at or behind a position. */
    @Nullable
    SentRequest nextAnswered(long position) {
        SentRequest at = at(position);
        if (at != null && (at.isRead() || at.isAtomic())) {
            return at;
        }
        for (SentRequest request : sent.tailMap(position, true).values()) {
            if (request.isRead() || request.isAtomic()) {
                return request;
            }
        }
        return null;
    }

    /** Tells that the responder has sent an acknowledgement of everything before a position. */
    void acknowledged(long position) {
        acknowledged = Math.max(acknowledged, position);
    }

    /** How often the packet at a position may have arrived. */
    int tries(long position) {
        return tries.getOrDefault(position, 0);
    }

    void accept(TraceEntry entry) {
        FrameView frame = entry.frame();
        long position = positions.of(frame.psn());
        long span = frame.opcode() == Opcode.RC_RDMA_READ_REQUEST ? packets(frame.requestLength()) : 1;
        SentRequest request = new SentRequest(
                frame.opcode(), position, position + span - 1, frame.payloadLength(), frame.requestLength());
        // What was acknowledged while it was being sent again need not be sent to its end.
        if (position > Math.max(cursor, acknowledged) || position > next) {
            throw new WireFailure(entry, "§5: a gap of " + (position - cursor) + " PSNs before a request");
        }
        if (position == next) {
            requireInSequence(entry);
            sent.put(position, request);
            next = request.last() + 1;
        } else {
            requireTheSameAgain(entry, request);
        }
        cursor = request.last() + 1;
        tries.merge(position, copies(entry), Integer::sum);
        positions.reached(request.last());
    }

    private static int copies(TraceEntry entry) {
        if (!entry.arrived()) {
            return 0;
        }
        return entry.fates().contains(Fate.DUPLICATED) ? 2 : 1;
    }

    private long packets(long length) {
        return Math.max(1, (length + mtu - 1) / mtu);
    }

    /** New packets form messages: FIRST, MIDDLE, LAST of whole packets, or ONLY. */
    private void requireInSequence(TraceEntry entry) {
        FrameView frame = entry.frame();
        Position place = frame.opcode().position();
        boolean continues = place == Position.MIDDLE || place == Position.LAST;
        if (continues != insideMessage) {
            throw new WireFailure(
                    entry, "§7.2(1): " + (insideMessage ? "a message is not finished" : "no message begun"));
        }
        boolean open = place == Position.FIRST || place == Position.MIDDLE;
        if (open && frame.payloadLength() != mtu) {
            throw new WireFailure(entry, "§7.2(4): FIRST and MIDDLE carry " + mtu + " bytes");
        }
        insideMessage = open;
    }

    /** A packet sent again is what it was; a READ may be asked for again from any of its packets to its end (§6.3). */
    private void requireTheSameAgain(TraceEntry entry, SentRequest request) {
        SentRequest before = at(request.first());
        if (before == null) {
            throw new WireFailure(entry, "§6.3: nothing was sent with this PSN");
        }
        boolean same = before.isRead()
                ? request.isRead() && request.last() == before.last() && isRestOf(request, before)
                : request.opcode() == before.opcode() && request.payload() == before.payload();
        if (!same) {
            throw new WireFailure(entry, "§6.3: it was first sent as " + before);
        }
    }

    private boolean isRestOf(SentRequest request, SentRequest before) {
        return request.length() == before.length() - (request.first() - before.first()) * mtu;
    }
}
