package io.rdma4j.core.device;

import io.rdma4j.core.device.SoftMemoryRegion.View;
import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.QpAttributes;
import io.rdma4j.core.queue.SharedReceiveSlots;
import io.rdma4j.verbs.AccessFlag;
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
import java.util.Objects;
import java.util.Set;

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
                new MemoryRegistration("ibv_reg_mr", config, device.limits().maxLong(DeviceLimit.MAX_MR_SIZE));
        return device.commandIfOpen(() -> {
            requireOpen();
            device.numbers().next(ObjectNumbers.Kind.MEMORY_REGION);
            RegisteredMemory memory = registered(registration);
            View view = new View(this, registration.extent(), memory.address(), config.accessFlags());
            return adopted(new SoftMemoryRegion(memory, view, config));
        });
    }

    private RegisteredMemory registered(MemoryRegistration registration) {
        try {
            return registration.register(device.engine().memory(), number);
        } catch (RuntimeException e) {
            device.numbers().release(ObjectNumbers.Kind.MEMORY_REGION);
            throw e;
        }
    }

    private <T extends SoftObject> T adopted(T child) {
        adopt(child);
        return child;
    }

    @Override
    public QueuePair createQueuePair(QueuePairConfig asked) {
        Arguments.required(asked, "config");
        requireOpen();
        SoftSharedReceiveQueue shared = asked.sharedReceiveQueue() == null
                ? null
                : own(asked.sharedReceiveQueue(), SoftSharedReceiveQueue.class);
        // Its own sizes of receives do not count then, whatever they are (§12).
        QueuePairConfig config =
                shared == null ? asked : asked.maxReceiveWorkRequests(0).maxReceiveScatterGather(0);
        if (!device.engine().offers(config.type())) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP, "ibv_create_qp: " + config.type() + " queue pairs are not supported yet");
        }
        checkCapabilities(config.capabilities());
        SoftCompletionQueue sendQueue = own(config.sendCompletionQueue(), SoftCompletionQueue.class);
        SoftCompletionQueue receiveQueue = own(config.receiveCompletionQueue(), SoftCompletionQueue.class);
        SoftQueuePair.WorkQueues queues = SoftQueuePair.allocate(config.capabilities(), shared);
        return device.commandIfOpen(() -> {
            requireOpen();
            sendQueue.requireOpenArgument();
            receiveQueue.requireOpenArgument();
            if (shared != null) {
                shared.requireOpenArgument();
            }
            device.numbers().requireRoom(ObjectNumbers.Kind.QUEUE_PAIR);
            SoftQueuePair queuePair = new SoftQueuePair(this, config, queues, sendQueue, receiveQueue);
            adopt(queuePair);
            sendQueue.adopt(queuePair);
            receiveQueue.adopt(queuePair);
            if (shared != null) {
                shared.adopt(queuePair);
            }
            return queuePair;
        });
    }

    @Override
    public MemoryRegion allocateNullRegion() {
        return device.commandIfOpen(() -> {
            requireOpen();
            device.numbers().next(ObjectNumbers.Kind.MEMORY_REGION);
            Set<AccessFlag> access = Set.of(AccessFlag.LOCAL_WRITE);
            RegisteredMemory memory =
                    Objects.requireNonNull(device.engine().memory().registerNull(QpAttributes.bits(access), number));
            View view = new View(this, memory.extent(), memory.address(), access);
            return adopted(new SoftMemoryRegion(memory, view, null));
        });
    }

    @Override
    public FastRegistrationRegion allocateFastRegistration(int maxBuffers) {
        if (maxBuffers < 1 || maxBuffers > device.limits().max(DeviceLimit.MAX_FAST_REG_PAGE_LIST)) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ib_alloc_mr: " + maxBuffers + " buffers are not in 1.."
                            + device.limits().max(DeviceLimit.MAX_FAST_REG_PAGE_LIST));
        }
        return device.commandIfOpen(() -> {
            requireOpen();
            device.numbers().next(ObjectNumbers.Kind.MEMORY_REGION);
            RegisteredMemory memory =
                    Objects.requireNonNull(device.engine().memory().addFastRegistration(number));
            return adopted(new SoftFastRegistration(this, memory, maxBuffers));
        });
    }

    @Override
    public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        Arguments.required(type, "type");
        return device.commandIfOpen(() -> {
            requireOpen();
            device.numbers().next(ObjectNumbers.Kind.MEMORY_WINDOW);
            RegisteredMemory memory =
                    Objects.requireNonNull(device.engine().memory().addWindow(type == MemoryWindowType.TYPE_2, number));
            return adopted(new SoftMemoryWindow(this, type, memory));
        });
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) {
        Arguments.required(vector, "vector");
        requireOpen();
        SoftAddressHandle.check(device, vector);
        return device.commandIfOpen(() -> {
            requireOpen();
            return adopted(new SoftAddressHandle(this, vector));
        });
    }

    @Override
    public AddressHandle createAddressHandle(WorkCompletion completion, ByteBuffer header) {
        Arguments.required(completion, "completion");
        Arguments.required(header, "header");
        return createAddressHandle(ReceivedRoute.back(device.gid(), completion, header));
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueAttributes attributes) {
        Arguments.required(attributes, "attributes");
        requireOpen();
        SharedReceiveSlots slots = SoftSharedReceiveQueue.allocate("ibv_create_srq", device.limits(), attributes);
        return device.commandIfOpen(() -> {
            requireOpen();
            return adopted(new SoftSharedReceiveQueue(
                    this, device.numbers().next(ObjectNumbers.Kind.SHARED_RECEIVE_QUEUE), slots));
        });
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
