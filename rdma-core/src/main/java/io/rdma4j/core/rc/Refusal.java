package io.rdma4j.core.rc;

import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.Disposition;

/** The end of a responder that cannot go on (§8.1): one last NAK, its receive or an event, and ERR. */
final class Refusal {
    private final EngineServices engine;
    private final Completions completions;

    Refusal(EngineServices engine, Completions completions) {
        this.engine = engine;
        this.completions = completions;
    }

    /**
     * Refuses the request at {@code psn}. What is due before it still goes out, and then the NAK (§8.5).
     *
     * @param holdsReceive whether the refused request had consumed the receive in progress, which then completes with the
     *     error; else the event tells
     */
    void refuse(QpContext qp, Disposition why, int psn, boolean holdsReceive, String cause) {
        oweNak(qp, why, psn);
        completions.failResponder(qp, why, holdsReceive, why.syndrome, cause);
    }

    /** The NAK alone, of a queue pair that has failed already. */
    void oweNak(QpContext qp, Disposition why, int psn) {
        if (why.counter != null) {
            engine.counters().count(why.counter);
        }
        qp.receive.oweNak(why.syndrome, psn);
        qp.receive.ackDue = false; // a NAK acknowledges all before it
    }
}
