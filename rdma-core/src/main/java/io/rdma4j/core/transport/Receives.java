package io.rdma4j.core.transport;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.queue.SharedReceiveRing;
import java.util.Objects;

/** Takes receives for messages that need one (§7.2(3)), from the queue pair's own queue or from a shared one (§12). */
public final class Receives {
    private Receives() {}

    /**
     * Takes the next receive for the message that begins.
     *
     * @return whether there was one
     */
    public static boolean take(QpContext qp) {
        ReceiveState r = qp.receive;
        SharedReceiveRing shared = qp.parts.sharedReceives();
        if (shared != null) {
            ReceiveWorkEntry place = Objects.requireNonNull(r.shared);
            if (!r.holdsShared && !shared.take(place)) {
                return false;
            }
            r.holdsShared = true;
            r.current = place;
        } else {
            if (r.head == qp.receiveQueue().posted()) {
                return false;
            }
            r.current = qp.receiveQueue().at(r.head);
        }
        r.placed = 0;
        return true;
    }

    /** The message in progress is dropped: its receive serves the next one of this queue pair (§8.4), shared or not. */
    public static void giveBack(QpContext qp) {
        qp.receive.endMessage();
    }

    /** The queue pair is reset or destroyed: a receive that it had from a shared queue is there again as it was (§12). */
    public static void abandon(QpContext qp) {
        ReceiveState r = qp.receive;
        SharedReceiveRing shared = qp.parts.sharedReceives();
        if (shared != null && r.holdsShared) {
            shared.giveBack(Objects.requireNonNull(r.shared));
            r.holdsShared = false;
        }
    }

    /** The receive that completes now: the one taken last, or the oldest of the queue pair's own. */
    static ReceiveWorkEntry complete(QpContext qp) {
        ReceiveState r = qp.receive;
        if (r.holdsShared) {
            r.holdsShared = false;
            return Objects.requireNonNull(r.shared);
        }
        return qp.receiveQueue().at(r.head++);
    }
}
