package io.rdma4j.core.device;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.QpAttributes;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.AsyncEventElement;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.SendBatch;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.spi.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair: posting from any thread, everything else as commands of the owner thread. */
final class SoftQueuePair extends SoftObject implements QueuePair {
    /** The rings of a queue pair, and the shared queue that takes the place of the one for receives. */
    record WorkQueues(
            SendQueue send, ReceiveQueue receive, @Nullable SoftSharedReceiveQueue shared) {}

    private final SoftProtectionDomain domain;
    private final QueuePairConfig config;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;
    private final @Nullable SoftSharedReceiveQueue shared;
    private final DeviceEngine engine;
    private final QpContext context;
    private final SendPosting sends;
    private final SendBatches batches;
    private final ReceivePosting receives;
    private final int initialPsn;

    SoftQueuePair(
            SoftProtectionDomain domain,
            QueuePairConfig config,
            WorkQueues queues,
            SoftCompletionQueue sendCompletions,
            SoftCompletionQueue receiveCompletions) {
        this(
                domain,
                config,
                queues,
                sendCompletions,
                receiveCompletions,
                domain.device.engine().lifecycle().allocateNumber());
    }

    private SoftQueuePair(
            SoftProtectionDomain domain,
            QueuePairConfig config,
            WorkQueues queues,
            SoftCompletionQueue sendCompletions,
            SoftCompletionQueue receiveCompletions,
            int number) {
        super(domain.device, String.format("queue pair 0x%06x", number));
        this.domain = domain;
        this.config = config;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.shared = queues.shared();
        this.engine = device.engine();
        this.context = new QpContext(
                new QpContext.Parts(
                        number,
                        config.type(),
                        domain.number(),
                        queues.send(),
                        queues.receive(),
                        sendCompletions.ring(),
                        receiveCompletions.ring(),
                        shared == null ? null : shared.ring()),
                config.isSignalAll());
        this.initialPsn = engine.config().random().nextInt(Psn.MASK + 1);
        this.sends = new SendPosting(this, context, config.capabilities().maxInlineData());
        this.batches = new SendBatches(this, sends, context);
        this.receives = new ReceivePosting(this, context);
        context.owner = device;
        device.numbers().next(ObjectNumbers.Kind.QUEUE_PAIR);
        engine.lifecycle().add(context);
    }

    /** Rings of such sizes; on the caller's thread, because large ones take their time. */
    static WorkQueues allocate(QueuePairCapabilities sizes, @Nullable SoftSharedReceiveQueue shared) {
        return Heap.allocate(
                "ibv_create_qp",
                () -> new WorkQueues(
                        new SendQueue(sizes.maxSendWorkRequests(), sizes.maxSendScatterGather(), sizes.maxInlineData()),
                        new ReceiveQueue(sizes.maxReceiveWorkRequests(), sizes.maxReceiveScatterGather()),
                        shared));
    }

    @Override
    public int number() {
        return context.number();
    }

    @Override
    public QueuePairType type() {
        return config.type();
    }

    @Override
    public QueuePairState state() {
        return context.state();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return sendCompletions;
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return receiveCompletions;
    }

    @Override
    public QueuePairConfig config() {
        return config;
    }

    @Override
    public QueuePairCapabilities capabilities() {
        return config.capabilities();
    }

    @Override
    public QueuePairAddress localAddress() {
        return new QueuePairAddress(number(), initialPsn, device.gid());
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        Arguments.required(attributes, "attributes");
        device.commandIfOpen(() -> {
            requireOpen();
            new QpModifier(engine).modify(context, attributes);
            return this;
        });
    }

    @Override
    public QueuePairAttributes query() {
        return device.commandIfOpen(() -> {
            requireOpen();
            QpAttributes a = context.attributes;
            QueuePairAttributes.Builder builder = QueuePairAttributes.builder()
                    .state(context.state())
                    .currentState(context.state())
                    .pkeyIndex(a.pkeyIndex)
                    .port(a.port)
                    .accessFlags(a.accessFlags())
                    .pathMtu(a.pathMtu)
                    .destinationQueuePair(a.destinationQp)
                    .receivePsn(a.receivePsn)
                    .sendPsn(a.sendPsn)
                    .maxReadAtomic(a.maxReadAtomic)
                    .maxDestinationReadAtomic(a.maxDestinationReadAtomic)
                    .minRnrTimer(a.minRnrTimer)
                    .timeout(a.timeout)
                    .retryCount(a.retryCount)
                    .rnrRetry(a.rnrRetry)
                    .qkey(a.qkey)
                    .sqdAsyncNotify(a.sqdAsyncNotify)
                    .sendQueueDraining(context.send.draining);
            AddressVector vector = a.addressVector;
            return (vector == null ? builder : builder.addressVector(vector)).build();
        });
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return shared;
    }

    @Override
    public int bindMemoryWindow(
            long workRequestId, MemoryWindow window, MemoryWindowBinding binding, boolean signaled) {
        Arguments.required(window, "window");
        Arguments.required(binding, "binding");
        SoftMemoryWindow mine = own(window, SoftMemoryWindow.class);
        if (mine.type() != MemoryWindowType.TYPE_1) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_bind_mw: " + mine + " is of type 2, which a request binds");
        }
        MemoryRegion region = binding.length() == 0 ? null : binding.region();
        if (region != null && own(region, SoftMemoryRegion.class).protectionDomain() != mine.protectionDomain()) {
            throw new RdmaException(
                    ErrorCode.EPERM,
                    "ibv_bind_mw: " + mine + " and " + region + " are of different protection domains");
        }
        mine.binding.lock();
        try {
            int key = RemoteKeys.increment(mine.remoteKey());
            BindMemoryWindow request = BindMemoryWindow.of(workRequestId, window, binding, key);
            sends.post(signaled ? request.signaled() : request);
            mine.remoteKey(key);
            return key;
        } finally {
            mine.binding.unlock();
        }
    }

    @Override
    public void attachMulticast(Gid group) {
        Arguments.required(group, "group");
        device.commandIfOpen(() -> {
            requireOpen();
            engine.multicast().attach(context, group);
            return this;
        });
    }

    @Override
    public void detachMulticast(Gid group) {
        Arguments.required(group, "group");
        device.commandIfOpen(() -> {
            requireOpen();
            engine.multicast().detach(context, group);
            return this;
        });
    }

    @Override
    public void postSend(SendRequest request) {
        sends.post(request);
    }

    @Override
    public void postSend(List<? extends SendRequest> requests) {
        Arguments.required(requests, "requests");
        batches.postAll(requests);
    }

    @Override
    public SendBatch startSends() {
        requireOpen();
        return batches.start();
    }

    @Override
    public void postReceive(ReceiveRequest request) {
        if (shared != null) {
            requireOpen();
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_post_recv: " + this + " takes its receives from " + shared + "; post there");
        }
        receives.post(request);
    }

    @Override
    public void postReceive(List<ReceiveRequest> requests) {
        Arguments.required(requests, "requests");
        receives.postAll(requests);
    }

    @Override
    void release() {
        engine.lifecycle().destroy(context);
        device.numbers().release(ObjectNumbers.Kind.QUEUE_PAIR);
        device.forgetEvents(AsyncEventElement.QUEUE_PAIR, number());
        domain.orphan(this);
        sendCompletions.orphan(this);
        receiveCompletions.orphan(this);
        if (shared != null) {
            shared.orphan(this);
        }
    }
}
