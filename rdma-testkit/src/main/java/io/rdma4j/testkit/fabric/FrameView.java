package io.rdma4j.testkit.fabric;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;

/** The fields of a sent frame that rules match on and the trace prints; a copy, so it outlives the frame. */
public final class FrameView {
    private static final int NO_SYNDROME = -1;
    private static final long NO_LENGTH = -1;

    private final String from;
    private final String to;
    private final Path path;
    private final Opcode opcode;
    private final int queuePair;
    private final int psn;
    private final boolean ackRequest;
    private final boolean migrated;
    private final int syndrome;
    private final int payloadLength;
    private final long requestLength;
    private final int icrc;

    /** Copies the fields of a well-formed packet. */
    FrameView(String from, String to, Path path, RocePacket packet) {
        this.from = from;
        this.to = to;
        this.path = path;
        this.opcode = packet.opcode();
        this.queuePair = packet.destinationQp();
        this.psn = packet.psn();
        this.ackRequest = packet.ackRequest();
        this.migrated = packet.migrated();
        this.syndrome = opcode.hasAeth() ? packet.syndrome() : NO_SYNDROME;
        this.payloadLength = packet.payloadLength();
        this.requestLength = opcode.hasReth() ? packet.rethLength() : NO_LENGTH;
        this.icrc = packet.icrc();
    }

    /** Name of the sending device. */
    public String from() {
        return from;
    }

    /** Name of the receiving device, or the address where no device has it. */
    public String to() {
        return to;
    }

    /** Where the frame was sent: the receiving device's address, or the multicast group this is one member's copy of. */
    public Gid destination() {
        return path.remote();
    }

    /** The IPv4 TOS or IPv6 traffic class, 0 to 255. */
    public int trafficClass() {
        return path.trafficClass();
    }

    /** The IPv4 TTL or IPv6 hop limit, 0 to 255. */
    public int hopLimit() {
        return path.hopLimit();
    }

    /** The IPv6 flow label, 20 bits; on IPv4 what the sender asked for, which no header carries. */
    public int flowLabel() {
        return path.flowLabel();
    }

    public Opcode opcode() {
        return opcode;
    }

    /** The destination QP number. */
    public int queuePair() {
        return queuePair;
    }

    public int psn() {
        return psn;
    }

    public boolean ackRequest() {
        return ackRequest;
    }

    /** MigReq (§3), as it was sent. */
    public boolean migrated() {
        return migrated;
    }

    /** The AETH syndrome (§4.1), or -1 where the opcode has no AETH. */
    public int syndrome() {
        return syndrome;
    }

    public int payloadLength() {
        return payloadLength;
    }

    /** The length in the RETH: of a whole WRITE, or what a READ asks for; -1 where the opcode has no RETH. */
    public long requestLength() {
        return requestLength;
    }

    /** The ICRC as it is on the wire: it covers every byte that matters, so equal traces mean equal frames. */
    public int icrc() {
        return icrc;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(96);
        text.append(from).append("->").append(to).append(' ').append(opcode);
        text.append(" qpn=").append(queuePair).append(" psn=").append(psn);
        if (ackRequest) {
            text.append(" A");
        }
        if (syndrome != NO_SYNDROME) {
            text.append(" syndrome=0x").append(Integer.toHexString(syndrome));
        }
        text.append(" payload=").append(payloadLength);
        if (path.remote().isMulticast()) {
            text.append(" group=").append(path.remote());
        }
        if (path.trafficClass() != 0) {
            text.append(" class=0x").append(Integer.toHexString(path.trafficClass()));
        }
        if (path.hopLimit() != AddressVector.DEFAULT_HOP_LIMIT) {
            text.append(" hops=").append(path.hopLimit());
        }
        if (path.flowLabel() != 0) {
            text.append(" flow=0x").append(Integer.toHexString(path.flowLabel()));
        }
        return text.append(" icrc=").append(Integer.toHexString(icrc)).toString();
    }
}
