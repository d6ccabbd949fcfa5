package io.rdma4j.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends raw frames in segmented batches within a window, for a time. Its loop's thread owns it. */
final class RawSender extends ChannelInboundHandlerAdapter {
    private static final int MAX_BATCH_BYTES = 65_507;
    private static final int MAX_BATCH_FRAMES = 64;

    /** So long without an acknowledgement is loss, not a busy machine. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final InetSocketAddress target;
    private final RawFrame frames;
    private final int window;
    private final int batchFrames;
    private final ArrayDeque<ByteBuf> idle = new ArrayDeque<>();
    private CompletableFuture<Long> result = new CompletableFuture<>();
    private int next;
    private int acknowledged;
    private int firstCounted;
    private long end;
    private long lastAckNs;
    private long lost;

    RawSender(InetSocketAddress target, ByteBuffer memory, int payload, int windowBytes) {
        this.target = target;
        this.frames = new RawFrame(memory, payload);
        this.window = windowBytes / payload;
        this.batchFrames = Math.min(MAX_BATCH_FRAMES, MAX_BATCH_BYTES / frames.length());
    }

    /** Sends for a time; returns how many frames were acknowledged in it. */
    long run(RawChannels channels, long nanos) {
        CompletableFuture<Long> counted = new CompletableFuture<>();
        channels.channel().eventLoop().execute(() -> start(nanos, channels, counted));
        return counted.join();
    }

    /** Frames that were sent and never acknowledged. */
    long lost() {
        return lost;
    }

    private void start(long nanos, RawChannels channels, CompletableFuture<Long> counted) {
        result = counted;
        ChannelHandlerContext context = channels.channel().pipeline().context(this);
        firstCounted = acknowledged;
        lastAckNs = System.nanoTime();
        end = lastAckNs + nanos;
        fill(context);
        watch(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        CoalescedBuffer buffer = (CoalescedBuffer) ((DatagramPacket) message).content();
        int segment = buffer.segment > 0 ? buffer.segment : buffer.length;
        for (int at = 0; at < buffer.length; at += segment) {
            int number = buffer.bytes.getInt(at);
            if (number - acknowledged > 0) {
                acknowledged = number;
            }
        }
        lastAckNs = System.nanoTime();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (System.nanoTime() >= end) {
            result.complete((long) acknowledged - firstCounted);
        } else {
            fill(context);
        }
    }

    private void fill(ChannelHandlerContext context) {
        while (next - acknowledged + batchFrames <= window) {
            send(context);
            // At once, so that the next batch is written into the same buffer while it is in the cache.
            context.flush();
        }
    }

    private void send(ChannelHandlerContext context) {
        ByteBuf batch = idle.isEmpty() ? Unpooled.directBuffer(CoalescedBuffer.CAPACITY) : idle.removeLast();
        int length = batchFrames * frames.length();
        ByteBuffer bytes = batch.internalNioBuffer(0, batch.capacity());
        int base = bytes.position();
        for (int i = 0; i < batchFrames; i++) {
            frames.write(bytes, base + i * frames.length(), next++);
        }
        batch.setIndex(0, length);
        context.write(new SegmentedDatagramPacket(batch.retain(), frames.length(), target))
                .addListener(sent -> idle.addLast(batch));
    }

    /** What is not acknowledged for long is lost; the measurement goes on and says so. */
    @SuppressWarnings("FutureReturnValueIgnored") // it calls itself again until the time is over
    private void watch(ChannelHandlerContext context) {
        long now = System.nanoTime();
        if (now >= end) {
            result.complete((long) acknowledged - firstCounted);
            return;
        }
        if (now - lastAckNs > IDLE_NS) {
            lost += next - acknowledged;
            firstCounted += next - acknowledged;
            acknowledged = next;
            lastAckNs = now;
            fill(context);
        }
        context.executor().schedule(() -> watch(context), IDLE_NS / 4, TimeUnit.NANOSECONDS);
    }
}
