package io.rdma4j.core.device;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
            fill(queue, request);
            ring = queue.doorbellWantedAfterPublish();
        } finally {
            queue.lock().unlock();
        }
        ring(ring);
    }

    /** The requests of a list up to the first bad one, whose place the exception tells; the queue is told once. */
    void postAll(List<ReceiveRequest> requests) {
        ReceiveQueue queue = context.receiveQueue();
        Taken taken = Taken.from(requests, queue.capacity() + 1);
        int posted = 0;
        boolean ring = false;
        queue.lock().lock();
        try {
            for (; posted < taken.count; posted++) {
                fill(queue, taken.requests[posted]);
            }
            if (taken.failure != null) {
                throw taken.failure;
            }
        } catch (RdmaException e) {
            throw new PostException(posted, e);
        } finally {
            ring = posted > 0 && queue.doorbellWantedAfterPublish();
            queue.lock().unlock();
            ring(ring);
        }
    }

    /** What a list held when it was posted; its own code does not run under the queue's lock. */
    private static final class Taken {
        private final @Nullable ReceiveRequest[] requests;
        private int count;
        private @Nullable RdmaException failure;

        private Taken(int size) {
            requests = new ReceiveRequest[size];
        }

        static Taken from(List<ReceiveRequest> list, int most) {
            Taken taken = new Taken(Math.min(list.size(), most));
            try {
                while (taken.count < taken.requests.length && taken.count < list.size()) {
                    taken.requests[taken.count] = list.get(taken.count);
                    taken.count++;
                }
            } catch (RuntimeException e) { // it changed meanwhile, or has what is no request
                taken.failure = new RdmaException(ErrorCode.EINVAL, "ibv_post_recv: the list fails: " + e, e);
            }
            return taken;
        }
    }

    private void fill(ReceiveQueue queue, @Nullable ReceiveRequest request) {
        queuePair.requireOpen();
        if (context.state() == QueuePairState.RESET) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_post_recv: " + queuePair + " is in RESET");
        }
        if (request == null) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_post_recv: request is null");
        }
        if (!queue.hasRoom()) {
            throw WorkElements.full("ibv_post_recv", queue.capacity(), queuePair);
        }
        ReceiveWorkEntry entry = queue.at(queue.posted());
        WorkElements.fill(entry.elements(), request.elements(), "ibv_post_recv");
        entry.id = request.workRequestId();
        queue.publish();
    }

    private void ring(boolean wanted) {
        if (wanted) {
            queuePair.device.engine().ring(context);
        }
    }
}
