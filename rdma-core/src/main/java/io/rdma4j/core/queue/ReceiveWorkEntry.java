package io.rdma4j.core.queue;

/** One slot of a receive queue, or the place of a receive that was taken from a shared one. */
public final class ReceiveWorkEntry {
    private final ScatterGatherList elements;

    public long id;

    /** Its place in the order of a shared receive queue. */
    long position;

    ReceiveWorkEntry(int maxElements) {
        elements = new ScatterGatherList(maxElements);
    }

    public ScatterGatherList elements() {
        return elements;
    }

    /** Becomes the same as one that has no more elements than fit here. */
    void copyFrom(ReceiveWorkEntry other) {
        id = other.id;
        position = other.position;
        elements.copyFrom(other.elements);
    }
}
