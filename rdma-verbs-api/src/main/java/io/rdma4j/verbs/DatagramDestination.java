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
     * @param queuePair number of the peer's queue pair
     * @param qkey Q_Key of the peer's queue pair
     */
    public DatagramDestination {
        Arguments.required(handle, "handle");
    }
}
