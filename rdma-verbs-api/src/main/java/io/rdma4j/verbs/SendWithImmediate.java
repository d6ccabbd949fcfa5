package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends local memory to a receive of the peer, and 32 bits that its completion shows ({@code IBV_WR_SEND_WITH_IMM}).
 * Immutable.
 */
public final class SendWithImmediate extends RequestBody implements SendRequest {
    private final int immediate;

    private final @Nullable DatagramDestination destination;

    private SendWithImmediate(
            long workRequestId, int immediate, LocalData data, int flags, @Nullable DatagramDestination destination) {
        super(workRequestId, data, flags);
        this.immediate = immediate;
        this.destination = destination;
    }

    /**
     * A send with immediate data.
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there; network order is the wire's affair
     * @param elements memory to send, in order; none for an empty message
     * @return the request
     */
    public static SendWithImmediate of(long workRequestId, int immediate, ScatterGatherElement... elements) {
        return new SendWithImmediate(workRequestId, immediate, LocalData.of(elements), 0, null);
    }

    /**
     * A send with immediate data, and of bytes that need not be registered ({@code IBV_SEND_INLINE}):
     * they are copied whenever the request is posted, so the buffers are free again as soon as that returns.
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there
     * @param data bytes to send, from position to limit of each buffer as they are now, in order; their content is read
     *     at each post. Together at most {@link QueuePairCapabilities#maxInlineData()}
     * @return the request
     */
    public static SendWithImmediate inline(long workRequestId, int immediate, ByteBuffer... data) {
        return new SendWithImmediate(workRequestId, immediate, LocalData.inline(data), 0, null);
    }

    /**
     * A send with immediate data, and of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param immediate what the peer's completion shows, in host order here and there
     * @param data bytes to send, read whenever the request is posted
     * @return the request
     */
    public static SendWithImmediate inline(long workRequestId, int immediate, byte[] data) {
        return inline(workRequestId, immediate, ByteBuffer.wrap(Arguments.required(data, "data")));
    }

    /** {@return the same with a completion on success} */
    public SendWithImmediate signaled() {
        return withFlag(SIGNALED);
    }

    /** {@return the same with a solicited event at the peer} */
    public SendWithImmediate solicited() {
        return withFlag(SOLICITED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public SendWithImmediate fenced() {
        return withFlag(FENCED);
    }

    @Override
    public int immediateData() {
        return immediate;
    }

    /**
     * {@return the same as a datagram, which a queue pair of type UD needs}
     *
     * @param handle the way to the peer
     * @param queuePair number of the peer's queue pair; {@link DatagramDestination#MULTICAST_QUEUE_PAIR} for a group
     * @param qkey Q_Key of the peer's queue pair; with the top bit set that of the sending queue pair is used
     */
    public SendWithImmediate to(AddressHandle handle, int queuePair, int qkey) {
        return new SendWithImmediate(
                workRequestId, immediate, data, flags, new DatagramDestination(handle, queuePair, qkey));
    }

    @Override
    public @Nullable DatagramDestination destination() {
        return destination;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.SEND_WITH_IMM;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof SendWithImmediate that
                && immediate == that.immediate
                && Objects.equals(destination, that.destination);
    }

    @Override
    public int hashCode() {
        return (super.hashCode() * 31 + immediate) * 31 + Objects.hashCode(destination);
    }

    @Override
    public String toString() {
        return text(
                opcode(),
                " imm 0x" + Integer.toHexString(immediate) + (destination == null ? "" : " to " + destination));
    }

    private SendWithImmediate withFlag(int flag) {
        return new SendWithImmediate(workRequestId, immediate, data, flags | flag, destination);
    }
}
