package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * A run of frames to one destination, back to back in one buffer, which leaves in one write. As a segmented batch all
 * frames have the size of the first, except that the last may be shorter; one by one they may be of any size.
 *
 * <p>A batch is filled, written once, and comes back when every write of it has ended.
 */
final class SendBatch {
    /** The kernel takes more on new versions only. */
    static final int MAX_FRAMES = 64;

    /** The largest UDP payload over IPv4, which bounds a segmented batch as a whole; measured. */
    static final int MAX_BYTES = 65_507;

    /** The same over IPv6: what was tried. */
    static final int MAX_BYTES_IPV6 = 65_472;

    private static final int CAPACITY = 65_536;

    private final ReusedBuffer content = new ReusedBuffer(CAPACITY);
    private final int[] lengths = new int[MAX_FRAMES];
    private Destination destination;
    private int frames;
    private int used;
    private boolean segmented;
    private int pendingWrites;

    /** Makes an empty batch. */
    SendBatch(Destination destination) {
        this.destination = destination;
    }

    /** Empties the batch for frames to a destination. */
    void open(Destination to) {
        destination = to;
        frames = 0;
        used = 0;
        segmented = to.gso;
    }

    /** Whether a frame may follow those that are there. */
    boolean accepts(Destination to, int length) {
        if (frames == 0) {
            return to == destination && segmented == to.gso;
        }
        return to == destination
                && frames < MAX_FRAMES
                && used + length <= maxBytes()
                && (!segmented || (isRegular() && length <= lengths[0]));
    }

    /** Whether no frame of the first one's size fits any more. */
    boolean isFull() {
        return frames == MAX_FRAMES || used + lengths[0] > maxBytes();
    }

    /** Adds the frame of a length, whose bytes stand at {@link #used}. */
    void add(int length) {
        lengths[frames++] = length;
        used += length;
    }

    /** The identification that the next frame will carry over IPv4: its place in a segmented batch. */
    int nextIdentification() {
        return segmented && destination.ipv4 ? frames : 0;
    }

    /** From now on every frame goes by itself; the caller seals the frames again. */
    void dissolve() {
        segmented = false;
    }

    boolean isSegmented() {
        return segmented && frames > 1;
    }

    Destination destination() {
        return destination;
    }

    ByteBuffer bytes() {
        return content.bytes();
    }

    /** All frames, for one write. */
    ByteBuf content() {
        return content.setIndex(0, used);
    }

    /** One frame, for a write of its own. */
    ByteBuf content(int offset, int length) {
        return content.retainedSlice(offset, length);
    }

    int frames() {
        return frames;
    }

    int length(int frame) {
        return lengths[frame];
    }

    int used() {
        return used;
    }

    void writeStarted() {
        pendingWrites++;
    }

    /** Notes that a write ended; true when it was the last one. */
    boolean writeEnded() {
        return --pendingWrites == 0;
    }

    private boolean isRegular() {
        return lengths[frames - 1] == lengths[0];
    }

    private int maxBytes() {
        return destination.ipv4 ? MAX_BYTES : MAX_BYTES_IPV6;
    }
}
