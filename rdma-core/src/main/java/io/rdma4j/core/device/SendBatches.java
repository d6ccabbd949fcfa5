package io.rdma4j.core.device;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendRequest;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a queue pair: those that wait to be started again, and the one step in which a batch gets into the send
 * queue. A list is posted as a batch too, so that its own code never runs under the queue's lock.
 */
final class SendBatches {
    private final SoftQueuePair queuePair;
    private final SendPosting posting;
    private final QpContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable SoftSendBatch idle;

    SendBatches(SoftQueuePair queuePair, SendPosting posting, QpContext context) {
        this.queuePair = queuePair;
        this.posting = posting;
        this.context = context;
    }

    SoftSendBatch start() {
        SoftSendBatch batch = takeIdle();
        if (batch == null) {
            batch = new SoftSendBatch(this, posting, context.sendQueue());
        }
        batch.start();
        return batch;
    }

    private @Nullable SoftSendBatch takeIdle() {
        lock.lock();
        try {
            SoftSendBatch batch = idle;
            if (batch != null) {
                idle = batch.nextIdle;
                batch.nextIdle = null;
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(SoftSendBatch batch) {
        lock.lock();
        try {
            batch.nextIdle = idle;
            idle = batch;
        } finally {
            lock.unlock();
        }
    }

    /** All of a batch, or nothing (§19). */
    void publish(SoftSendBatch batch, int count) {
        SendQueue queue = context.sendQueue();
        queue.lock().lock();
        try {
            posting.checkState();
            if (count > queue.room()) {
                throw WorkElements.full("ibv_wr_complete", queue.capacity(), queuePair);
            }
            batch.moveTo(queue, count);
        } finally {
            queue.lock().unlock();
        }
        ring(count);
    }

    /** The requests of a list up to the first bad one, whose place the exception tells. */
    void postAll(List<? extends SendRequest> requests) {
        SoftSendBatch batch = start();
        try {
            int good = fill(batch, requests);
            int posted = publishUpTo(batch, good);
            ring(posted);
            RdmaException bad = batch.error();
            if (posted == good && bad == null) {
                return;
            }
            boolean isFull = posted < good || good == context.sendQueue().capacity();
            throw new PostException(
                    posted,
                    !isFull && bad != null && bad.getCause() instanceof RdmaException reason
                            ? reason
                            : WorkElements.full(
                                    "ibv_post_send", context.sendQueue().capacity(), queuePair));
        } finally {
            batch.close();
        }
    }

    /** How many are good, one after the other from the first; the error of the next, if any, is the batch's. */
    private int fill(SoftSendBatch batch, List<? extends SendRequest> requests) {
        int good = 0;
        try {
            while (batch.error() == null && good < requests.size()) {
                batch.stage(requests.get(good));
                good = batch.staged();
            }
        } catch (RuntimeException e) { // the list's own: it changed meanwhile, or has what is no request
            batch.refuse(ErrorCode.EINVAL, "ibv_post_send: the list fails: " + e, e);
        }
        return good;
    }

    /** As many of the first {@code good} as there is room for. */
    private int publishUpTo(SoftSendBatch batch, int good) {
        SendQueue queue = context.sendQueue();
        queue.lock().lock();
        try {
            if (good > 0 || batch.error() != null) {
                posting.checkState();
            }
            int count = Math.min(good, queue.room());
            batch.moveTo(queue, count);
            return count;
        } catch (RdmaException e) {
            throw new PostException(0, e);
        } finally {
            queue.lock().unlock();
        }
    }

    private void ring(int posted) {
        if (posted > 0) {
            queuePair.device.engine().ring(context);
        }
    }
}
