package io.rdma4j.verbs;

/** How a memory window is bound and who may use it ({@code ibv_mw_type}). */
public enum MemoryWindowType {
    /** Bound by {@link QueuePair#bindMemoryWindow}, again and again; any queue pair of its domain may be used through it. */
    TYPE_1(1),
    /**
     * Type 2B: bound by posting a {@link BindMemoryWindow}, once until it is invalidated; peers reach it through the queue
     * pair that bound it only.
     */
    TYPE_2(2);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_mw_type}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_MW_TYPE_1}} */
    @Override
    public String toString() {
        return "IBV_MW_" + name();
    }
}
