package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.DatagramHandler;
import io.rdma4j.verbs.Gid;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives received datagrams to the engine, coalesced ones segment by segment, and ends a burst with a turn of the driver:
 * when the socket is empty or the loop has read enough, and in a long burst after so many datagrams or bytes, so that
 * peers get their acknowledgements in time.
 */
final class DatagramReceiver extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(DatagramReceiver.class);
    private static final int BURST_DATAGRAMS = 64;
    private static final int BURST_BYTES = 256 << 10;

    private final UdpDriver driver;
    private final DatagramHandler handler;
    private final Runnable onLost;
    private final Arrival arrival = new Arrival();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(Sockets.LARGEST_FRAME);
    private @Nullable InetSocketAddress lastSender;
    private int burstDatagrams;
    private int burstBytes;
    private boolean failureTold;

    /**
     * Makes the receiving side of a socket.
     *
     * @param onLost told when the socket is closed although the driver runs
     */
    DatagramReceiver(UdpDriver driver, DatagramHandler handler, InetSocketAddress local, Runnable onLost) {
        this.driver = driver;
        this.handler = handler;
        this.onLost = onLost;
        Gid address = Gid.of(local.getAddress());
        arrival.local(address.high(), address.low(), local.getPort());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            if (!driver.isStopped()) {
                sender(packet.sender());
                if (packet.content() instanceof GroReceiveBuffer buffer) {
                    coalesced(buffer);
                } else {
                    single(packet.content());
                }
            }
        } finally {
            packet.release();
        }
        if (burstDatagrams >= BURST_DATAGRAMS || burstBytes >= BURST_BYTES) {
            endBurst();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (burstDatagrams > 0) {
            endBurst();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!driver.isStopped()) {
            LOG.error(
                    "the socket {} was closed under its device",
                    context.channel().localAddress());
            onLost.run();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!failureTold) {
            failureTold = true;
            LOG.warn("reading datagrams failed (told once): {}", cause.toString(), cause);
        }
    }

    private void endBurst() {
        burstDatagrams = 0;
        burstBytes = 0;
        driver.turn();
    }

    private void coalesced(GroReceiveBuffer buffer) {
        long now = driver.nowNs();
        int offset = buffer.offset();
        int end = offset + buffer.length();
        int segment = buffer.segmentSize() > 0 ? buffer.segmentSize() : buffer.length();
        // If the kernel kept the sender's batch whole, the place in it is the identification.
        int place = 0;
        do {
            int length = Math.min(segment, end - offset);
            arrival.identificationHint = place++;
            handler.onDatagram(buffer.bytes(), offset, length, arrival, now);
            offset += length;
        } while (offset < end);
        burstDatagrams += place;
        burstBytes += buffer.length();
    }

    /** Copies, so that the engine always sees the same buffer: a new view for each datagram would cost more. */
    private void single(ByteBuf content) {
        int length = content.readableBytes();
        if (length <= scratch.capacity()) {
            scratch.clear().limit(length);
            content.getBytes(content.readerIndex(), scratch);
            scratch.clear();
            arrival.identificationHint = 0;
            handler.onDatagram(scratch, 0, length, arrival, driver.nowNs());
        }
        burstDatagrams++;
        burstBytes += length;
    }

    /** Netty makes a new address for each read; most often it is the one seen before. */
    private void sender(InetSocketAddress sender) {
        InetSocketAddress last = lastSender;
        if (last != null
                && last.getPort() == sender.getPort()
                && last.getAddress().equals(sender.getAddress())) {
            return;
        }
        Gid address = Gid.of(sender.getAddress());
        arrival.sender(address.high(), address.low(), sender.getPort());
        lastSender = sender;
    }
}
