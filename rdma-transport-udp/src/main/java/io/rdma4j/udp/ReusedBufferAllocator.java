package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Has one channel read into the same few buffers, in turn. */
final class ReusedBufferAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    private final ReusedBuffer[] buffers;
    private int next;

    /**
     * Makes the buffers.
     *
     * @param count how many reads are made before the first one's bytes are done with
     * @param readsPerTurn reads before the loop looks at other work
     */
    ReusedBufferAllocator(int count, Supplier<ReusedBuffer> maker, int readsPerTurn) {
        super(readsPerTurn);
        this.buffers = Stream.generate(maker).limit(count).toArray(ReusedBuffer[]::new);
    }

    @Override
    @SuppressWarnings("deprecation") // Handle is the return type that Netty's interface has
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator ignored) {
                ReusedBuffer buffer = buffers[next];
                next = next + 1 == buffers.length ? 0 : next + 1;
                buffer.prepare();
                return buffer;
            }

            @Override
            public int guess() {
                return buffers[next].capacity();
            }
        };
    }
}
