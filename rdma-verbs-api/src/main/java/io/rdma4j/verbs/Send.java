package io.rdma4j.verbs;

import java.nio.ByteBuffer;

/** Sends local memory to a receive of the peer ({@code IBV_WR_SEND}). Immutable. */
public final class Send extends RequestBody implements SendRequest {
    private Send(long workRequestId, LocalData data, int flags) {
        super(workRequestId, data, flags);
    }

    /**
     * A send.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to send, in order; none for an empty message
     * @return the request
     */
    public static Send of(long workRequestId, ScatterGatherElement... elements) {
        return new Send(workRequestId, LocalData.of(elements), 0);
    }

    /**
     * A send of bytes that need not be registered ({@code IBV_SEND_INLINE}):
     * they are copied whenever the request is posted, so the buffers are free again as soon as that returns.
     *
     * @param workRequestId comes back in the completion
     * @param data bytes to send, from position to limit of each buffer as they are now, in order; their content is read
     *     at each post. Together at most {@link QueuePairCapabilities#maxInlineData()}
     * @return the request
     */
    public static Send inline(long workRequestId, ByteBuffer... data) {
        return new Send(workRequestId, LocalData.inline(data), 0);
    }

    /**
     * A send of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param data bytes to send, read whenever the request is posted
     * @return the request
     */
    public static Send inline(long workRequestId, byte[] data) {
        return inline(workRequestId, ByteBuffer.wrap(data));
    }

    /** {@return the same with a completion on success} */
    public Send signaled() {
        return new Send(workRequestId, data, flags | SIGNALED);
    }

    /** {@return the same with a solicited event at the peer} */
    public Send solicited() {
        return new Send(workRequestId, data, flags | SOLICITED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public Send fenced() {
        return new Send(workRequestId, data, flags | FENCED);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.SEND;
    }

    @Override
    public String toString() {
        return text(opcode(), "");
    }
}
