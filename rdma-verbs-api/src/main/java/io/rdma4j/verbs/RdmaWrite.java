package io.rdma4j.verbs;

/** Writes local memory to the peer's memory ({@code IBV_WR_RDMA_WRITE}). Immutable. */
public final class RdmaWrite extends RemoteRequestBody implements SendRequest {
    private RdmaWrite(long workRequestId, LocalData data, int flags, long remoteAddress, int remoteKey) {
        super(workRequestId, data, flags, remoteAddress, remoteKey);
    }

    /**
     * Begins a write; {@link Untargeted#to} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to write from, in order; none for a write of no bytes
     * @return a write that still needs its target
     */
    public static Untargeted of(long workRequestId, ScatterGatherElement... elements) {
        return new Untargeted(workRequestId, LocalData.of(elements));
    }

    /** {@return the same with a completion on success} */
    public RdmaWrite signaled() {
        return new RdmaWrite(workRequestId, data, flags | SIGNALED, remoteAddress, remoteKey);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public RdmaWrite fenced() {
        return new RdmaWrite(workRequestId, data, flags | FENCED, remoteAddress, remoteKey);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.RDMA_WRITE;
    }

    @Override
    public String toString() {
        return text(opcode(), remoteText());
    }

    /** A write that does not know yet where to. Immutable. */
    public static final class Untargeted {
        private final long workRequestId;
        private final LocalData data;

        private Untargeted(long workRequestId, LocalData data) {
            this.workRequestId = workRequestId;
            this.data = data;
        }

        /**
         * The write to a place in the peer's memory.
         *
         * @param address address of the first byte there
         * @param remoteKey key of that memory
         * @return the request
         */
        public RdmaWrite to(long address, int remoteKey) {
            return new RdmaWrite(workRequestId, data, 0, address, remoteKey);
        }
    }
}
