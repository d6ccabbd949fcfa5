package io.rdma4j.verbs;

/** What happened apart from any work request ({@code ibv_event_type}). */
public enum AsyncEventType {
    /** A completion queue overran; the element is its number. */
    CQ_ERR(0, AsyncEventElement.COMPLETION_QUEUE),
    /** A queue pair failed and no completion can say so. */
    QP_FATAL(1, AsyncEventElement.QUEUE_PAIR),
    /** A peer's request was invalid and consumed no receive. */
    QP_REQ_ERR(2, AsyncEventElement.QUEUE_PAIR),
    /** A peer's request had no access and consumed no receive. */
    QP_ACCESS_ERR(3, AsyncEventElement.QUEUE_PAIR),
    /** The first packet arrived at a queue pair in RTR. */
    COMM_EST(4, AsyncEventElement.QUEUE_PAIR),
    /** The send queue of a queue pair in SQD is drained. */
    SQ_DRAINED(5, AsyncEventElement.QUEUE_PAIR),
    /** A connection moved to its alternate path. */
    PATH_MIG(6, AsyncEventElement.QUEUE_PAIR),
    /** A connection could not move to its alternate path. */
    PATH_MIG_ERR(7, AsyncEventElement.QUEUE_PAIR),
    /** The device failed; it can only be closed. */
    DEVICE_FATAL(8, AsyncEventElement.DEVICE),
    /** The link came up. */
    PORT_ACTIVE(9, AsyncEventElement.PORT),
    /** The link went down. */
    PORT_ERR(10, AsyncEventElement.PORT),
    /** The LID changed; not used on RoCE. */
    LID_CHANGE(11, AsyncEventElement.PORT),
    /** The P_Key table changed. */
    PKEY_CHANGE(12, AsyncEventElement.PORT),
    /** The subnet manager changed; not used on RoCE. */
    SM_CHANGE(13, AsyncEventElement.PORT),
    /** A shared receive queue failed. */
    SRQ_ERR(14, AsyncEventElement.SHARED_RECEIVE_QUEUE),
    /** A shared receive queue fell below its limit. */
    SRQ_LIMIT_REACHED(15, AsyncEventElement.SHARED_RECEIVE_QUEUE),
    /** A failed queue pair will take no more from its shared receive queue. */
    QP_LAST_WQE_REACHED(16, AsyncEventElement.QUEUE_PAIR),
    /** The subnet manager asks for new registrations; not used on RoCE. */
    CLIENT_REREGISTER(17, AsyncEventElement.PORT),
    /** The GID table changed. */
    GID_CHANGE(18, AsyncEventElement.PORT),
    /** A work queue failed. */
    WQ_FATAL(19, AsyncEventElement.WORK_QUEUE),
    /** The speed of the device changed. */
    DEVICE_SPEED_CHANGE(20, AsyncEventElement.PORT);

    private static final AsyncEventType[] VALUES = values();

    private final int code;
    private final AsyncEventElement element;

    AsyncEventType(int code, AsyncEventElement element) {
        this.code = code;
        this.element = element;
    }

    /** {@return the number in {@code ibv_event_type}} */
    public int code() {
        return code;
    }

    /** {@return what events of this type are about, and so what {@link AsyncEvent#elementNumber()} numbers} */
    public AsyncEventElement element() {
        return element;
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
