package io.rdma4j.core.device;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;

/** Puts receives into the receive queue of a queue pair; any thread (§9). */
final class ReceivePosting {
    private final SoftQueuePair queuePair;
    private final QpContext context;

    ReceivePosting(SoftQueuePair queuePair, QpContext context) {
        this.queuePair = queuePair;
        this.context = context;
    }

    void post(ReceiveRequest request) {
        ReceiveQueue queue = context.receiveQueue();
        boolean ring;
        queue.lock().lock();
        try {
            queuePair.requireOpen();
            if (context.state() == QueuePairState.RESET) {
                throw new RdmaException(ErrorCode.EINVAL, "ibv_post_recv: " + queuePair + " is in RESET");
            }
            if (!queue.hasRoom()) {
                throw WorkElements.full("ibv_post_recv", queue.capacity(), queuePair);
            }
            ReceiveWorkEntry entry = queue.at(queue.posted());
            WorkElements.fill(entry.elements(), request.elements(), "ibv_post_recv");
            entry.id = request.workRequestId();
            queue.publish();
            ring = queue.doorbellWantedAfterPublish();
        } finally {
            queue.lock().unlock();
        }
        if (ring) {
            queuePair.device.engine().ring(context);
        }
    }
}
