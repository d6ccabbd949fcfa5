package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.Fabric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs seeds of the two-node sweep. */
public final class Sweep {
    /** When the faults of a plan end at the latest. */
    static final long MAX_FAULTS_NS = 5_000_000_000L;

    private final Path reports;

    /**
     * A sweep that leaves the captures and traces of failed seeds in a directory.
     *
     * @param reports made when it is needed
     */
    public Sweep(Path reports) {
        this.reports = reports;
    }

    /**
     * Runs one seed.
     *
     * @return what the run amounted to
     * @throws SweepFailure when anything was wrong; the message has all it takes to run the seed again
     */
    public SweepResult run(long seed) {
        return run(SweepGenerator.generate(seed));
    }

    SweepResult run(SweepPlan plan) {
        try (Fabric fabric = new Fabric(plan.seed())) {
            new SweepRun(plan, fabric).run();
            long virtualNs = fabric.nowNs() - Fabric.START_NS;
            return new SweepResult(
                    plan.seed(),
                    fabric.trace().count(),
                    virtualNs,
                    fabric.trace().hash());
        } catch (RuntimeException | AssertionError failure) {
            throw new SweepFailure(report(plan, failure), failure);
        }
    }

    /** Runs the seed again, this time recording: a run is the same however often it is made. */
    private String report(SweepPlan plan, Throwable failure) {
        String name = "sweep-" + plan.seed();
        Path prefix = reports.resolve(name);
        String again = "did not fail again";
        try {
            Files.createDirectories(reports);
            try (Fabric fabric = new Fabric(plan.seed())) {
                fabric.capture(prefix);
                try {
                    new SweepRun(plan, fabric).run();
                } catch (RuntimeException | AssertionError expected) {
                    again = "failed again with: " + expected.getMessage();
                }
                Files.writeString(
                        reports.resolve(name + ".trace"), fabric.trace().text());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "seed " + plan.seed() + ": " + failure.getMessage() + "\nRecorded as " + prefix + "*, where it " + again
                + "\n" + plan.summary();
    }
}
