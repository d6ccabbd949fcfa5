package io.rdma4j.core.device;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendRequest;

/** Puts send requests into the send queue of a queue pair; any thread (§6.1). */
final class SendPosting {
    private final SoftQueuePair queuePair;
    private final QpContext context;
    private final int maxInlineData;

    SendPosting(SoftQueuePair queuePair, QpContext context, int maxInlineData) {
        this.queuePair = queuePair;
        this.context = context;
        this.maxInlineData = maxInlineData;
    }

    int maxInlineData() {
        return maxInlineData;
    }

    void post(SendRequest request) {
        SendQueue queue = context.sendQueue();
        queue.lock().lock();
        try {
            checkState();
            if (!queue.hasRoom()) {
                throw WorkElements.full("ibv_post_send", queue.capacity(), queuePair);
            }
            SendWorkEntry entry = queue.at(queue.posted());
            fill(entry, request);
            if (entry.kind.isLocal()) {
                MemoryRequests.announce(request);
            }
            queue.publish();
        } finally {
            queue.lock().unlock();
        }
        queuePair.device.engine().ring(context);
    }

    /** Copies a request into a slot that nobody sees yet; refused, it leaves there what does not matter. */
    void fill(SendWorkEntry entry, SendRequest request) {
        if (request == null) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_post_send: request is null");
        }
        RequestKind kind = RequestKind.of(request.opcode());
        if (kind == null) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP, "ibv_post_send: " + request.opcode() + " is not supported yet");
        }
        entry.begin(request.workRequestId(), kind);
        if (request.isInline()) {
            checkInline(request.inlineLength());
            copyInline(entry, request);
        } else {
            WorkElements.fill(entry.elements(), request.elements(), "ibv_post_send");
        }
        entry.signaled = request.isSignaled();
        entry.solicited = request.isSolicited();
        entry.fenced = request.isFenced();
        entry.remoteAddress = request.remoteAddress();
        entry.remoteKey = request.remoteKey();
        entry.immediate = request.immediateData();
        entry.invalidateKey = request.invalidateKey();
        entry.compare = request.compare();
        entry.swapOrAdd = request.swapOrAdd();
        if (kind.isLocal()) {
            MemoryRequests.fill(queuePair, entry, request);
        }
        DatagramDestination destination = request.destination();
        if (destination != null) {
            fillDestination(entry, destination.handle(), destination.queuePair(), destination.qkey());
        }
        checkDestination(entry);
    }

    /** The path is taken from the handle now, so that what is posted goes its way though the handle be closed (§14). */
    void fillDestination(SendWorkEntry entry, AddressHandle handle, int destination, int qkey) {
        if (context.type() != QueuePairType.UD) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ibv_post_send: " + queuePair + " is a connection (" + context.type() + "), and has its peer;"
                            + " the request names queue pair " + destination + " by " + handle);
        }
        SoftAddressHandle own = queuePair.own(handle, SoftAddressHandle.class);
        entry.path = own.path();
        entry.handleDomain = own.domainNumber();
        entry.destinationQp = destination;
        entry.qkey = qkey;
    }

    /** EINVAL for a datagram that goes nowhere. */
    void checkDestination(SendWorkEntry entry) {
        if (context.type() == QueuePairType.UD && entry.kind.isOfferedBy(Transport.UD) && entry.path == null) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ibv_post_send: a datagram without destination; say where it goes with to(handle, qpn, qkey)");
        }
    }

    private static void copyInline(SendWorkEntry entry, SendRequest request) {
        try {
            entry.useInline(request);
        } catch (RuntimeException | InternalError e) {
            throw new RdmaException(ErrorCode.EFAULT, "ibv_post_send: the inline data cannot be read: " + e, e);
        }
    }

    /** EINVAL, as rxe says it, and not ENOMEM: polling completions would never help. */
    private void checkInline(long bytes) {
        if (bytes > maxInlineData) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_post_send: " + bytes + " bytes inline; max_inline_data is " + maxInlineData);
        }
    }

    /** §9: posting is refused before RTS; in ERR the request is flushed at once. */
    void checkState() {
        queuePair.requireOpen();
        QueuePairState state = context.state();
        switch (state) {
            case RESET, INIT, RTR ->
                throw new RdmaException(
                        ErrorCode.EINVAL, "ibv_post_send: " + queuePair + " is in " + state + "; it must be in RTS");
            default -> {
                // RTS and SQD queue, SQE and ERR flush.
            }
        }
    }
}
