package io.rdma4j.benchmarks;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A datagram channel with the settings that were measured to be fastest. */
final class RawChannels implements AutoCloseable {
    private static final int SOCKET_BUFFER = 4 << 20;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final Channel channel;

    RawChannels(String host, ChannelHandler handler) {
        channel = new Bootstrap()
                .group(group)
                .channelFactory(() -> new EpollDatagramChannel(SocketProtocolFamily.INET))
                .handler(handler)
                .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER)
                .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER)
                .option(EpollChannelOption.UDP_GRO, true)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, CoalescedBuffer.CAPACITY)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new CoalescedBuffer().allocator())
                .bind(new InetSocketAddress(host, 0))
                .syncUninterruptibly()
                .channel();
    }

    Channel channel() {
        return channel;
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
