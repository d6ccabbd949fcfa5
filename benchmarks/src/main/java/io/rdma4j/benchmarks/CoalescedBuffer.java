package io.rdma4j.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Receives coalesced datagrams whole, as the fastest receiver would. The device has a buffer of this kind too; this one is
 * apart, so that the limit does not depend on what is measured against it.
 */
final class CoalescedBuffer extends UnpooledDirectByteBuf {
    static final int CAPACITY = 65_536;

    final ByteBuffer bytes;
    int length;
    int segment;

    CoalescedBuffer() {
        this(ByteBuffer.allocateDirect(CAPACITY));
    }

    private CoalescedBuffer(ByteBuffer bytes) {
        super(UnpooledByteBufAllocator.DEFAULT, bytes, CAPACITY);
        this.bytes = bytes;
    }

    /** Reads always go into this buffer. */
    DefaultMaxMessagesRecvByteBufAllocator allocator() {
        return new DefaultMaxMessagesRecvByteBufAllocator(16) {
            @Override
            @SuppressWarnings("deprecation") // Handle is the return type that Netty's interface has
            public Handle newHandle() {
                return new MaxMessageHandle() {
                    @Override
                    public ByteBuf allocate(ByteBufAllocator ignored) {
                        segment = 0;
                        return setIndex(0, 0);
                    }

                    @Override
                    public int guess() {
                        return CAPACITY;
                    }
                };
            }
        };
    }

    @Override
    public ByteBuf retainedSlice(int index, int received) {
        length = received;
        return this;
    }

    @Override
    public ByteBuf readRetainedSlice(int size) {
        segment = size;
        readerIndex(writerIndex());
        return this;
    }

    @Override
    public ByteBuf retain() {
        return this;
    }

    @Override
    public boolean release() {
        return false;
    }
}
