package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;

/** A protection domain: makes regions and queue pairs that belong together. */
final class SoftProtectionDomain extends SoftObject implements ProtectionDomain {
    private final int number;

    SoftProtectionDomain(SoftDevice device, int number) {
        super(device, "protection domain " + number);
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public MemoryRegion registerMemory(MemoryRegionConfig config) {
        Arguments.required(config, "config");
        requireOpen();
        MemoryRegistration registration =
                new MemoryRegistration(config, device.limits().maxLong(DeviceLimit.MAX_MR_SIZE));
        return device.commandIfOpen(() -> {
            requireOpen();
            device.numbers().requireRoom(ObjectNumbers.Kind.MEMORY_REGION);
            SoftMemoryRegion region = new SoftMemoryRegion(
                    device, this, registration.register(device.engine().memory(), number), config);
            device.numbers().next(ObjectNumbers.Kind.MEMORY_REGION);
            adopt(region);
            return region;
        });
    }

    @Override
    public QueuePair createQueuePair(QueuePairConfig config) {
        Arguments.required(config, "config");
        requireOpen();
        if (!device.engine().offers(config.type())) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP, "ibv_create_qp: " + config.type() + " queue pairs are not supported yet");
        }
        checkCapabilities(config.capabilities());
        SoftCompletionQueue sendQueue = own(config.sendCompletionQueue(), SoftCompletionQueue.class);
        SoftCompletionQueue receiveQueue = own(config.receiveCompletionQueue(), SoftCompletionQueue.class);
        SoftQueuePair.WorkQueues queues = SoftQueuePair.allocate(config.capabilities());
        return device.commandIfOpen(() -> {
            requireOpen();
            sendQueue.requireOpenArgument();
            receiveQueue.requireOpenArgument();
            device.numbers().requireRoom(ObjectNumbers.Kind.QUEUE_PAIR);
            SoftQueuePair queuePair = new SoftQueuePair(this, config, queues, sendQueue, receiveQueue);
            adopt(queuePair);
            sendQueue.adopt(queuePair);
            receiveQueue.adopt(queuePair);
            return queuePair;
        });
    }

    @Override
    public MemoryRegion allocateNullRegion() {
        throw notYet("ibv_alloc_null_mr");
    }

    @Override
    public FastRegistrationRegion allocateFastRegistration(int maxBuffers) {
        throw notYet("ib_alloc_mr");
    }

    @Override
    public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        throw notYet("ibv_alloc_mw");
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) {
        throw notYet("ibv_create_ah");
    }

    @Override
    public AddressHandle createAddressHandle(WorkCompletion completion, ByteBuffer header) {
        throw notYet("ibv_create_ah_from_wc");
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueAttributes attributes) {
        throw notYet("ibv_create_srq");
    }

    private static RdmaException notYet(String verb) {
        return new RdmaException(ErrorCode.EOPNOTSUPP, verb + " is not supported yet");
    }

    private void checkCapabilities(QueuePairCapabilities c) {
        check("max_send_wr", c.maxSendWorkRequests(), DeviceLimit.MAX_QP_WR);
        check("max_recv_wr", c.maxReceiveWorkRequests(), DeviceLimit.MAX_QP_WR);
        check("max_send_sge", c.maxSendScatterGather(), DeviceLimit.MAX_SGE);
        check("max_recv_sge", c.maxReceiveScatterGather(), DeviceLimit.MAX_SGE);
        check("max_inline_data", c.maxInlineData(), DeviceLimit.MAX_INLINE_DATA);
    }

    private void check(String what, int value, DeviceLimit limit) {
        int max = device.limits().max(limit);
        if (value < 0 || value > max) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ibv_create_qp: " + what + " " + value + " is not in 0.." + max + " (" + limit.text() + ")");
        }
    }

    @Override
    void release() {
        device.numbers().release(ObjectNumbers.Kind.PROTECTION_DOMAIN);
        device.orphan(this);
    }
}
