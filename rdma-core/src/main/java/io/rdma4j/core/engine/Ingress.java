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
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.nio.ByteBuffer;
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
    private final EngineCounters counters;
    private final Map<QueuePairType, TransportService> transports;
    private final IcrcPolicy policy;
    private final RocePacket packet = new RocePacket();
    private final PacketAddresses addresses = new PacketAddresses();
    private final Icrc icrc = new Icrc();

    Ingress(
            QpTable queuePairs,
            EngineCounters counters,
            Map<QueuePairType, TransportService> transports,
            IcrcPolicy policy) {
        this.queuePairs = queuePairs;
        this.counters = counters;
        this.transports = transports;
        this.policy = policy;
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
        QpContext qp = queuePairs.find(packet.destinationQp());
        if (qp == null) {
            counters.drop(DropReason.UNKNOWN_QP);
            return;
        }
        TransportService transport = Objects.requireNonNull(transports.get(qp.type()));
        DropReason refused = refusal(qp, transport.transport(), arrival);
        if (refused != null) {
            counters.drop(refused);
            return;
        }
        if (reserved) {
            transport.onReservedOpcode(qp, packet.psn());
        } else {
            transport.onPacket(qp, packet, arrival, nowNs);
        }
    }

    private boolean isIntact(ByteBuffer buffer, int offset, int length, Arrival arrival) {
        addresses.source(arrival.senderHigh, arrival.senderLow, arrival.senderPort);
        addresses.destination(arrival.localHigh, arrival.localLow, arrival.localPort);
        return icrc.verify(addresses, arrival.identificationHint, buffer, offset, length);
    }

    /** §7.1: why this queue pair ignores the packet; null when it does not. */
    private @Nullable DropReason refusal(QpContext qp, Transport transport, Arrival arrival) {
        int code = packet.opcodeCode();
        if (Transport.ofOpcode(code) != transport) {
            return DropReason.WRONG_TRANSPORT;
        }
        Opcode opcode = Opcode.of(code);
        boolean response = opcode != null && opcode.isResponse();
        if (response ? !takesResponses(qp.state()) : !takesRequests(qp.state())) {
            return DropReason.WRONG_STATE;
        }
        Path path = qp.path;
        if (path == null
                || path.remote().addressHigh() != arrival.senderHigh
                || path.remote().addressLow() != arrival.senderLow) {
            return DropReason.WRONG_SOURCE;
        }
        if (path.local().addressHigh() != arrival.localHigh || path.local().addressLow() != arrival.localLow) {
            return DropReason.WRONG_DESTINATION;
        }
        if ((packet.pkey() & PKEY_MASK) != (Bth.DEFAULT_PKEY & PKEY_MASK)) {
            return DropReason.BAD_PKEY; // our own is a full member, so any membership will do
        }
        return null;
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
