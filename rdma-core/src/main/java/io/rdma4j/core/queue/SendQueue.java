package io.rdma4j.core.queue;

import java.nio.ByteBuffer;

/** The send queue of a queue pair. */
public final class SendQueue extends WorkQueue {
    private final SendWorkEntry[] entries;
    private final int maxElements;
    private final int maxInline;

    /** A queue of requests without inline data. */
    public SendQueue(int capacity, int maxElements) {
        this(capacity, maxElements, 0);
    }

    /** A queue whose slots hold so many elements each, and so many bytes of inline data. */
    public SendQueue(int capacity, int maxElements, int maxInline) {
        super(capacity);
        this.maxElements = maxElements;
        this.maxInline = maxInline;
        entries = new SendWorkEntry[slots()];
        ByteBuffer inlineData = ByteBuffer.allocate(entries.length * maxInline);
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new SendWorkEntry(maxElements, inlineData, i * maxInline);
        }
    }

    /** A slot of the same size that is not in the queue, to be filled there and then {@linkplain #exchange exchanged}. */
    public SendWorkEntry newEntry() {
        return new SendWorkEntry(maxElements, ByteBuffer.allocate(maxInline), 0);
    }

    /** Puts a filled slot into a free place, and takes out the one that was there. Lock held. */
    public SendWorkEntry exchange(long position, SendWorkEntry filled) {
        SendWorkEntry old = entries[slotOf(position)];
        entries[slotOf(position)] = filled;
        return old;
    }

    public SendWorkEntry at(long position) {
        return entries[slotOf(position)];
    }
}
