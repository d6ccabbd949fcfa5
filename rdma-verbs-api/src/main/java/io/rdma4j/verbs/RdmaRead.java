package io.rdma4j.verbs;

/** Reads the peer's memory into local memory, which needs LOCAL_WRITE ({@code IBV_WR_RDMA_READ}). Immutable. */
public final class RdmaRead extends RemoteRequestBody implements SendRequest {
    private RdmaRead(long workRequestId, LocalData data, int flags, long remoteAddress, int remoteKey) {
        super(workRequestId, data, flags, remoteAddress, remoteKey);
    }

    /**
     * Begins a read; {@link Untargeted#from} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to fill, in order; none for a read of no bytes
     * @return a read that still needs its source
     */
    public static Untargeted of(long workRequestId, ScatterGatherElement... elements) {
        return new Untargeted(workRequestId, LocalData.of(elements));
    }

    /** {@return the same with a completion on success} */
    public RdmaRead signaled() {
        return new RdmaRead(workRequestId, data, flags | SIGNALED, remoteAddress, remoteKey);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public RdmaRead fenced() {
        return new RdmaRead(workRequestId, data, flags | FENCED, remoteAddress, remoteKey);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.RDMA_READ;
    }

    @Override
    public String toString() {
        return text(opcode(), remoteText());
    }

    /** A read that does not know yet where from. Immutable. */
    public static final class Untargeted {
        private final long workRequestId;
        private final LocalData data;

        private Untargeted(long workRequestId, LocalData data) {
            this.workRequestId = workRequestId;
            this.data = data;
        }

        /**
         * The read of a place in the peer's memory.
         *
         * @param address address of the first byte there
         * @param remoteKey key of that memory
         * @return the request
         */
        public RdmaRead from(long address, int remoteKey) {
            return new RdmaRead(workRequestId, data, 0, address, remoteKey);
        }
    }
}
