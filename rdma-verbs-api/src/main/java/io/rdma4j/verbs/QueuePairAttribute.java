package io.rdma4j.verbs;

/** One attribute of a queue pair, as a bit of the mask of {@code ibv_modify_qp} ({@code ibv_qp_attr_mask}). */
public enum QueuePairAttribute {
    /** The state to move to. */
    STATE(1 << 0),
    /** The state the caller believes in. */
    CUR_STATE(1 << 1),
    /** Whether SQ_DRAINED is wanted. */
    EN_SQD_ASYNC_NOTIFY(1 << 2),
    /** What the peer may do. */
    ACCESS_FLAGS(1 << 3),
    /** Place in the P_Key table. */
    PKEY_INDEX(1 << 4),
    /** The port. */
    PORT(1 << 5),
    /** The Q_Key (UD). */
    QKEY(1 << 6),
    /** The way to the peer. */
    AV(1 << 7),
    /** The path MTU. */
    PATH_MTU(1 << 8),
    /** Local ACK timeout code. */
    TIMEOUT(1 << 9),
    /** Transport retries. */
    RETRY_CNT(1 << 10),
    /** Receiver-not-ready retries. */
    RNR_RETRY(1 << 11),
    /** First PSN to receive. */
    RQ_PSN(1 << 12),
    /** Outstanding READs and atomics as requester. */
    MAX_QP_RD_ATOMIC(1 << 13),
    /** The alternate path. */
    ALT_PATH(1 << 14),
    /** RNR timer code told to the peer. */
    MIN_RNR_TIMER(1 << 15),
    /** First PSN to send. */
    SQ_PSN(1 << 16),
    /** Outstanding READs and atomics as responder. */
    MAX_DEST_RD_ATOMIC(1 << 17),
    /** Path migration state. */
    PATH_MIG_STATE(1 << 18),
    /** Queue sizes. */
    CAP(1 << 19),
    /** The peer's queue pair number. */
    DEST_QPN(1 << 20);

    private final int code;

    QueuePairAttribute(int code) {
        this.code = code;
    }

    /** {@return the bit in {@code ibv_qp_attr_mask}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_QP_DEST_QPN}} */
    @Override
    public String toString() {
        return "IBV_QP_" + name();
    }
}
