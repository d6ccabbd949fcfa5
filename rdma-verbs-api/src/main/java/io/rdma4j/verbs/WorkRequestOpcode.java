package io.rdma4j.verbs;

/** What a send request asks for ({@code ibv_wr_opcode}). */
public enum WorkRequestOpcode {
    /** Write to remote memory. */
    RDMA_WRITE(0),
    /** Write to remote memory and consume a receive that gets immediate data. */
    RDMA_WRITE_WITH_IMM(1),
    /** Send to a receive of the peer. */
    SEND(2),
    /** Send with immediate data. */
    SEND_WITH_IMM(3),
    /** Read remote memory. */
    RDMA_READ(4),
    /** Compare and swap 8 bytes of remote memory. */
    ATOMIC_CMP_AND_SWP(5),
    /** Fetch and add 8 bytes of remote memory. */
    ATOMIC_FETCH_AND_ADD(6),
    /** Invalidate a local key. */
    LOCAL_INV(7),
    /** Bind a memory window. */
    BIND_MW(8),
    /** Send and invalidate a key at the peer. */
    SEND_WITH_INV(9),
    /** Segmented send; not used here. */
    TSO(10),
    /** Reserved for drivers; not used here. */
    DRIVER1(11),
    /** Flush remote memory. */
    FLUSH(14),
    /** Write 8 bytes of remote memory at once. */
    ATOMIC_WRITE(15),
    /** Register a fast-registration region; the number is the Linux kernel's, user programs have none. */
    REG_MR(32);

    private static final WorkRequestOpcode[] VALUES = values();

    private final int code;

    WorkRequestOpcode(int code) {
        this.code = code;
    }

    /** {@return the number in {@code ibv_wr_opcode}} */
    public int code() {
        return code;
    }

    /**
     * The constant of a code.
     *
     * @param code a number of {@code ibv_wr_opcode}
     * @return the constant
     * @throws RdmaException EINVAL if no constant has that number
     */
    public static WorkRequestOpcode ofCode(int code) {
        for (WorkRequestOpcode value : VALUES) {
            if (value.code == code) {
                return value;
            }
        }
        throw new RdmaException(ErrorCode.EINVAL, "no ibv_wr_opcode has the code " + code);
    }

    /** {@return the C name, such as {@code IBV_WR_RDMA_READ}} */
    @Override
    public String toString() {
        return "IBV_WR_" + name();
    }
}
