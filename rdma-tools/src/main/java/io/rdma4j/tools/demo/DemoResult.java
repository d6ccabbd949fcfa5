package io.rdma4j.tools.demo;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of the demo.
 *
 * @param devices URI-like names of the two devices, this process's first
 * @param steps in the order they ran
 * @param capture the file with the first frames
 */
record DemoResult(List<String> devices, List<DemoStep> steps, Path capture) {
    boolean verified() {
        return !steps.isEmpty() && steps.stream().allMatch(DemoStep::verified);
    }

    /** The result for {@code --json}. */
    Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("verified", verified());
        map.put("devices", devices);
        map.put("steps", steps.stream().map(DemoStep::toMap).toList());
        map.put("pcap", capture.toString());
        return map;
    }

    /** What {@code --json} tells of a demo that did not reach its end. */
    static Map<String, Object> failure(RuntimeException cause) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("verified", false);
        map.put("error", cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
        return map;
    }
}
