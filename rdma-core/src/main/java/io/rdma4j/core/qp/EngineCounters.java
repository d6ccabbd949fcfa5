package io.rdma4j.core.qp;

import io.rdma4j.core.wire.DropReason;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/** Written by the owner thread, readable from any. */
public final class EngineCounters {
    private final AtomicLongArray counts = new AtomicLongArray(Counter.values().length);
    private final AtomicLongArray drops = new AtomicLongArray(DropReason.values().length);
    private volatile Supplier<Map<String, Long>> link = Map::of;

    public void count(Counter counter) {
        increment(counts, counter.ordinal());
    }

    public void drop(DropReason reason) {
        increment(drops, reason.ordinal());
    }

    private static void increment(AtomicLongArray array, int i) {
        // One writer: a plain read and an ordered write suffice.
        array.lazySet(i, array.getPlain(i) + 1);
    }

    public long get(Counter counter) {
        return counts.get(counter.ordinal());
    }

    public long get(DropReason reason) {
        return drops.get(reason.ordinal());
    }

    /** Has reports include what the link below counts; the supplier is called on any thread. */
    public void include(Supplier<Map<String, Long>> linkCounters) {
        link = linkCounters;
    }

    /** All counters by name, drops as {@code dropped_<reason>}, and those of the link. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            all.put(counter.label(), get(counter));
        }
        for (DropReason reason : DropReason.values()) {
            all.put("dropped_" + reason.name().toLowerCase(Locale.ROOT), get(reason));
        }
        all.putAll(link.get());
        return all;
    }
}
