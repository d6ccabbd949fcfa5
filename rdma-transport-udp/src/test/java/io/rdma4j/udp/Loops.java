package io.rdma4j.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** An event loop for one test, and sockets on it. */
final class Loops implements AutoCloseable {
    final boolean epoll;
    final EventLoopGroup group;
    final EventLoop loop;

    Loops(NativeTransport transport) {
        epoll = Sockets.useEpoll(transport);
        group = Sockets.newLoop(epoll);
        loop = group.next();
    }

    /** Runs on the loop and waits. */
    <T> T run(Callable<T> work) throws Exception {
        return loop.submit(work).get(10, TimeUnit.SECONDS);
    }

    BoundSocket bind(String host, SocketOptions options) throws Exception {
        return Sockets.bind(group, epoll, java.net.InetAddress.getByName(host), options);
    }

    /** On the first of these ports that is free. */
    BoundSocket bindFirstFree(String host, SocketOptions options, IntSupplier ports) throws Exception {
        return Sockets.bind(group, epoll, java.net.InetAddress.getByName(host), options, ports);
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
