package io.rdma4j.core.rc;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.TransportService;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;

/** The reliable connection: its requester, completer and loss recovery, its responder and what that sends. */
public final class ReliableConnection implements TransportService {
    private final LossRecovery recovery;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final ResponseSender responseSender;

    public ReliableConnection(EngineServices engine, Completions completions) {
        recovery = new LossRecovery(engine, completions);
        requester = new Requester(engine, completions);
        completer = new Completer(engine, completions, recovery, requester);
        responder = new Responder(engine, completions);
        responseSender = new ResponseSender(engine, completions);
    }

    @Override
    public Transport transport() {
        return Transport.RC;
    }

    @Override
    public void onPacket(QpContext qp, RocePacket packet, Arrival arrival, long nowNs) {
        if (packet.opcode().isRequest()) {
            responder.onRequest(qp, packet);
        } else {
            completer.onResponse(qp, packet, nowNs);
        }
    }

    @Override
    public void onReservedOpcode(QpContext qp, int psn) {
        responder.onReservedOpcode(qp, psn);
    }

    @Override
    public Turn serveRequests(QpContext qp, Egress egress, long nowNs) {
        return requester.serve(qp, egress, nowNs);
    }

    @Override
    public Turn serveResponses(QpContext qp, Egress egress) {
        return responseSender.serve(qp, egress);
    }

    @Override
    public void onDeadline(QpContext qp, long nowNs) {
        recovery.onDeadline(qp, nowNs);
    }
}
