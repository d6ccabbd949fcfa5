package io.rdma4j.core.transport;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;

/**
 * What a transport service (RC, UC, UD) does for the queue pairs of its type. The engine picks one by the type of the
 * queue pair; everything else it treats alike. Owner thread.
 */
public interface TransportService {
    /** Whose opcodes it takes (§2); packets of others never come here. */
    Transport transport();

    /** Takes a packet of this transport that passed §7.1, in a state that may take it. */
    void onPacket(QpContext qp, RocePacket packet, Arrival arrival, long nowNs);

    /** Takes a packet of this transport whose opcode is reserved (§2). */
    void onReservedOpcode(QpContext qp, int psn);

    /** Gives a queue pair its turn to send requests: up to one send batch. */
    Turn serveRequests(QpContext qp, Egress egress, long nowNs);

    /** Gives a queue pair its turn to send responses, where the service has any. */
    default Turn serveResponses(QpContext qp, Egress egress) {
        return Turn.IDLE;
    }

    /** The deadline of a queue pair has come, where the service has any. */
    default void onDeadline(QpContext qp, long nowNs) {}
}
