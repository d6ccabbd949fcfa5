package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.queue.SharedReceiveRing;
import io.rdma4j.core.queue.SharedReceiveSlots;
import io.rdma4j.verbs.AsyncEventElement;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.spi.Arguments;

/** A shared receive queue: posting from any thread, everything else as commands of the owner thread (§12). */
final class SoftSharedReceiveQueue extends SoftObject implements SharedReceiveQueue {
    private final SoftProtectionDomain domain;
    private final int number;
    private final SharedReceiveRing ring;

    SoftSharedReceiveQueue(SoftProtectionDomain domain, int number, SharedReceiveSlots slots) {
        super(domain.device, "shared receive queue " + number);
        this.domain = domain;
        this.number = number;
        this.ring = new SharedReceiveRing(
                domain.number(), slots, () -> device.raise(AsyncEventType.SRQ_LIMIT_REACHED, number));
    }

    /** Room for so many receives; on the caller's thread, because much of it takes its time. */
    static SharedReceiveSlots allocate(String verb, DeviceLimits limits, SharedReceiveQueueAttributes sizes) {
        check(verb, "max_wr", sizes.maxWorkRequests(), 1, limits.max(DeviceLimit.MAX_SRQ_WR));
        check(verb, "max_sge", sizes.maxScatterGather(), 0, limits.max(DeviceLimit.MAX_SRQ_SGE));
        return new SharedReceiveSlots(sizes.maxWorkRequests(), sizes.maxScatterGather());
    }

    private static void check(String verb, String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    SharedReceiveRing ring() {
        return ring;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public SharedReceiveQueueAttributes query() {
        return device.commandIfOpen(() -> {
            requireOpen();
            return new SharedReceiveQueueAttributes(ring.capacity(), ring.maxElements(), ring.limit());
        });
    }

    @Override
    public void armLimit(int limit) {
        device.commandIfOpen(() -> {
            requireOpen();
            ring.armLimit(limit);
            return this;
        });
    }

    @Override
    public void resize(int maxWorkRequests) {
        requireOpen();
        SharedReceiveSlots slots = allocate(
                "ibv_modify_srq",
                device.limits(),
                SharedReceiveQueueAttributes.of(maxWorkRequests, ring.maxElements()));
        device.commandIfOpen(() -> {
            requireOpen();
            ring.resize(slots);
            return this;
        });
    }

    @Override
    public void postReceive(ReceiveRequest request) {
        ring.lock().lock();
        try {
            requireOpen();
            Arguments.required(request, "request");
            if (!ring.hasRoom()) {
                throw new RdmaException(
                        ErrorCode.ENOMEM,
                        "ibv_post_srq_recv: all " + ring.capacity() + " receives of " + this
                                + " wait for a message to take them");
            }
            ReceiveWorkEntry entry = ring.next();
            WorkElements.fill(entry.elements(), request.elements(), "ibv_post_srq_recv");
            entry.id = request.workRequestId();
            ring.publish();
        } finally {
            ring.lock().unlock();
        }
    }

    @Override
    void release() {
        device.forgetEvents(AsyncEventElement.SHARED_RECEIVE_QUEUE, number);
        device.numbers().release(ObjectNumbers.Kind.SHARED_RECEIVE_QUEUE);
        domain.orphan(this);
    }
}
