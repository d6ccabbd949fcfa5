package io.rdma4j.core.uc;

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

/** The unreliable connection (§14): SEND and RDMA WRITE in order, never acknowledged, lost in whole messages. */
public final class UnreliableConnection implements TransportService {
    private final EngineServices engine;
    private final UnreliableRequester requester;
    private final UnreliableResponder responder;

    public UnreliableConnection(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.requester = new UnreliableRequester(engine, completions);
        this.responder = new UnreliableResponder(engine, completions);
    }

    @Override
    public Transport transport() {
        return Transport.UC;
    }

    @Override
    public void onPacket(QpContext qp, RocePacket packet, Arrival arrival, long nowNs) {
        responder.onRequest(qp, packet);
    }

    /** Dropped whatever its PSN is: there is no NAK to refuse it with. */
    @Override
    public void onReservedOpcode(QpContext qp, int psn) {
        engine.counters().drop(DropReason.UNKNOWN_OPCODE);
    }

    @Override
    public Turn serveRequests(QpContext qp, Egress egress, long nowNs) {
        return requester.serve(qp, egress);
    }
}
