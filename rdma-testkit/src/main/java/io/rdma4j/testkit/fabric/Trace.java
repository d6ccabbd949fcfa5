package io.rdma4j.testkit.fabric;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What went over the fabric, one line a frame in the order of sending. The text holds the newest {@link #MAX_ENTRIES}
 * frames; the {@link #hash} covers all of them.
 */
public final class Trace {
    /** Bounds the memory of a long run. */
    public static final int MAX_ENTRIES = 1 << 18;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final ArrayDeque<TraceEntry> entries = new ArrayDeque<>();
    private long count;
    private long hash = FNV_OFFSET;

    void add(TraceEntry entry) {
        if (entries.size() == MAX_ENTRIES) {
            entries.removeFirst();
        }
        entries.addLast(entry);
        count++;
        mixIn(entry);
    }

    /** How many frames were sent in all. */
    public long count() {
        return count;
    }

    /** A hash over every frame sent so far: equal for equal runs. */
    public long hash() {
        return hash;
    }

    /** The frames kept, oldest first. */
    public List<TraceEntry> entries() {
        return List.copyOf(entries);
    }

    /** The kept frames that match, oldest first. */
    public List<TraceEntry> entries(Predicate<FrameView> matching) {
        return entries.stream().filter(entry -> matching.test(entry.frame())).toList();
    }

    /** All kept lines, each ended by a line feed. */
    public String text() {
        return lines(entries.stream());
    }

    /** The newest {@code n} lines, for a failure message. */
    public String tail(int n) {
        return lines(entries.stream().skip(Math.max(0, entries.size() - n)));
    }

    private static String lines(Stream<TraceEntry> entries) {
        return entries.map(entry -> entry + "\n").collect(Collectors.joining());
    }

    /** Mixes in what {@link TraceEntry#toString} prints, without making the text: a sweep sends millions of frames. */
    private void mixIn(TraceEntry entry) {
        FrameView frame = entry.frame();
        mix(entry.timeNs());
        mix(frame.from().hashCode());
        mix(frame.to().hashCode());
        mix(frame.opcode().code());
        mix(frame.queuePair());
        mix(frame.psn());
        mix(frame.icrc());
        mix(frame.destination().isMulticast() ? frame.destination().hashCode() : 0);
        mix(frame.trafficClass() | frame.hopLimit() << 8 | (long) frame.flowLabel() << 16);
        long fates = 0;
        for (Fate fate : entry.fates()) {
            fates |= 1L << fate.ordinal();
        }
        mix(fates);
    }

    private void mix(long value) {
        // FNV-1a over words; the shift brings the high bits, which a multiplication cannot move down, into play.
        hash = (hash ^ value ^ (value >>> 29)) * FNV_PRIME;
        hash ^= hash >>> 32;
    }
}
