package io.rdma4j.verbs;

/** How frames of a GID look on the wire ({@code ibv_gid_type}). */
public enum GidType {
    /** InfiniBand. */
    IB(0),
    /** RoCE in Ethernet frames of its own type. */
    ROCE_V1(1),
    /** RoCE over UDP. */
    ROCE_V2(2);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_gid_type}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_GID_TYPE_ROCE_V2}} */
    @Override
    public String toString() {
        return "IBV_GID_TYPE_" + name();
    }
}
