/** RoCEv2 devices over UDP sockets, as a provider of the verbs API. */
module io.rdma4j.udp {
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires io.rdma4j.core;
    requires io.rdma4j.verbs;
    requires org.slf4j;
    requires static org.jspecify;

    provides io.rdma4j.verbs.spi.RdmaProvider with
            io.rdma4j.udp.UdpProvider;
}
