package io.rdma4j.udp;

/** The option {@code native}: which of Netty's transports carries the socket. */
enum NativeTransport {
    /** Epoll where it is there, else NIO. */
    AUTO,
    EPOLL,
    NIO
}
