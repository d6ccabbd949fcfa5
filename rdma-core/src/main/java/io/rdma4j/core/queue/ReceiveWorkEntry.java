package io.rdma4j.core.queue;

/** One slot of a receive queue. */
public final class ReceiveWorkEntry {
    private final ScatterGatherList elements;

    public long id;

    ReceiveWorkEntry(int maxElements) {
        elements = new ScatterGatherList(maxElements);
    }

    public ScatterGatherList elements() {
        return elements;
    }
}
