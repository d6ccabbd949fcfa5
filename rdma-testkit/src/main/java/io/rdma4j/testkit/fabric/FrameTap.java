package io.rdma4j.testkit.fabric;

/** Sees frames pass at one point of the fabric; the frame is borrowed for the call only. */
@FunctionalInterface
interface FrameTap {
    FrameTap NONE = (timeNs, frame) -> {};

    void frame(long timeNs, Frame frame);
}
