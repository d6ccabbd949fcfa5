package io.rdma4j.core.transport;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Transport;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes the packet at the cursor of a connected queue pair into the link (§2, §3): room claimed, headers, payload, sealed.
 * No state moves here but a counter. Reused; owner thread only.
 */
public final class RequestWriter {
    /** What became of the packet. */
    public enum Result {
        SENT,
        /** The link takes nothing more for now. */
        REFUSED,
        /** The request's own memory is not to be read: {@link #failure} says why. */
        UNREADABLE
    }

    private final EngineServices engine;
    private final Transport transport;
    private final Payload payload;
    private final PacketWriter writer = new PacketWriter();
    private String failure = "";

    public RequestWriter(EngineServices engine, Transport transport) {
        this.engine = engine;
        this.transport = transport;
        this.payload = new Payload(engine.memory());
    }

    /**
     * Writes the packet with the next PSN. A request that the transport offers no opcode for is not written with it.
     *
     * @param span PSNs that it uses: one, or for a READ the responses it asks for
     * @param ask whether it asks for an acknowledgement
     */
    public Result write(QpContext qp, SendWorkEntry entry, Egress egress, int span, boolean ask) {
        int mtu = qp.attributes.mtuBytes();
        int index = qp.send.cursorPacket;
        boolean carriesData = !entry.kind.awaitsResponse();
        boolean last = index + span == entry.packets;
        long offset = (long) index * mtu;
        int bytes = carriesData ? (int) Math.min(mtu, entry.length() - offset) : 0;
        if (bytes > 0 && !payload.checkSource(entry, qp.protectionDomain(), offset, bytes)) {
            failure = payload.describeFailure();
            return Result.UNREADABLE;
        }
        Opcode opcode = Objects.requireNonNull(entry.kind.opcode(transport, index == 0, last));
        if (!egress.claim(Objects.requireNonNull(qp.path), writer.frameLength(opcode, bytes))) {
            return Result.REFUSED;
        }
        ByteBuffer buffer = egress.buffer();
        writer.begin(buffer, egress.offset(), opcode, qp.attributes.destinationQp, qp.send.nextPsn);
        writer.flags(ask, last && entry.solicited);
        writeExtensions(entry, opcode, offset, carriesData ? Long.MAX_VALUE : (long) span * mtu);
        try {
            payload.gather(entry, qp.protectionDomain(), offset, buffer, writer.payloadOffset(), bytes);
        } catch (AccessFault e) {
            egress.cancel();
            failure = String.valueOf(e.getMessage());
            return Result.UNREADABLE;
        }
        writer.end(bytes);
        egress.commit();
        engine.counters().count(Counter.SENT_PACKETS);
        return Result.SENT;
    }

    /** The headers after the BTH (§2); a RETH tells of at most {@code atMost} bytes. */
    private void writeExtensions(SendWorkEntry entry, Opcode opcode, long offset, long atMost) {
        if (opcode.hasReth()) {
            long length = Math.min(entry.length() - offset, atMost);
            writer.reth(entry.remoteAddress + offset, entry.remoteKey, length);
        } else if (opcode.hasAtomicEth()) {
            writer.atomic(entry.remoteAddress, entry.remoteKey, entry.swapOrAdd, entry.compare);
        }
        if (opcode.hasImmediate()) {
            writer.immediate(entry.immediate);
        } else if (opcode.hasInvalidate()) {
            writer.invalidate(entry.invalidateKey);
        }
    }

    /** The last failure in words. */
    public String failure() {
        return failure;
    }
}
