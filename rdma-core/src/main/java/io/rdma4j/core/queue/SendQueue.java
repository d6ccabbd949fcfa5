package io.rdma4j.core.queue;

/** The send queue of a queue pair. */
public final class SendQueue extends WorkQueue {
    private final SendWorkEntry[] entries;

    public SendQueue(int capacity, int maxElements) {
        super(capacity);
        entries = new SendWorkEntry[slots()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new SendWorkEntry(maxElements);
        }
    }

    public SendWorkEntry at(long position) {
        return entries[slotOf(position)];
    }
}
