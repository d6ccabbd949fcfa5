package io.rdma4j.udp;

/**
 * What the user asked of the socket.
 *
 * @param port UDP port to bind; 0 picks a free one
 * @param transport which of Netty's transports
 * @param gso whether frames may leave in segmented batches
 * @param gro whether frames may arrive coalesced
 * @param receiveBuffer bytes to ask for SO_RCVBUF
 * @param sendBuffer bytes to ask for SO_SNDBUF
 */
record SocketOptions(int port, NativeTransport transport, boolean gso, boolean gro, int receiveBuffer, int sendBuffer) {
    /** Holds about a thousand separate frames of 4 KiB: the kernel charges a frame twice its size. */
    static final int DEFAULT_RECEIVE_BUFFER = 4 << 20;

    static final int DEFAULT_SEND_BUFFER = 1 << 20;
}
