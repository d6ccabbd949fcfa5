package io.rdma4j.core.transport;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request in sequence: the error table of §8.1 as values. A fatal one is NAKed with its syndrome; the
 * receive it had consumed completes with its status, and if it had consumed none its event is raised.
 */
public enum Disposition {
    PROCEED(ReceiveState.NO_SYNDROME, null, null, null),
    /** No receive is posted: RNR NAK, nothing else changes. */
    RECEIVER_NOT_READY(ReceiveState.NO_SYNDROME, null, null, null),
    INVALID_REQUEST(
            Syndrome.NAK_INVALID_REQUEST,
            WorkCompletionStatus.REM_INV_REQ_ERR,
            AsyncEventType.QP_REQ_ERR,
            Counter.INVALID_REQUEST_SENT),
    RECEIVE_TOO_SHORT(
            Syndrome.NAK_INVALID_REQUEST,
            WorkCompletionStatus.LOC_LEN_ERR,
            AsyncEventType.QP_REQ_ERR,
            Counter.INVALID_REQUEST_SENT),
    RECEIVE_PROTECTION(
            Syndrome.NAK_REMOTE_OPERATIONAL,
            WorkCompletionStatus.LOC_PROT_ERR,
            AsyncEventType.QP_FATAL,
            Counter.REMOTE_OPERATIONAL_ERROR_SENT),
    REMOTE_ACCESS(
            Syndrome.NAK_REMOTE_ACCESS,
            WorkCompletionStatus.LOC_ACCESS_ERR,
            AsyncEventType.QP_ACCESS_ERR,
            Counter.REMOTE_ACCESS_ERROR_SENT),
    /** The message's bytes are placed, but the key that it names cannot be invalidated (§7.2(8)). */
    INVALIDATION(
            Syndrome.NAK_REMOTE_ACCESS,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            AsyncEventType.QP_ACCESS_ERR,
            Counter.REMOTE_ACCESS_ERROR_SENT),
    /** The memory itself failed. */
    LOCAL_FAILURE(
            Syndrome.NAK_REMOTE_OPERATIONAL,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            AsyncEventType.QP_FATAL,
            Counter.REMOTE_OPERATIONAL_ERROR_SENT);

    public final int syndrome;
    public final @Nullable WorkCompletionStatus receiveStatus;
    public final @Nullable AsyncEventType event;
    public final @Nullable Counter counter;

    Disposition(
            int syndrome,
            @Nullable WorkCompletionStatus receiveStatus,
            @Nullable AsyncEventType event,
            @Nullable Counter counter) {
        this.syndrome = syndrome;
        this.receiveStatus = receiveStatus;
        this.event = event;
        this.counter = counter;
    }
}
