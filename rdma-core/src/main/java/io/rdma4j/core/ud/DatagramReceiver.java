package io.rdma4j.core.ud;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.ScatterGatherList;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Payload;
import io.rdma4j.core.transport.Receives;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes datagrams. One that is not for this queue pair, or finds no receive, is dropped and counted; no sender hears of
 * anything (§8.4).
 */
final class DatagramReceiver {
    private final EngineServices engine;
    private final Completions completions;
    private final Payload payload;
    private final RouteHeader route = new RouteHeader();
    private final int mtu;

    DatagramReceiver(EngineServices engine, Completions completions, int mtu) {
        this.engine = engine;
        this.completions = completions;
        this.payload = new Payload(engine.memory());
        this.mtu = mtu;
    }

    void onDatagram(QpContext qp, RocePacket packet, Arrival arrival) {
        DropReason reason = refusal(qp, packet);
        if (reason != null) {
            engine.counters().drop(reason);
            return;
        }
        ScatterGatherList elements = Objects.requireNonNull(qp.receive.current).elements();
        int bytes = RouteHeader.LENGTH + packet.payloadLength();
        if (bytes > elements.totalLength()) {
            // §8.4: the receive ends and the queue pair goes on, for it is the sender who chose the length.
            completions.failReceive(
                    qp,
                    WorkCompletionStatus.LOC_LEN_ERR,
                    0,
                    "a datagram of " + packet.payloadLength() + " bytes, and " + RouteHeader.LENGTH
                            + " of its route, in a receive of " + elements.totalLength());
        } else if (!payload.check(elements, qp.receiveDomain(), AccessFlag.LOCAL_WRITE.code(), 0, bytes)) {
            failAll(qp, WorkCompletionStatus.LOC_PROT_ERR, payload.describeFailure());
        } else {
            place(qp, packet, arrival, elements);
        }
        qp.receive.endMessage();
    }

    /** Why the datagram is dropped, or null: then a receive is taken for it. */
    private @Nullable DropReason refusal(QpContext qp, RocePacket packet) {
        if (packet.dethQkey() != qp.attributes.qkey) {
            return DropReason.BAD_QKEY; // §7.1
        }
        if (packet.payloadLength() > mtu) {
            return DropReason.LENGTH_MISMATCH;
        }
        return Receives.take(qp) ? null : DropReason.NO_RECEIVER;
    }

    private void place(QpContext qp, RocePacket packet, Arrival arrival, ScatterGatherList elements) {
        int domain = qp.receiveDomain();
        int bytes = packet.payloadLength();
        try {
            payload.scatter(elements, domain, 0, route.of(arrival, packet.length()), 0, RouteHeader.LENGTH);
            payload.scatter(elements, domain, RouteHeader.LENGTH, packet.buffer(), packet.payloadOffset(), bytes);
        } catch (AccessFault e) {
            failAll(qp, WorkCompletionStatus.LOC_QP_OP_ERR, "the memory of the receive failed");
            return;
        }
        completions.datagramReceived(qp, packet, RouteHeader.LENGTH + bytes, arrival.answerPort());
    }

    /** The receive itself is wrong, which is this program's fault: as for a connection, the queue pair fails (§8.1). */
    private void failAll(QpContext qp, WorkCompletionStatus status, String cause) {
        completions.failReceive(qp, status, 0, cause);
        completions.toError(qp, status + ": " + cause);
    }
}
