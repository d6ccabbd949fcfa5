package io.rdma4j.verbs;

/** State of a queue pair ({@code ibv_qp_state}). */
public enum QueuePairState {
    /** Fresh: nothing may be posted. */
    RESET(0),
    /** Receives may be posted. */
    INIT(1),
    /** Ready to receive: answers its peer. */
    RTR(2),
    /** Ready to send: sends and receives. */
    RTS(3),
    /** The send queue drains: what was started finishes, nothing new starts. */
    SQD(4),
    /** The send queue failed, receiving goes on (UC and UD). */
    SQE(5),
    /** Failed: everything posted is flushed. */
    ERR(6),
    /** Not known. */
    UNKNOWN(7);

    private static final QueuePairState[] VALUES = values();

    private final int code;

    QueuePairState(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_qp_state}} */
    public int code() {
        return code;
    }

    /**
     * The state of a code.
     *
     * @param code 0 to 7
     * @return the constant
     * @throws RdmaException EINVAL for any other number
     */
    public static QueuePairState ofCode(int code) {
        if (code < 0 || code >= VALUES.length) {
            throw new RdmaException(ErrorCode.EINVAL, "queue pair state code " + code + " is not in 0..7");
        }
        return VALUES[code];
    }

    /** {@return the C name, such as {@code IBV_QPS_RTS}} */
    @Override
    public String toString() {
        return "IBV_QPS_" + name();
    }
}
