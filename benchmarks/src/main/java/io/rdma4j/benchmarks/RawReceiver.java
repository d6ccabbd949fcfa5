package io.rdma4j.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Takes raw frames, checks and copies each, and acknowledges once for so many. */
final class RawReceiver extends ChannelInboundHandlerAdapter {
    static final int ACK_LENGTH = 20;
    private static final int ACK_EVERY = 64;

    private final RawFrame frames;
    private @Nullable InetSocketAddress sender;
    private int expected;
    private int acknowledged;

    RawReceiver(ByteBuffer memory, int payload) {
        frames = new RawFrame(memory, payload);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        CoalescedBuffer buffer = (CoalescedBuffer) packet.content();
        sender = packet.sender();
        int segment = buffer.segment > 0 ? buffer.segment : buffer.length;
        for (int at = 0; at < buffer.length; at += segment) {
            int number = frames.read(buffer.bytes, at, Math.min(segment, buffer.length - at));
            if (number >= 0) {
                expected = number + 1;
            }
        }
        if (expected - acknowledged >= ACK_EVERY) {
            acknowledge(context);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        // Whatever is left of a burst; the sender may be waiting for just that.
        if (expected != acknowledged) {
            acknowledge(context);
        }
        context.flush();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a void promise: a lost acknowledgement shows at the sender
    private void acknowledge(ChannelHandlerContext context) {
        acknowledged = expected;
        ByteBuf ack = Unpooled.directBuffer(ACK_LENGTH).writeZero(ACK_LENGTH).setInt(0, expected);
        context.write(new DatagramPacket(ack, sender), context.voidPromise());
    }
}
