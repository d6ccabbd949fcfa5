package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.CompletionSlots;
import io.rdma4j.verbs.AsyncEventElement;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.spi.Arguments;
import org.jspecify.annotations.Nullable;

/** A completion queue: a ring, and the account of its events. */
final class SoftCompletionQueue extends SoftObject implements CompletionQueue {
    private final CompletionRing ring;
    private final @Nullable SoftCompletionChannel channel;
    private final SoftCompletionChannel.Account account = new SoftCompletionChannel.Account(this);

    SoftCompletionQueue(SoftDevice device, int number, CompletionSlots slots, @Nullable SoftCompletionChannel channel) {
        super(device, "completion queue " + number);
        this.channel = channel;
        this.ring = new CompletionRing(number, slots, channel == null ? null : () -> channel.signal(account));
    }

    /** Room for so many completions; on the caller's thread, because a large one takes its time. */
    static CompletionSlots allocate(SoftDevice device, String verb, int capacity) {
        int limit = device.limits().max(DeviceLimit.MAX_CQE);
        if (capacity < 1 || capacity > limit) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + capacity + " entries are not in 1.." + limit + " (max_cqe)");
        }
        return Heap.allocate(verb, () -> new CompletionSlots(capacity));
    }

    CompletionRing ring() {
        return ring;
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
        Arguments.required(into, "into");
        if (count < 0 || count > into.length) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_poll_cq: " + count + " does not fit an array of " + into.length);
        }
        requireOpen();
        return ring.poll(into, count);
    }

    @Override
    public void resize(int capacity) {
        requireOpen();
        CompletionSlots slots = allocate(device, "ibv_resize_cq", capacity);
        device.commandIfOpen(() -> {
            requireOpen();
            ring.resize(slots);
            return this;
        });
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
        if (channel != null) {
            channel.acknowledge(account, count);
        } else if (count != 0) {
            throw SoftCompletionChannel.refusedCount(this, count, 0);
        }
    }

    @Override
    void refuseIfBusy() {
        super.refuseIfBusy();
        if (channel != null) {
            channel.settle(account);
        }
    }

    @Override
    void release() {
        if (channel != null) {
            channel.forget(account);
        }
        device.forgetEvents(AsyncEventElement.COMPLETION_QUEUE, number());
        device.numbers().release(ObjectNumbers.Kind.COMPLETION_QUEUE);
        device.orphan(this);
    }
}
