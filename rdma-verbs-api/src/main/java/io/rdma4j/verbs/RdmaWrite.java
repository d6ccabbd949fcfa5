package io.rdma4j.verbs;

import java.util.List;

/** Writes local memory to the peer's memory ({@code IBV_WR_RDMA_WRITE}). Immutable. */
public final class RdmaWrite extends RemoteRequestBody implements SendRequest {
    private RdmaWrite(
            long workRequestId, List<ScatterGatherElement> elements, int flags, long remoteAddress, int remoteKey) {
        super(workRequestId, elements, flags, remoteAddress, remoteKey);
    }

    /**
     * Begins a write; {@link Untargeted#to} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to write from, in order; none for a write of no bytes
     * @return a write that still needs its target
     */
    public static Untargeted of(long workRequestId, ScatterGatherElement... elements) {
        return new Untargeted(workRequestId, List.of(elements));
    }

    /** {@return the same with a completion on success} */
    public RdmaWrite signaled() {
        return new RdmaWrite(workRequestId, elements, flags | SIGNALED, remoteAddress, remoteKey);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public RdmaWrite fenced() {
        return new RdmaWrite(workRequestId, elements, flags | FENCED, remoteAddress, remoteKey);
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
        private final List<ScatterGatherElement> elements;

        private Untargeted(long workRequestId, List<ScatterGatherElement> elements) {
            this.workRequestId = workRequestId;
            this.elements = elements;
        }

        /**
         * The write to a place in the peer's memory.
         *
         * @param address address of the first byte there
         * @param remoteKey key of that memory
         * @return the request
         */
        public RdmaWrite to(long address, int remoteKey) {
            return new RdmaWrite(workRequestId, elements, 0, address, remoteKey);
        }
    }
}
