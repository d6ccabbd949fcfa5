package io.rdma4j.verbs;

/** What happened apart from any work request ({@code ibv_event_type}). */
public enum AsyncEventType {
    /** A completion queue overran; the element is its number. */
    CQ_ERR(0),
    /** A queue pair failed and no completion can say so. */
    QP_FATAL(1),
    /** A peer's request was invalid and consumed no receive. */
    QP_REQ_ERR(2),
    /** A peer's request had no access and consumed no receive. */
    QP_ACCESS_ERR(3),
    /** The first packet arrived at a queue pair in RTR. */
    COMM_EST(4),
    /** The send queue of a queue pair in SQD is drained. */
    SQ_DRAINED(5),
    /** A connection moved to its alternate path. */
    PATH_MIG(6),
    /** A connection could not move to its alternate path. */
    PATH_MIG_ERR(7),
    /** The device failed; it can only be closed. */
    DEVICE_FATAL(8),
    /** The link came up. */
    PORT_ACTIVE(9),
    /** The link went down. */
    PORT_ERR(10),
    /** The LID changed; not used on RoCE. */
    LID_CHANGE(11),
    /** The P_Key table changed. */
    PKEY_CHANGE(12),
    /** The subnet manager changed; not used on RoCE. */
    SM_CHANGE(13),
    /** A shared receive queue failed. */
    SRQ_ERR(14),
    /** A shared receive queue fell below its limit. */
    SRQ_LIMIT_REACHED(15),
    /** A failed queue pair will take no more from its shared receive queue. */
    QP_LAST_WQE_REACHED(16),
    /** The subnet manager asks for new registrations; not used on RoCE. */
    CLIENT_REREGISTER(17),
    /** The GID table changed. */
    GID_CHANGE(18),
    /** A work queue failed. */
    WQ_FATAL(19),
    /** The speed of the device changed. */
    DEVICE_SPEED_CHANGE(20);

    private static final AsyncEventType[] VALUES = values();

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_event_type}} */
    public int code() {
        return code;
    }

    /**
     * The constant of a code.
     *
     * @param code a number of {@code ibv_event_type}
     * @return the constant
     * @throws RdmaException EINVAL if no constant has that number
     */
    public static AsyncEventType ofCode(int code) {
        if (code >= 0 && code < VALUES.length) {
            return VALUES[code];
        }
        throw new RdmaException(ErrorCode.EINVAL, "no ibv_event_type has the code " + code);
    }

    /** {@return the C name, such as {@code IBV_EVENT_QP_FATAL}} */
    @Override
    public String toString() {
        return "IBV_EVENT_" + name();
    }
}
