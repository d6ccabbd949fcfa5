package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes local memory to the peer's memory and consumes a receive there, whose completion shows 32 bits and the number of
 * bytes written ({@code IBV_WR_RDMA_WRITE_WITH_IMM}). Nothing is placed in the receive's own memory. Immutable.
 */
public final class RdmaWriteWithImmediate extends RemoteRequestBody implements SendRequest {
    private final int immediate;

    private RdmaWriteWithImmediate(Untargeted beginning, int flags, long remoteAddress, int remoteKey) {
        super(beginning.workRequestId, beginning.data, flags, remoteAddress, remoteKey);
        immediate = beginning.immediate;
    }

    /**
     * Begins a write with immediate data; {@link Untargeted#to} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there; network order is the wire's affair
     * @param elements memory to write from, in order; none for a write of no bytes
     * @return a write that still needs its target
     */
    public static Untargeted of(long workRequestId, int immediate, ScatterGatherElement... elements) {
        return new Untargeted(workRequestId, immediate, LocalData.of(elements));
    }

    /**
     * Begins a write with immediate data, and of bytes that need not be registered ({@code IBV_SEND_INLINE}):
     * they are copied whenever the request is posted, so the buffers are free again as soon as that returns.
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there
     * @param data bytes to write, from position to limit of each buffer as they are now, in order; their content is read
     *     at each post. Together at most {@link QueuePairCapabilities#maxInlineData()}
     * @return a write that still needs its target
     */
    public static Untargeted inline(long workRequestId, int immediate, ByteBuffer... data) {
        return new Untargeted(workRequestId, immediate, LocalData.inline(data));
    }

    /**
     * Begins a write with immediate data, and of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there
     * @param data bytes to write, read whenever the request is posted
     * @return a write that still needs its target
     */
    public static Untargeted inline(long workRequestId, int immediate, byte[] data) {
        return inline(workRequestId, immediate, ByteBuffer.wrap(Arguments.required(data, "data")));
    }

    /** {@return the same with a completion on success} */
    public RdmaWriteWithImmediate signaled() {
        return withFlag(SIGNALED);
    }

    /** {@return the same with a solicited event at the peer} */
    public RdmaWriteWithImmediate solicited() {
        return withFlag(SOLICITED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public RdmaWriteWithImmediate fenced() {
        return withFlag(FENCED);
    }

    @Override
    public int immediateData() {
        return immediate;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof RdmaWriteWithImmediate that && immediate == that.immediate;
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + immediate;
    }

    @Override
    public String toString() {
        return text(opcode(), remoteText() + " imm 0x" + Integer.toHexString(immediate));
    }

    private RdmaWriteWithImmediate withFlag(int flag) {
        Untargeted beginning = new Untargeted(workRequestId, immediate, data);
        return new RdmaWriteWithImmediate(beginning, flags | flag, remoteAddress, remoteKey);
    }

    /** A write with immediate data that does not know yet where to. Immutable. */
    public static final class Untargeted {
        private final long workRequestId;
        private final int immediate;
        private final LocalData data;

        private Untargeted(long workRequestId, int immediate, LocalData data) {
            this.workRequestId = workRequestId;
            this.immediate = immediate;
            this.data = data;
        }

        /**
         * The write to a place in the peer's memory.
         *
         * @param address address of the first byte there
         * @param remoteKey key of that memory
         * @return the request
         */
        public RdmaWriteWithImmediate to(long address, int remoteKey) {
            return new RdmaWriteWithImmediate(this, 0, address, remoteKey);
        }
    }
}
