package io.rdma4j.core.transport;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;

/** Takes receives for messages that need one (§7.2(3)). */
public final class Receives {
    private Receives() {}

    /**
     * Takes the next receive for the message that begins.
     *
     * @return whether there was one
     */
    public static boolean take(QpContext qp) {
        ReceiveState r = qp.receive;
        if (r.head == qp.receiveQueue().posted()) {
            return false;
        }
        r.current = qp.receiveQueue().at(r.head);
        r.placed = 0;
        return true;
    }

    /** The message in progress is dropped: its receive serves the next one (§8.4). */
    public static void giveBack(QpContext qp) {
        qp.receive.endMessage();
    }
}
