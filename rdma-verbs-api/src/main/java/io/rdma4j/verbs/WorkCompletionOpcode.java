package io.rdma4j.verbs;

/** What kind of request completed; bit 7 of the code tells a receive ({@code ibv_wc_opcode}). */
public enum WorkCompletionOpcode {
    /** A send. */
    SEND(0),
    /** A write to remote memory. */
    RDMA_WRITE(1),
    /** A read of remote memory. */
    RDMA_READ(2),
    /** A compare and swap on remote memory. */
    COMP_SWAP(3),
    /** A fetch and add on remote memory. */
    FETCH_ADD(4),
    /** The binding of a memory window. */
    BIND_MW(5),
    /** A local invalidation. */
    LOCAL_INV(6),
    /** A segmented send; not used here. */
    TSO(7),
    /** A flush of remote memory. */
    FLUSH(8),
    /** An atomic write of 8 bytes. */
    ATOMIC_WRITE(9),
    /** A fast registration; the number is the Linux kernel's, user programs have none. */
    REG_MR(10),
    /** A receive. */
    RECV(128),
    /** A receive consumed by a remote write with immediate data. */
    RECV_RDMA_WITH_IMM(129);

    private static final WorkCompletionOpcode[] VALUES = values();

    private final int code;

    WorkCompletionOpcode(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_wc_opcode}} */
    public int code() {
        return code;
    }

    /**
     * The constant of a code.
     *
     * @param code a number of {@code ibv_wc_opcode}
     * @return the constant
     * @throws RdmaException EINVAL if no constant has that number
     */
    public static WorkCompletionOpcode ofCode(int code) {
        for (WorkCompletionOpcode value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new RdmaException(ErrorCode.EINVAL, "no ibv_wc_opcode has the code " + code);
    }

    /** {@return the C name, such as {@code IBV_WC_RDMA_READ}} */
    @Override
    public String toString() {
        return "IBV_WC_" + name();
    }
}
