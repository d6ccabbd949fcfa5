package io.rdma4j.testkit.sweep;

import org.jspecify.annotations.Nullable;

/**
 * What a seed amounted to.
 *
 * @param kind which program was made of the seed
 * @param seed the seed
 * @param frames how many frames were sent
 * @param virtualNs how long it took in virtual time
 * @param traceHash of every frame: equal for equal runs
 * @param problem what went wrong; null when nothing did
 * @param plan the faults and the shape of the program
 * @param recording where the run was recorded; null when it was not
 */
public record SeedOutcome(
        SweepKind kind,
        long seed,
        long frames,
        long virtualNs,
        long traceHash,
        @Nullable String problem,
        String plan,
        @Nullable SeedRecording recording) {
    public boolean passed() {
        return problem == null;
    }

    SeedOutcome recorded(SeedRecording files) {
        return new SeedOutcome(kind, seed, frames, virtualNs, traceHash, problem, plan, files);
    }

    SeedOutcome withProblem(String text) {
        return new SeedOutcome(kind, seed, frames, virtualNs, traceHash, text, plan, recording);
    }

    /** All it takes to run the seed again. */
    String report() {
        String where = recording == null ? "" : "\nRecorded as " + recording.sent() + ", " + recording.trace();
        String what = problem == null ? "passed" : problem;
        return kind.label() + " seed " + seed + ": " + what + where + "\n" + plan;
    }
}
