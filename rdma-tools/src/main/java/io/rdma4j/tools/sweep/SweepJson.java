package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.CampaignResult;
import io.rdma4j.testkit.sweep.SeedOutcome;
import io.rdma4j.testkit.sweep.SeedRecording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON objects of {@code sweep}. */
final class SweepJson {
    private SweepJson() {}

    static Map<String, Object> of(CampaignResult result, SweepOptions options, long wallNanos) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("passed", result.passed());
        object.put("failed", result.failed());
        object.put("requested", result.requested());
        object.put("complete", result.complete());
        object.put("from", options.from());
        object.put("threads", options.threads());
        object.put("seconds", wallNanos / 1e9);
        Map<String, Object> kinds = new LinkedHashMap<>();
        result.totals().forEach((kind, totals) -> {
            Map<String, Object> sums = new LinkedHashMap<>();
            sums.put("passed", totals.passed());
            sums.put("failed", totals.failed());
            sums.put("frames", totals.frames());
            sums.put("virtualNanos", totals.virtualNs());
            kinds.put(kind.label(), sums);
        });
        object.put("kinds", kinds);
        object.put("failures", result.failures().stream().map(SweepJson::of).toList());
        return object;
    }

    static Map<String, Object> ofReplay(long seed, List<SeedOutcome> outcomes) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("seed", seed);
        object.put("passed", outcomes.stream().allMatch(SeedOutcome::passed));
        object.put("runs", outcomes.stream().map(SweepJson::of).toList());
        return object;
    }

    private static Map<String, Object> of(SeedOutcome outcome) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", outcome.kind().label());
        object.put("seed", outcome.seed());
        object.put("passed", outcome.passed());
        if (outcome.problem() != null) {
            object.put("problem", outcome.problem());
        }
        object.put("faults", outcome.plan());
        object.put("frames", outcome.frames());
        object.put("virtualNanos", outcome.virtualNs());
        object.put("traceHash", hash(outcome));
        SeedRecording recording = outcome.recording();
        if (recording != null) {
            object.put("pcap", recording.sent().toString());
            object.put("pcapArrived", recording.arrived().toString());
            object.put("trace", recording.trace().toString());
            object.put("report", recording.report().toString());
        }
        return object;
    }

    static String hash(SeedOutcome outcome) {
        return String.format("%016x", outcome.traceHash());
    }
}
