package io.rdma4j.verbs;

/** Transport service of a queue pair ({@code ibv_qp_type}). */
public enum QueuePairType {
    /** Reliable connection: in order, exactly once; every operation. */
    RC(2),
    /** Unreliable connection: in order, may lose messages; SEND and RDMA WRITE. */
    UC(3),
    /** Unreliable datagram: one packet per message; SEND only. */
    UD(4);

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_qp_type}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_QPT_RC}} */
    @Override
    public String toString() {
        return "IBV_QPT_" + name();
    }
}
