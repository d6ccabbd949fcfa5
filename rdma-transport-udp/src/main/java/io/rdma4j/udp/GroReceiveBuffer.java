package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;

/**
 * The one buffer that a channel with UDP_GRO reads into. Netty's epoll channel reads a coalesced datagram whole and then
 * cuts it into one slice, one packet object and one pipeline call for each segment; this buffer answers those cuts with
 * itself and only notes where the datagram lies and how long its segments are, so that it is delivered once.
 *
 * <p>That leans on the order in which {@code EpollDatagramChannel} calls: {@code retainedSlice(index, length)} once, then,
 * for a coalesced datagram, {@code readRetainedSlice(segment)} until nothing is readable. {@link GroSelfCheck} tries it
 * before any device relies on it. The bytes are valid only until {@code channelRead} returns.
 */
final class GroReceiveBuffer extends ReusedBuffer {
    /** The largest UDP datagram, coalesced or not, and a little more. */
    static final int CAPACITY = 65_536;

    private int offset;
    private int length;
    private int segmentSize;

    GroReceiveBuffer() {
        super(CAPACITY);
    }

    @Override
    void prepare() {
        super.prepare();
        offset = 0;
        length = 0;
        segmentSize = 0;
    }

    /** Where the datagram starts in {@link #bytes}. */
    int offset() {
        return offset;
    }

    /** How long the datagram is, all segments together. */
    int length() {
        return length;
    }

    /** The size of each segment but the last, which may be shorter; 0 when nothing was coalesced. */
    int segmentSize() {
        return segmentSize;
    }

    @Override
    public ByteBuf retainedSlice(int index, int bytesReceived) {
        offset = index;
        length = bytesReceived;
        return this;
    }

    @Override
    public ByteBuf readRetainedSlice(int segment) {
        segmentSize = segment;
        readerIndex(writerIndex()); // nothing is left to cut
        return this;
    }
}
