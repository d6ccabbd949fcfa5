package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A completion queue: a ring, and the account of its events. */
final class SoftCompletionQueue extends SoftObject implements CompletionQueue {
    private final CompletionRing ring;
    private final @Nullable SoftCompletionChannel channel;
    private final AtomicInteger unacknowledged = new AtomicInteger();

    SoftCompletionQueue(SoftDevice device, int number, int capacity, @Nullable SoftCompletionChannel channel) {
        super(device, "completion queue " + number);
        this.channel = channel;
        this.ring = new CompletionRing(number, capacity, channel == null ? null : () -> channel.signal(this));
    }

    CompletionRing ring() {
        return ring;
    }

    void eventDelivered() {
        unacknowledged.incrementAndGet();
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public int number() {
        return ring.number();
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int poll(WorkCompletion[] into, int count) {
        if (count < 0 || count > into.length) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_poll_cq: " + count + " does not fit an array of " + into.length);
        }
        requireOpen();
        return ring.poll(into, count);
    }

    @Override
    public boolean arm(boolean solicitedOnly) {
        if (channel == null) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_req_notify_cq: " + this + " has no completion channel");
        }
        requireOpen();
        return ring.arm(solicitedOnly);
    }

    @Override
    public void acknowledgeEvents(int count) {
        int before = unacknowledged.getAndUpdate(open -> count >= 0 && count <= open ? open - count : open);
        if (count < 0 || count > before) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ibv_ack_cq_events: " + count + " of " + before + " unacknowledged events of " + this);
        }
    }

    @Override
    void refuseIfBusy() {
        super.refuseIfBusy();
        int open = unacknowledged.get();
        if (open > 0) {
            throw new RdmaException(ErrorCode.EBUSY, this + " has " + open + " unacknowledged events");
        }
    }

    @Override
    void release() {
        if (channel != null) {
            channel.forget(this);
        }
        device.numbers().release(ObjectNumbers.Kind.COMPLETION_QUEUE);
        device.orphan(this);
    }
}
