package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends local memory to a receive of the peer, and takes the right to use one of the peer's keys away, from everybody
 * ({@code IBV_WR_SEND_WITH_INV}). The key must be one that a peer may end: of a memory window of type 2 that the
 * peer's queue pair bound, of a region that it registered with {@link FastRegister}, or of one that was registered for it
 * ({@link MemoryRegionConfig#remoteInvalidate()}); with any other key the message arrives, and both queue pairs fail.
 * Immutable.
 */
public final class SendWithInvalidate extends RequestBody implements SendRequest {
    private final int invalidateKey;

    private SendWithInvalidate(long workRequestId, int invalidateKey, LocalData data, int flags) {
        super(workRequestId, data, flags);
        this.invalidateKey = invalidateKey;
    }

    /**
     * A send that invalidates a key.
     *
     * @param workRequestId comes back in the completion
     * @param invalidateKey the peer's key ({@code rkey}) that is to end
     * @param elements memory to send, in order; none for an empty message
     * @return the request
     */
    public static SendWithInvalidate of(long workRequestId, int invalidateKey, ScatterGatherElement... elements) {
        return new SendWithInvalidate(workRequestId, invalidateKey, LocalData.of(elements), 0);
    }

    /**
     * A send that invalidates a key, of bytes that need not be registered ({@code IBV_SEND_INLINE}):
     * they are copied whenever the request is posted, so the buffers are free again as soon as that returns.
     *
     * @param workRequestId comes back in the completion
     * @param invalidateKey the peer's key ({@code rkey}) that is to end
     * @param data bytes to send, from position to limit of each buffer as they are now, in order; their content is read
     *     at each post. Together at most {@link QueuePairCapabilities#maxInlineData()}
     * @return the request
     */
    public static SendWithInvalidate inline(long workRequestId, int invalidateKey, ByteBuffer... data) {
        return new SendWithInvalidate(workRequestId, invalidateKey, LocalData.inline(data), 0);
    }

    /**
     * A send that invalidates a key, of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param invalidateKey the peer's key ({@code rkey}) that is to end
     * @param data bytes to send, read whenever the request is posted
     * @return the request
     */
    public static SendWithInvalidate inline(long workRequestId, int invalidateKey, byte[] data) {
        return inline(workRequestId, invalidateKey, ByteBuffer.wrap(Arguments.required(data, "data")));
    }

    /** {@return the same with a completion on success} */
    public SendWithInvalidate signaled() {
        return withFlag(SIGNALED);
    }

    /** {@return the same with a solicited event at the peer} */
    public SendWithInvalidate solicited() {
        return withFlag(SOLICITED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public SendWithInvalidate fenced() {
        return withFlag(FENCED);
    }

    @Override
    public int invalidateKey() {
        return invalidateKey;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.SEND_WITH_INV;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof SendWithInvalidate that && invalidateKey == that.invalidateKey;
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + invalidateKey;
    }

    @Override
    public String toString() {
        return text(opcode(), " invalidate 0x" + Integer.toHexString(invalidateKey));
    }

    private SendWithInvalidate withFlag(int flag) {
        return new SendWithInvalidate(workRequestId, invalidateKey, data, flags | flag);
    }
}
