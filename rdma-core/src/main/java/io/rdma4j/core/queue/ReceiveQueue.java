package io.rdma4j.core.queue;

import java.lang.invoke.VarHandle;

/** The receive queue of a queue pair. */
public final class ReceiveQueue extends WorkQueue {
    private final ReceiveWorkEntry[] entries;

    /** Whether the owner must hear of new receives: only while they are flushed, since a packet looks for itself. */
    private volatile boolean doorbellWanted;

    public ReceiveQueue(int capacity, int maxElements) {
        super(capacity);
        entries = new ReceiveWorkEntry[slots()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new ReceiveWorkEntry(maxElements);
        }
    }

    public ReceiveWorkEntry at(long position) {
        return entries[slotOf(position)];
    }

    /** Set by the owner before it flushes; the fence pairs with the one in {@link #doorbellWantedAfterPublish}. */
    public void wantDoorbell(boolean wanted) {
        doorbellWanted = wanted;
        VarHandle.fullFence();
    }

    /** Whether to ring, asked after {@link #publish}: either the flusher sees the request or the poster sees the flag. */
    public boolean doorbellWantedAfterPublish() {
        VarHandle.fullFence();
        return doorbellWanted;
    }
}
