package io.rdma4j.core.queue;

import java.nio.ByteBuffer;

/** The send queue of a queue pair. */
public final class SendQueue extends WorkQueue {
    private final SendWorkEntry[] entries;

    /** A queue of requests without inline data. */
    public SendQueue(int capacity, int maxElements) {
        this(capacity, maxElements, 0);
    }

    /** A queue whose slots hold so many elements each, and so many bytes of inline data. */
    public SendQueue(int capacity, int maxElements, int maxInline) {
        super(capacity);
        entries = new SendWorkEntry[slots()];
        ByteBuffer inlineData = ByteBuffer.allocate(entries.length * maxInline);
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new SendWorkEntry(maxElements, inlineData, i * maxInline);
        }
    }

    public SendWorkEntry at(long position) {
        return entries[slotOf(position)];
    }
}
