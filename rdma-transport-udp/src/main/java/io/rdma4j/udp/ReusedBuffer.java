package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * A buffer that a channel reads into, or a batch is written from, again and again. Its owner knows when it is free, so what
 * Netty counts up and down does not matter, and nothing comes from Netty's allocators: their first use on a loop can take
 * a second, which a peer that waits for an acknowledgement takes for a dead device.
 */
class ReusedBuffer extends UnpooledDirectByteBuf {
    private final ByteBuffer bytes;

    ReusedBuffer(int capacity) {
        this(ByteBuffer.allocateDirect(capacity));
    }

    private ReusedBuffer(ByteBuffer bytes) {
        super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.capacity());
        this.bytes = bytes;
    }

    /** The memory behind this buffer; always the same object, absolute access only. */
    final ByteBuffer bytes() {
        return bytes;
    }

    /** Empties the buffer for the next use. */
    void prepare() {
        setIndex(0, 0);
    }

    @Override
    public final ByteBuf retain() {
        return this;
    }

    @Override
    public final ByteBuf retain(int increment) {
        return this;
    }

    @Override
    public final boolean release() {
        return false;
    }

    @Override
    public final boolean release(int decrement) {
        return false;
    }
}
