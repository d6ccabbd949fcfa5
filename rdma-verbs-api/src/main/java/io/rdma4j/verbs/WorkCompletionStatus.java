package io.rdma4j.verbs;

/** How a work request ended ({@code ibv_wc_status}). */
public enum WorkCompletionStatus {
    /** The operation was done. */
    SUCCESS(0, "success"),
    /** A message is longer than allowed, or than the receive it arrived in. */
    LOC_LEN_ERR(1, "local length error"),
    /** The queue pair cannot do this operation. */
    LOC_QP_OP_ERR(2, "local QP operation error"),
    /** Reliable datagram only; not used here. */
    LOC_EEC_OP_ERR(3, "local EE context operation error"),
    /** A local element names memory that its key does not allow. */
    LOC_PROT_ERR(4, "local protection error"),
    /** Flushed, because the queue pair had failed before; the first error tells why. */
    WR_FLUSH_ERR(5, "Work Request Flushed Error"),
    /** A memory window could not be bound or invalidated. */
    MW_BIND_ERR(6, "memory bind operation error"),
    /** The peer's response does not fit the request. */
    BAD_RESP_ERR(7, "bad response error"),
    /** A peer's write with immediate data did not have access here. */
    LOC_ACCESS_ERR(8, "local access error"),
    /** The peer finds the request invalid (NAK 0x61). */
    REM_INV_REQ_ERR(9, "remote invalid request error"),
    /** The peer's memory key does not allow the access (NAK 0x62). */
    REM_ACCESS_ERR(10, "remote access error"),
    /** The peer could not complete the operation (NAK 0x63). */
    REM_OP_ERR(11, "remote operation error"),
    /** The peer did not answer in spite of all retries. */
    RETRY_EXC_ERR(12, "transport retry counter exceeded"),
    /** The peer had no receive posted in spite of all retries. */
    RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),
    /** Reliable datagram only; not used here. */
    LOC_RDD_VIOL_ERR(14, "local RDD violation error"),
    /** Reliable datagram only; not used here. */
    REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),
    /** The peer aborted the operation. */
    REM_ABORT_ERR(16, "aborted error"),
    /** Reliable datagram only; not used here. */
    INV_EECN_ERR(17, "invalid EE context number"),
    /** Reliable datagram only; not used here. */
    INV_EEC_STATE_ERR(18, "invalid EE context state"),
    /** The device failed. */
    FATAL_ERR(19, "fatal error"),
    /** No response came in time. */
    RESP_TIMEOUT_ERR(20, "response timeout error"),
    /** An error that no other status describes. */
    GENERAL_ERR(21, "general error"),
    /** Tag matching failed. */
    TM_ERR(22, "TM error"),
    /** Tag matching needs a rendezvous by software. */
    TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

    private static final WorkCompletionStatus[] VALUES = values();

    private final int code;
    private final String description;

    WorkCompletionStatus(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /** {@return the number in {@code ibv_wc_status}} */
    public int code() {
        return code;
    }

    /** {@return the status in a few words, as {@code ibv_wc_status_str} says it} */
    public String description() {
        return description;
    }

    /**
     * The constant of a code.
     *
     * @param code a number of {@code ibv_wc_status}
     * @return the constant
     * @throws RdmaException EINVAL if no constant has that number
     */
    public static WorkCompletionStatus ofCode(int code) {
        if (code >= 0 && code < VALUES.length) {
            return VALUES[code];
        }
        throw new RdmaException(ErrorCode.EINVAL, "no ibv_wc_status has the code " + code);
    }

    /** {@return the C name, such as {@code IBV_WC_RETRY_EXC_ERR}} */
    @Override
    public String toString() {
        return "IBV_WC_" + name();
    }
}
