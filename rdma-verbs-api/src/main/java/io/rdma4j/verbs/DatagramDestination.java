package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;

/**
 * Where a datagram goes ({@code ibv_send_wr.wr.ud}). Immutable.
 *
 * @param handle the way to the peer ({@code ah})
 * @param queuePair number of the peer's queue pair, 24 bits; 0xFFFFFF for a multicast group ({@code remote_qpn})
 * @param qkey Q_Key of the peer's queue pair; with the top bit set that of the sending queue pair is used
 *     ({@code remote_qkey})
 */
public record DatagramDestination(AddressHandle handle, int queuePair, int qkey) {
    /** The queue pair number of all members of a multicast group. */
    public static final int MULTICAST_QUEUE_PAIR = 0xFFFFFF;

    /**
     * A destination.
     *
     * @param handle the way to the peer
     * @param queuePair 24 bits
     * @param qkey 32 bits
     * @throws RdmaException EINVAL if the number does not fit 24 bits
     */
    public DatagramDestination {
        Arguments.required(handle, "handle");
        if (queuePair < 0 || queuePair > MULTICAST_QUEUE_PAIR) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "queue pair number 0x" + Integer.toHexString(queuePair) + " does not fit 24 bits");
        }
    }
}
