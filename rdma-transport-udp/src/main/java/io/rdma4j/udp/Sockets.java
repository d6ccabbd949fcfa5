package io.rdma4j.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Opens a device's socket with whatever this machine offers: native epoll with GSO and GRO, or plain NIO. */
final class Sockets {
    /** Reads a channel makes before the loop looks at other work. */
    static final int READS_PER_TURN = 16;

    /** More than the largest frame: 4096 bytes of payload with every header a packet can have, and the ICRC. */
    static final int LARGEST_FRAME = 4_224;

    /** Free ports are drawn from below the kernel's own ephemeral range and below 0xC000. */
    private static final int FIRST_FREE_PORT = 16_384;

    private static final int FREE_PORTS = 16_384;
    private static final int FREE_PORT_ATTEMPTS = 100;

    private Sockets() {}

    /** Whether the socket is to use native epoll. */
    static boolean useEpoll(NativeTransport wanted) {
        if (wanted == NativeTransport.EPOLL && !Epoll.isAvailable()) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP,
                    "option native=epoll for udp://: native epoll is not available here: "
                            + Epoll.unavailabilityCause());
        }
        return wanted != NativeTransport.NIO && Epoll.isAvailable();
    }

    /** One event loop with one thread of its own, which will own a device. */
    static EventLoopGroup newLoop(boolean epoll) {
        return new MultiThreadIoEventLoopGroup(
                1, DeviceThread::new, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Closes a socket and waits until its port is free again; not on its loop. */
    static void close(Channel channel) {
        channel.close().awaitUninterruptibly();
    }

    /** Ends a loop whose sockets are closed, for a loop that ends at once may leave one open; nobody waits. */
    @SuppressWarnings("FutureReturnValueIgnored")
    static void end(EventLoopGroup group) {
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    /** Binds a socket that does not read yet. */
    static BoundSocket bind(EventLoopGroup loop, boolean epoll, InetAddress address, SocketOptions options) {
        return bind(loop, epoll, address, options, Sockets::anyFreePort);
    }

    /** The same, where port 0 is one of these. */
    static BoundSocket bind(
            EventLoopGroup loop, boolean epoll, InetAddress address, SocketOptions options, IntSupplier freePorts) {
        boolean ipv4 = address instanceof Inet4Address;
        boolean gro = epoll && options.gro() && GroSelfCheck.passes();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .handler(new NoHandler())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.SO_RCVBUF, options.receiveBuffer())
                .option(ChannelOption.SO_SNDBUF, options.sendBuffer());
        if (epoll) {
            epoll(bootstrap, ipv4, gro);
        } else {
            nio(bootstrap, ipv4);
        }
        Channel channel = options.port() == 0
                ? bindFreePort(bootstrap, address, freePorts)
                : bindPort(bootstrap, address, options.port());
        try {
            if (epoll) {
                EpollOptions.requireIdentification(channel, ipv4);
            }
        } catch (RuntimeException e) {
            close(channel);
            throw e;
        }
        SocketFeatures features = new SocketFeatures(
                epoll,
                epoll || !ipv4 || NioOptions.isDontFragment(channel),
                epoll && options.gso() && EpollDatagramChannel.isSegmentedDatagramPacketSupported(),
                gro,
                granted(channel, ChannelOption.SO_RCVBUF, epoll),
                granted(channel, ChannelOption.SO_SNDBUF, epoll));
        return new BoundSocket(channel, (InetSocketAddress) channel.localAddress(), features);
    }

    /**
     * What makes the sockets of a device's multicast groups, which do not read yet. They read in turn, on one loop, and so
     * into the same buffers.
     */
    static Bootstrap forGroups(EventLoopGroup loop, BoundSocket device, SocketOptions options) {
        boolean ipv4 = device.local().getAddress() instanceof Inet4Address;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .handler(new NoHandler())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_RCVBUF, options.receiveBuffer());
        if (device.features().isEpoll()) {
            epoll(bootstrap, ipv4, device.features().gro());
            EpollOptions.onlyJoinedGroups(bootstrap, ipv4);
        } else {
            nio(bootstrap, ipv4); // the JDK itself asks for joined groups only
        }
        return bootstrap;
    }

    static void epoll(Bootstrap bootstrap, boolean ipv4, boolean gro) {
        bootstrap.channelFactory(() -> new EpollDatagramChannel(family(ipv4)));
        EpollOptions.identification(bootstrap, ipv4);
        EpollOptions.receiving(bootstrap, gro);
    }

    private static void nio(Bootstrap bootstrap, boolean ipv4) {
        // NIO makes all reads of a turn before it delivers the first.
        bootstrap
                .channelFactory(() -> new NioDatagramChannel(family(ipv4)))
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ReusedBufferAllocator(
                                READS_PER_TURN + 1, () -> new ReusedBuffer(LARGEST_FRAME), READS_PER_TURN));
        if (ipv4) {
            NioOptions.dontFragment(bootstrap);
        }
    }

    private static SocketProtocolFamily family(boolean ipv4) {
        return ipv4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
    }

    private static Channel bindPort(Bootstrap bootstrap, InetAddress address, int port) {
        InetSocketAddress local = new InetSocketAddress(address, port);
        ChannelFuture future = bootstrap.bind(local).awaitUninterruptibly();
        if (!future.isSuccess()) {
            throw BindErrors.explain(local, future.cause());
        }
        return future.channel();
    }

    private static int anyFreePort() {
        return FIRST_FREE_PORT + ThreadLocalRandom.current().nextInt(FREE_PORTS);
    }

    private static Channel bindFreePort(Bootstrap bootstrap, InetAddress address, IntSupplier freePorts) {
        for (int attempt = 1; ; attempt++) {
            try {
                return bindPort(bootstrap, address, freePorts.getAsInt());
            } catch (RdmaException e) {
                if (e.code() != ErrorCode.EADDRINUSE || attempt == FREE_PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Nobody reads yet. Shared, since each attempt to bind makes a channel of its own with it. */
    @ChannelHandler.Sharable
    private static final class NoHandler extends ChannelInboundHandlerAdapter {}

    /** Linux reports twice what it granted; the JDK's own sockets halve that again, Netty's epoll does not. */
    private static int granted(Channel channel, ChannelOption<Integer> option, boolean epoll) {
        int reported = channel.config().getOption(option);
        return epoll ? reported / 2 : reported;
    }
}
