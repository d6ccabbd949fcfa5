package io.rdma4j.udp;

/**
 * What an open socket can do, found out at start.
 *
 * @param isEpoll whether native epoll carries it, else NIO
 * @param identificationZero whether IPv4 frames leave with identification 0 (and k for segment k), as the ICRC of a frame
 *     for foreign peers requires; true on IPv6, which has none
 * @param gso whether one write may carry a batch of frames
 * @param gro whether coalesced frames arrive whole, in a {@link GroReceiveBuffer}
 * @param receiveBuffer bytes the kernel granted for SO_RCVBUF
 * @param sendBuffer bytes the kernel granted for SO_SNDBUF
 */
record SocketFeatures(
        boolean isEpoll, boolean identificationZero, boolean gso, boolean gro, int receiveBuffer, int sendBuffer) {}
