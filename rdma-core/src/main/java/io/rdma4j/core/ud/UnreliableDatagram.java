package io.rdma4j.core.ud;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.TransportService;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;

/** The unreliable datagram service: sends that are done when they are out, and receives that come with their route (§14). */
public final class UnreliableDatagram implements TransportService {
    private final EngineServices engine;
    private final DatagramSender sender;
    private final DatagramReceiver receiver;

    /**
     * The service of a device.
     *
     * @param mtu bytes that a datagram carries at most: the active MTU of the port
     */
    public UnreliableDatagram(EngineServices engine, Completions completions, int mtu) {
        this.engine = engine;
        sender = new DatagramSender(engine, completions, mtu);
        receiver = new DatagramReceiver(engine, completions, mtu);
    }

    @Override
    public Transport transport() {
        return Transport.UD;
    }

    @Override
    public void onPacket(QpContext qp, RocePacket packet, Arrival arrival, long nowNs) {
        receiver.onDatagram(qp, packet, arrival);
    }

    /** Nobody answers a datagram. */
    @Override
    public void onReservedOpcode(QpContext qp, int psn) {
        engine.counters().drop(DropReason.UNKNOWN_OPCODE);
    }

    @Override
    public Turn serveRequests(QpContext qp, Egress egress, long nowNs) {
        return sender.serve(qp, egress);
    }
}
