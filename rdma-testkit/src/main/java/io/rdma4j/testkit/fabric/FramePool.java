package io.rdma4j.testkit.fabric;

import io.rdma4j.core.link.Path;
import java.util.ArrayDeque;

/** Frames for reuse: direct buffers are slow to come by, and a run needs only as many as are under way at once. */
final class FramePool {
    private final ArrayDeque<Frame> free = new ArrayDeque<>();

    Frame take(Path path, int length) {
        Frame frame = free.poll();
        if (frame == null) {
            frame = new Frame(path);
        }
        frame.open(path, length);
        return frame;
    }

    Frame copyOf(Frame original) {
        Frame copy = take(original.path, original.length);
        copy.copyFrom(original);
        return copy;
    }

    void release(Frame frame) {
        free.push(frame);
    }
}
