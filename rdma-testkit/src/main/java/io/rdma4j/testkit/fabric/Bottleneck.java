package io.rdma4j.testkit.fabric;

import java.util.ArrayDeque;

/** The sending end of a direction: frames leave one after the other at its bandwidth, and what finds the queue full is lost. */
final class Bottleneck {
    /** Instead of a time: there was no room. */
    static final long NO_ROOM = -1;

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long freeNs = Long.MIN_VALUE;

    /** When the last bit of a frame leaves that is sent now, or {@link #NO_ROOM}. */
    long leave(long nowNs, int bytes, FabricOptions options) {
        if (options.bitsPerSecond() == FabricOptions.UNLIMITED) {
            return nowNs;
        }
        forgetWhatHasLeft(nowNs);
        boolean bytesFull =
                options.queueBytes() != FabricOptions.UNLIMITED && queuedBytes + bytes > options.queueBytes();
        boolean framesFull = options.queueFrames() != FabricOptions.UNLIMITED && queue.size() >= options.queueFrames();
        if (bytesFull || framesFull) {
            return NO_ROOM;
        }
        freeNs = Math.max(freeNs, nowNs) + options.leavingNs(bytes);
        queue.add(new Waiting(freeNs, bytes));
        queuedBytes += bytes;
        return freeNs;
    }

    private void forgetWhatHasLeft(long nowNs) {
        for (Waiting head = queue.peek(); head != null && head.leftNs <= nowNs; head = queue.peek()) {
            queue.remove();
            queuedBytes -= head.bytes;
        }
    }

    private record Waiting(long leftNs, int bytes) {}
}
