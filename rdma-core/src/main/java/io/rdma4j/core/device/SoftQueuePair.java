package io.rdma4j.core.device;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.qp.QpAttributes;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.ReceiveWorkEntry;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.ScatterGatherList;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.AsyncEventElement;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
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
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendRequest;
import java.util.List;

/** An RC queue pair: posting from any thread, everything else as commands of the owner thread. */
final class SoftQueuePair extends SoftObject implements QueuePair {
    /** Lengths of scatter/gather elements are unsigned 32-bit values (ibv_sge). */
    private static final long MAX_ELEMENT_LENGTH = 0xFFFF_FFFFL;

    /** The rings of a queue pair. */
    record WorkQueues(SendQueue send, ReceiveQueue receive) {}

    private final SoftProtectionDomain domain;
    private final QueuePairConfig config;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;
    private final DeviceEngine engine;
    private final QpContext context;
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
        this.engine = device.engine();
        this.context = new QpContext(
                new QpContext.Parts(
                        number,
                        config.type(),
                        domain.number(),
                        queues.send(),
                        queues.receive(),
                        sendCompletions.ring(),
                        receiveCompletions.ring()),
                config.isSignalAll());
        this.initialPsn = engine.config().random().nextInt(Psn.MASK + 1);
        context.owner = device;
        engine.lifecycle().add(context);
    }

    /** Rings of such sizes; on the caller's thread, because large ones take their time. */
    static WorkQueues allocate(QueuePairCapabilities sizes) {
        return new WorkQueues(
                new SendQueue(sizes.maxSendWorkRequests(), sizes.maxSendScatterGather(), sizes.maxInlineData()),
                new ReceiveQueue(sizes.maxReceiveWorkRequests(), sizes.maxReceiveScatterGather()));
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
    public QueuePairCapabilities capabilities() {
        return config.capabilities();
    }

    @Override
    public QueuePairAddress localAddress() {
        return new QueuePairAddress(number(), initialPsn, device.gid());
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
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
                    .sqdAsyncNotify(a.sqdAsyncNotify)
                    .sendQueueDraining(context.send.draining);
            AddressVector vector = a.addressVector;
            return (vector == null ? builder : builder.addressVector(vector)).build();
        });
    }

    @Override
    public void postSend(SendRequest request) {
        RequestKind kind = RequestKind.of(request.opcode());
        if (kind == null) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP, "ibv_post_send: " + request.opcode() + " is not supported yet");
        }
        SendQueue queue = context.sendQueue();
        queue.lock().lock();
        try {
            checkSendState(context.state());
            if (!queue.hasRoom()) {
                throw full("ibv_post_send", queue.capacity());
            }
            SendWorkEntry entry = queue.at(queue.posted());
            if (request.isInline()) {
                checkInline(request.inlineLength());
                entry.useInline(request);
            } else {
                fill(entry.useElements(), request.elements(), "ibv_post_send");
            }
            entry.id = request.workRequestId();
            entry.kind = kind;
            entry.signaled = request.isSignaled();
            entry.solicited = request.isSolicited();
            entry.fenced = request.isFenced();
            entry.remoteAddress = request.remoteAddress();
            entry.remoteKey = request.remoteKey();
            entry.immediate = request.immediateData();
            entry.invalidateKey = request.invalidateKey();
            entry.compare = request.compare();
            entry.swapOrAdd = request.swapOrAdd();
            entry.packets = 0;
            queue.publish();
        } finally {
            queue.lock().unlock();
        }
        engine.ring(context);
    }

    /** EINVAL, as rxe says it, and not ENOMEM: polling completions would never help. */
    private void checkInline(long bytes) {
        int limit = config.capabilities().maxInlineData();
        if (bytes > limit) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_post_send: " + bytes + " bytes inline; max_inline_data is " + limit);
        }
    }

    /** §9: posting is refused before RTS; in ERR the request is flushed at once. */
    private void checkSendState(QueuePairState state) {
        requireOpen();
        switch (state) {
            case RESET, INIT, RTR ->
                throw new RdmaException(
                        ErrorCode.EINVAL, "ibv_post_send: " + this + " is in " + state + "; it must be in RTS");
            default -> {
                // RTS and SQD queue, SQE and ERR flush.
            }
        }
    }

    @Override
    public void postReceive(ReceiveRequest request) {
        ReceiveQueue queue = context.receiveQueue();
        boolean ring;
        queue.lock().lock();
        try {
            requireOpen();
            if (context.state() == QueuePairState.RESET) {
                throw new RdmaException(ErrorCode.EINVAL, "ibv_post_recv: " + this + " is in RESET");
            }
            if (!queue.hasRoom()) {
                throw full("ibv_post_recv", queue.capacity());
            }
            ReceiveWorkEntry entry = queue.at(queue.posted());
            fill(entry.elements(), request.elements(), "ibv_post_recv");
            entry.id = request.workRequestId();
            queue.publish();
            ring = queue.doorbellWantedAfterPublish();
        } finally {
            queue.lock().unlock();
        }
        if (ring) {
            engine.ring(context);
        }
    }

    private RdmaException full(String verb, int capacity) {
        return new RdmaException(
                ErrorCode.ENOMEM,
                verb + ": all " + capacity + " work requests of " + this + " wait for a completion to be polled");
    }

    /** Copies the elements of a request into its slot; by index, because an iterator would be an allocation. */
    private static void fill(ScatterGatherList list, List<ScatterGatherElement> elements, String verb) {
        int count = elements.size();
        if (count > list.capacity()) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + count + " scatter/gather elements, at most " + list.capacity());
        }
        list.clear();
        for (int i = 0; i < count; i++) {
            list.add(checked(verb, elements.get(i)));
        }
    }

    private static ScatterGatherElement checked(String verb, ScatterGatherElement element) {
        if (element.length() < 0 || element.length() > MAX_ELEMENT_LENGTH) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + element.length() + " is no 32-bit length of an element");
        }
        return element;
    }

    @Override
    void release() {
        engine.lifecycle().destroy(context);
        device.forgetEvents(AsyncEventElement.QUEUE_PAIR, number());
        domain.orphan(this);
        sendCompletions.orphan(this);
        receiveCompletions.orphan(this);
    }
}
