package io.rdma4j.core.device;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendRequest;
import org.jspecify.annotations.Nullable;

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

    void post(SendRequest request) {
        RequestKind kind = RequestKind.of(request.opcode());
        if (kind == null) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP, "ibv_post_send: " + request.opcode() + " is not supported yet");
        }
        SendQueue queue = context.sendQueue();
        queue.lock().lock();
        try {
            checkState(context.state());
            if (!queue.hasRoom()) {
                throw WorkElements.full("ibv_post_send", queue.capacity(), queuePair);
            }
            fill(queue.at(queue.posted()), kind, request);
            queue.publish();
        } finally {
            queue.lock().unlock();
        }
        queuePair.device.engine().ring(context);
    }

    private void fill(SendWorkEntry entry, RequestKind kind, SendRequest request) {
        if (request.isInline()) {
            checkInline(request.inlineLength());
            entry.useInline(request);
        } else {
            WorkElements.fill(entry.useElements(), request.elements(), "ibv_post_send");
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
        fillDestination(entry, kind, request.destination());
    }

    /** The path is taken from the handle now, so that what is posted goes its way though the handle be closed (§14). */
    private void fillDestination(SendWorkEntry entry, RequestKind kind, @Nullable DatagramDestination destination) {
        entry.path = null;
        if (destination != null) {
            if (context.type() != QueuePairType.UD) {
                throw new RdmaException(
                        ErrorCode.EINVAL,
                        "ibv_post_send: " + queuePair + " is a connection (" + context.type() + "), and has its peer;"
                                + " the request names " + destination);
            }
            SoftAddressHandle handle = queuePair.own(destination.handle(), SoftAddressHandle.class);
            entry.path = handle.path();
            entry.handleDomain = handle.domainNumber();
            entry.destinationQp = destination.queuePair();
            entry.qkey = destination.qkey();
        } else if (context.type() == QueuePairType.UD && kind.isDatagram()) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ibv_post_send: a datagram without destination; say where it goes with to(handle, qpn, qkey)");
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
    private void checkState(QueuePairState state) {
        queuePair.requireOpen();
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
