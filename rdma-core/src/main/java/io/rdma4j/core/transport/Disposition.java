package io.rdma4j.core.transport;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request in sequence: the error tables of §8.1 and §8.4 as values. On a reliable connection a fatal one
 * is NAKed with its syndrome; the receive it had consumed completes with its status, and if it had consumed none its event
 * is raised. The unreliable services drop it for the reason given here; where there is none the fault is on this side, and
 * status and event are as on a reliable connection.
 */
public enum Disposition {
    PROCEED(null, ReceiveState.NO_SYNDROME, null, null, null),
    /** No receive is posted: RNR NAK, nothing else changes. */
    RECEIVER_NOT_READY(DropReason.NO_RECEIVER, ReceiveState.NO_SYNDROME, null, null, null),
    /** A packet that does not continue the message in progress. */
    OUT_OF_ORDER(DropReason.MESSAGE_BROKEN),
    /** The access flags of the queue pair do not have it. */
    NOT_ALLOWED(DropReason.NOT_ALLOWED),
    BAD_LENGTH(DropReason.BAD_LENGTH),
    /** Anything else that makes a request invalid. */
    INVALID_REQUEST(DropReason.UNKNOWN_OPCODE),
    RECEIVE_TOO_SHORT(
            DropReason.RECEIVE_TOO_SHORT,
            Syndrome.NAK_INVALID_REQUEST,
            WorkCompletionStatus.LOC_LEN_ERR,
            AsyncEventType.QP_REQ_ERR,
            Counter.INVALID_REQUEST_SENT),
    RECEIVE_PROTECTION(
            null,
            Syndrome.NAK_REMOTE_OPERATIONAL,
            WorkCompletionStatus.LOC_PROT_ERR,
            AsyncEventType.QP_FATAL,
            Counter.REMOTE_OPERATIONAL_ERROR_SENT),
    REMOTE_ACCESS(
            DropReason.BAD_REMOTE_KEY,
            Syndrome.NAK_REMOTE_ACCESS,
            WorkCompletionStatus.LOC_ACCESS_ERR,
            AsyncEventType.QP_ACCESS_ERR,
            Counter.REMOTE_ACCESS_ERROR_SENT),
    /** The message's bytes are placed, but the key that it names cannot be invalidated (§7.2(8)). */
    INVALIDATION(
            null,
            Syndrome.NAK_REMOTE_ACCESS,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            AsyncEventType.QP_ACCESS_ERR,
            Counter.REMOTE_ACCESS_ERROR_SENT),
    /** The memory itself failed. */
    LOCAL_FAILURE(
            null,
            Syndrome.NAK_REMOTE_OPERATIONAL,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            AsyncEventType.QP_FATAL,
            Counter.REMOTE_OPERATIONAL_ERROR_SENT);

    /** Why UC and UD drop it; null where they do not. */
    public final @Nullable DropReason dropped;

    public final int syndrome;
    public final @Nullable WorkCompletionStatus receiveStatus;
    public final @Nullable AsyncEventType event;
    public final @Nullable Counter counter;

    /** An invalid request. */
    Disposition(DropReason dropped) {
        this(
                dropped,
                Syndrome.NAK_INVALID_REQUEST,
                WorkCompletionStatus.REM_INV_REQ_ERR,
                AsyncEventType.QP_REQ_ERR,
                Counter.INVALID_REQUEST_SENT);
    }

    Disposition(
            @Nullable DropReason dropped,
            int syndrome,
            @Nullable WorkCompletionStatus receiveStatus,
            @Nullable AsyncEventType event,
            @Nullable Counter counter) {
        this.dropped = dropped;
        this.syndrome = syndrome;
        this.receiveStatus = receiveStatus;
        this.event = event;
        this.counter = counter;
    }
}
