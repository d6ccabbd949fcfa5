package io.rdma4j.tools.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What came of one step of the demo.
 *
 * @param name what was done
 * @param verified whether everything that was checked was right
 * @param detail what was seen, in words
 * @param measured how long it took, where that means something
 */
record DemoStep(
        String name,
        boolean verified,
        String detail,
        @Nullable Measured measured) {
    /** A step without a time. */
    static DemoStep untimed(String name, boolean verified, String detail) {
        return new DemoStep(name, verified, detail, null);
    }

    /**
     * The time of a step.
     *
     * @param operations work requests
     * @param bytes bytes that went one way
     * @param nanos from the first post to the last completion
     * @param latency of each operation, in nanoseconds
     */
    record Measured(long operations, long bytes, long nanos, Histogram latency) {
        /** One operation, whose latency is the whole time. */
        static Measured single(long bytes, long nanos) {
            Histogram latency = histogram();
            latency.recordValue(nanos);
            return new Measured(1, bytes, nanos, latency);
        }

        /** An empty histogram of nanoseconds with three digits. */
        static Histogram histogram() {
            return new Histogram(3);
        }
    }

    /** The step for {@code --json}. */
    Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("verified", verified);
        map.put("detail", detail);
        if (measured != null) {
            map.put("operations", measured.operations());
            map.put("bytes", measured.bytes());
            map.put("nanos", measured.nanos());
            map.put("bytesPerSecond", measured.bytes() * 1e9 / measured.nanos());
            map.put("operationsPerSecond", measured.operations() * 1e9 / measured.nanos());
            Histogram latency = measured.latency();
            map.put("latencyNanosP50", latency.getValueAtPercentile(50));
            map.put("latencyNanosP99", latency.getValueAtPercentile(99));
            map.put("latencyNanosMax", latency.getMaxValue());
        }
        return map;
    }
}
