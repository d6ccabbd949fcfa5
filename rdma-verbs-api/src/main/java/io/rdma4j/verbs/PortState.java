package io.rdma4j.verbs;

/** State of a device's port ({@code ibv_port_state}). */
public enum PortState {
    /** Not known. */
    NOP(0),
    /** The link is down. */
    DOWN(1),
    /** The link is up and not configured. */
    INIT(2),
    /** Configured, not yet carrying data. */
    ARMED(3),
    /** Carrying data. */
    ACTIVE(4),
    /** Active, with a disturbance of the link that may yet heal. */
    ACTIVE_DEFER(5);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_port_state}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_PORT_ACTIVE}} */
    @Override
    public String toString() {
        return "IBV_PORT_" + name();
    }
}
