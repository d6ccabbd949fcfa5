package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;

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

    /**
     * Begins a write of bytes that need not be registered ({@code IBV_SEND_INLINE}):
     * they are copied whenever the request is posted, so the buffers are free again as soon as that returns.
     *
     * @param workRequestId comes back in the completion
     * @param data bytes to write, from position to limit of each buffer as they are now, in order; their content is read
     *     at each post. Together at most {@link QueuePairCapabilities#maxInlineData()}
     * @return a write that still needs its target
     */
    public static Untargeted inline(long workRequestId, ByteBuffer... data) {
        return new Untargeted(workRequestId, LocalData.inline(data));
    }

    /**
     * Begins a write of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param data bytes to write, read whenever the request is posted
     * @return a write that still needs its target
     */
    public static Untargeted inline(long workRequestId, byte[] data) {
        return inline(workRequestId, ByteBuffer.wrap(Arguments.required(data, "data")));
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
