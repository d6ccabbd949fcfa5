package io.rdma4j.verbs;

/** Among whom atomics are atomic ({@code ibv_atomic_cap}). */
public enum AtomicCapability {
    /** There are none ({@code IBV_ATOMIC_NONE}). */
    NONE(0),
    /** Among all queue pairs of the device ({@code IBV_ATOMIC_HCA}). */
    HCA(1),
    /** With the processors of the machine too ({@code IBV_ATOMIC_GLOB}). */
    GLOB(2);

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the number in the C library} */
    public int code() {
        return code;
    }

    @Override
    public String toString() {
        return "IBV_ATOMIC_" + name();
    }
}
