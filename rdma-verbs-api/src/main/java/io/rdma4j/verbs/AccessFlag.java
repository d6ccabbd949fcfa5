package io.rdma4j.verbs;

/**
 * What may be done with memory, or through a queue pair by its peer ({@code ibv_access_flags}). Local reading is always
 * allowed. The C library ignores bits of its optional range that it does not know, such as
 * {@code IBV_ACCESS_RELAXED_ORDERING}, and refuses others; here no unknown flag can be written down.
 */
public enum AccessFlag {
    /** The device may write here for local requests: receives, READ and atomic results ({@code IBV_ACCESS_LOCAL_WRITE}). */
    LOCAL_WRITE(1),
    /** A peer may write here; needs LOCAL_WRITE ({@code IBV_ACCESS_REMOTE_WRITE}). */
    REMOTE_WRITE(2),
    /** A peer may read here ({@code IBV_ACCESS_REMOTE_READ}). */
    REMOTE_READ(4),
    /** A peer may run atomics here; needs LOCAL_WRITE ({@code IBV_ACCESS_REMOTE_ATOMIC}). */
    REMOTE_ATOMIC(8),
    /** Memory windows may be bound to the region ({@code IBV_ACCESS_MW_BIND}). */
    MEMORY_WINDOW_BIND(16),
    /** Addresses in the region start at 0 ({@code IBV_ACCESS_ZERO_BASED}). */
    ZERO_BASED(32);

    private final int code;

    AccessFlag(int code) {
        this.code = code;
    }

    /** {@return the flag's bit, as in {@code ibv_access_flags}} */
    public int code() {
        return code;
    }

    /** {@return the C name, such as {@code IBV_ACCESS_REMOTE_WRITE}} */
    @Override
    public String toString() {
        return this == MEMORY_WINDOW_BIND ? "IBV_ACCESS_MW_BIND" : "IBV_ACCESS_" + name();
    }
}
