package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sends local memory to a receive of the peer ({@code IBV_WR_SEND}). Immutable. */
public final class Send extends RequestBody implements SendRequest {
    private final @Nullable DatagramDestination destination;

    private Send(long workRequestId, LocalData data, int flags, @Nullable DatagramDestination destination) {
        super(workRequestId, data, flags);
        this.destination = destination;
    }

    /**
     * A send.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to send, in order; none for an empty message
     * @return the request
     */
    public static Send of(long workRequestId, ScatterGatherElement... elements) {
        return new Send(workRequestId, LocalData.of(elements), 0, null);
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
        return new Send(workRequestId, LocalData.inline(data), 0, null);
    }

    /**
     * A send of bytes that need not be registered ({@code IBV_SEND_INLINE}).
     *
     * @param workRequestId comes back in the completion
     * @param data bytes to send, read whenever the request is posted
     * @return the request
     */
    public static Send inline(long workRequestId, byte[] data) {
        return inline(workRequestId, ByteBuffer.wrap(Arguments.required(data, "data")));
    }

    /** {@return the same with a completion on success} */
    public Send signaled() {
        return new Send(workRequestId, data, flags | SIGNALED, destination);
    }

    /** {@return the same with a solicited event at the peer} */
    public Send solicited() {
        return new Send(workRequestId, data, flags | SOLICITED, destination);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public Send fenced() {
        return new Send(workRequestId, data, flags | FENCED, destination);
    }

    /**
     * {@return the same as a datagram, which a queue pair of type UD needs}
     *
     * @param handle the way to the peer
     * @param queuePair number of the peer's queue pair; {@link DatagramDestination#MULTICAST_QUEUE_PAIR} for a group
     * @param qkey Q_Key of the peer's queue pair; with the top bit set that of the sending queue pair is used
     */
    public Send to(AddressHandle handle, int queuePair, int qkey) {
        return new Send(workRequestId, data, flags, new DatagramDestination(handle, queuePair, qkey));
    }

    @Override
    public @Nullable DatagramDestination destination() {
        return destination;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.SEND;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof Send that && Objects.equals(destination, that.destination);
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + Objects.hashCode(destination);
    }

    @Override
    public String toString() {
        return text(opcode(), destination == null ? "" : " to " + destination);
    }
}
