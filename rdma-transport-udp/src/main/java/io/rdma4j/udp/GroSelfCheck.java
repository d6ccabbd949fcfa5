package io.rdma4j.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, once in a JVM, whether a coalesced datagram arrives whole with the Netty and the kernel at hand: it sends one
 * segmented batch to itself. {@link GroReceiveBuffer} leans on what Netty happens to do, and some settings lose data in
 * silence, so nothing is believed that was not seen.
 */
final class GroSelfCheck {
    private static final Logger LOG = LoggerFactory.getLogger(GroSelfCheck.class);
    private static final int SEGMENT = 96;
    private static final int LENGTH = 5 * SEGMENT + 20;
    private static final long PATIENCE_MS = 1_000;

    private GroSelfCheck() {}

    /** Whether devices of this JVM may receive through a {@link GroReceiveBuffer}; needs native epoll. */
    static boolean passes() {
        return Result.PASSES;
    }

    /** Runs the check when it is first asked for. */
    private static final class Result {
        static final boolean PASSES = EpollDatagramChannel.isSegmentedDatagramPacketSupported() && run();
    }

    private static boolean run() {
        EventLoopGroup loop = Sockets.newLoop(true);
        try {
            boolean passed = sendToOneself(loop);
            LOG.debug("coalesced datagrams arrive whole: {}", passed);
            return passed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException | IOException | RuntimeException e) {
            LOG.debug("coalesced datagrams cannot be received here", e);
            return false;
        } finally {
            Sockets.end(loop);
        }
    }

    private static boolean sendToOneself(EventLoopGroup loop)
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        Bootstrap bootstrap = new Bootstrap().group(loop).handler(new Inspector(seen));
        Sockets.epoll(bootstrap, true, true);
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        Channel channel =
                bootstrap.bind(new InetSocketAddress(loopback, 0)).sync().channel();
        try {
            InetSocketAddress self = (InetSocketAddress) channel.localAddress();
            channel.writeAndFlush(new SegmentedDatagramPacket(pattern(), SEGMENT, self))
                    .sync();
            return seen.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } finally {
            Sockets.close(channel);
        }
    }

    private static ByteBuf pattern() {
        ByteBuf bytes = Unpooled.directBuffer(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            bytes.writeByte(i * 7);
        }
        return bytes;
    }

    /** Looks at the first datagram that arrives. */
    private static final class Inspector extends SimpleChannelInboundHandler<DatagramPacket> {
        private final CompletableFuture<Boolean> seen;

        Inspector(CompletableFuture<Boolean> seen) {
            this.seen = seen;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            seen.complete(packet.content() instanceof GroReceiveBuffer buffer && isWhole(buffer));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            seen.completeExceptionally(cause);
        }

        private static boolean isWhole(GroReceiveBuffer buffer) {
            boolean whole = buffer.segmentSize() == SEGMENT && buffer.length() == LENGTH;
            for (int i = 0; whole && i < LENGTH; i++) {
                whole = buffer.bytes().get(buffer.offset() + i) == (byte) (i * 7);
            }
            return whole;
        }
    }
}
