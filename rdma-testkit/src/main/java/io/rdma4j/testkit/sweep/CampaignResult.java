package io.rdma4j.testkit.sweep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the seeds of a campaign amounted to. A seed has passed when each program made of it has. */
public final class CampaignResult {
    private final long requested;
    private final Map<SweepKind, Totals> totals = new EnumMap<>(SweepKind.class);
    private final List<SeedOutcome> failures = new ArrayList<>();
    private long passed;
    private long failed;

    CampaignResult(long requested) {
        this.requested = requested;
    }

    void add(List<SeedOutcome> outcomes) {
        outcomes.forEach(outcome -> totals.merge(outcome.kind(), Totals.of(outcome), Totals::plus));
        List<SeedOutcome> failing =
                outcomes.stream().filter(outcome -> !outcome.passed()).toList();
        failures.addAll(failing);
        if (failing.isEmpty()) {
            passed++;
        } else {
            failed++;
        }
    }

    /** How many seeds were asked for. */
    public long requested() {
        return requested;
    }

    public long passed() {
        return passed;
    }

    public long failed() {
        return failed;
    }

    /** Whether all seeds were run that were asked for. */
    public boolean complete() {
        return passed + failed == requested;
    }

    /** The totals of each kind of program that was run, in the order of the kinds. */
    public Map<SweepKind, Totals> totals() {
        return Collections.unmodifiableMap(totals);
    }

    /** What failed, by seed. */
    public List<SeedOutcome> failures() {
        return failures.stream()
                .sorted(Comparator.comparing(SeedOutcome::seed).thenComparing(SeedOutcome::kind))
                .toList();
    }

    /**
     * Sums over the programs of a kind.
     *
     * @param passed how many went as they must
     * @param failed how many did not
     * @param frames frames sent
     * @param virtualNs virtual time
     */
    public record Totals(long passed, long failed, long frames, long virtualNs) {
        static Totals of(SeedOutcome outcome) {
            int good = outcome.passed() ? 1 : 0;
            return new Totals(good, 1 - good, outcome.frames(), outcome.virtualNs());
        }

        Totals plus(Totals other) {
            return new Totals(
                    passed + other.passed, failed + other.failed, frames + other.frames, virtualNs + other.virtualNs);
        }
    }
}
