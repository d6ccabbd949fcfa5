package io.rdma4j.core.engine;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineCounters;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.transport.TransportService;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way of a received datagram to its queue pair. Everything that is not worth an answer is dropped here and counted by
 * its reason (§7.1); nothing throws, allocates or changes state before a packet has passed.
 */
final class Ingress {
    /** The low 15 bits of the P_Key are the key, the top bit is membership (§3). */
    private static final int PKEY_MASK = 0x7FFF;

    private final QpTable queuePairs;
    private final MulticastTable multicast;
    private final EngineCounters counters;
    private final Map<QueuePairType, TransportService> transports;
    private final IcrcPolicy policy;
    private final Gid local;
    private final RocePacket packet = new RocePacket();
    private final PacketAddresses addresses = new PacketAddresses();
    private final Icrc icrc = new Icrc();

    Ingress(
            QpTable queuePairs,
            MulticastTable multicast,
            EngineCounters counters,
            Map<QueuePairType, TransportService> transports,
            EngineConfig config) {
        this.queuePairs = queuePairs;
        this.multicast = multicast;
        this.counters = counters;
        this.transports = transports;
        this.policy = config.icrc();
        this.local = config.gid();
    }

    void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        counters.count(Counter.RECEIVED_PACKETS);
        DropReason wrong = packet.parse(buffer, offset, length);
        boolean reserved = wrong == DropReason.UNKNOWN_OPCODE;
        if (wrong != null && !reserved) {
            counters.drop(wrong);
            return;
        }
        if (policy == IcrcPolicy.STRICT && !isIntact(buffer, offset, length, arrival)) {
            counters.drop(DropReason.BAD_ICRC);
            return;
        }
        if (packet.destinationQp() == DatagramDestination.MULTICAST_QUEUE_PAIR) {
            toGroup(arrival, nowNs);
            return;
        }
        QpContext qp = queuePairs.find(packet.destinationQp());
        if (qp == null) {
            counters.drop(DropReason.UNKNOWN_QP);
            return;
        }
        DropReason refused = refusal(qp);
        refused = refused != null ? refused : misdirection(qp, arrival);
        deliver(qp, refused, arrival, nowNs);
    }

    /** §14: every member of the group takes its own receive, or misses the datagram on its own. */
    private void toGroup(Arrival arrival, long nowNs) {
        List<QpContext> members = multicast.members(arrival.localHigh, arrival.localLow);
        if (members == null) {
            counters.drop(DropReason.UNKNOWN_QP);
            return;
        }
        for (int i = 0; i < members.size(); i++) {
            QpContext qp = members.get(i);
            deliver(qp, refusal(qp), arrival, nowNs);
        }
    }

    private void deliver(QpContext qp, @Nullable DropReason refused, Arrival arrival, long nowNs) {
        TransportService transport = transportOf(qp);
        if (refused != null) {
            counters.drop(refused);
        } else if (Opcode.of(packet.opcodeCode()) == null) {
            transport.onReservedOpcode(qp, packet.psn());
        } else {
            transport.onPacket(qp, packet, arrival, nowNs);
        }
    }

    private TransportService transportOf(QpContext qp) {
        return Objects.requireNonNull(transports.get(qp.type()));
    }

    private boolean isIntact(ByteBuffer buffer, int offset, int length, Arrival arrival) {
        addresses.source(arrival.senderHigh, arrival.senderLow, arrival.senderPort);
        addresses.destination(arrival.localHigh, arrival.localLow, arrival.localPort);
        return icrc.verify(addresses, arrival.identificationHint, buffer, offset, length);
    }

    /** §7.1: why this queue pair ignores the packet; null when it does not. */
    private @Nullable DropReason refusal(QpContext qp) {
        int code = packet.opcodeCode();
        if (Transport.ofOpcode(code) != transportOf(qp).transport()) {
            return DropReason.WRONG_TRANSPORT;
        }
        Opcode opcode = Opcode.of(code);
        boolean response = opcode != null && opcode.isResponse();
        if (response ? !takesResponses(qp.state()) : !takesRequests(qp.state())) {
            return DropReason.WRONG_STATE;
        }
        if ((packet.pkey() & PKEY_MASK) != (Bth.DEFAULT_PKEY & PKEY_MASK)) {
            return DropReason.BAD_PKEY; // our own is a full member, so any membership will do
        }
        return null;
    }

    /** §7.1: whether the packet is not from the peer of a connection, or to another address; datagrams come from anywhere. */
    private @Nullable DropReason misdirection(QpContext qp, Arrival arrival) {
        Path path = qp.path;
        if (qp.type() != QueuePairType.UD
                && (path == null
                        || path.remote().addressHigh() != arrival.senderHigh
                        || path.remote().addressLow() != arrival.senderLow)) {
            return DropReason.WRONG_SOURCE;
        }
        boolean isLocal = local.addressHigh() == arrival.localHigh && local.addressLow() == arrival.localLow;
        return isLocal ? null : DropReason.WRONG_DESTINATION;
    }

    private static boolean takesRequests(QueuePairState state) {
        return switch (state) {
            case RTR, RTS, SQD, SQE -> true;
            default -> false;
        };
    }

    private static boolean takesResponses(QueuePairState state) {
        return switch (state) {
            case RTS, SQD, SQE -> true;
            default -> false;
        };
    }
}
