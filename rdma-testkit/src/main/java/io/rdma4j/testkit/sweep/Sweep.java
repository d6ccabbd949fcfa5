package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.check.WireFailure;
import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.model.ModelMismatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs seeds of one kind, each on a fabric of its own; may be used by several threads at once. */
public final class Sweep {
    /** When the faults of a plan end at the latest. */
    static final long MAX_FAULTS_NS = 5_000_000_000L;

    private final SweepKind kind;
    private final Path reports;
    private final Set<Long> spoiledSeeds;

    /**
     * A sweep that leaves the captures and traces of failed seeds in a directory.
     *
     * @param reports made when it is needed
     */
    public Sweep(SweepKind kind, Path reports) {
        this(kind, reports, Set.of());
    }

    private Sweep(SweepKind kind, Path reports, Set<Long> spoiledSeeds) {
        this.kind = kind;
        this.reports = reports;
        this.spoiledSeeds = spoiledSeeds;
    }

    /** The same, but the checkers of these seeds expect a wrong byte: they fail, which shows what a failure looks like. */
    public Sweep spoiled(Set<Long> seeds) {
        return new Sweep(kind, reports, Set.copyOf(seeds));
    }

    public SweepKind kind() {
        return kind;
    }

    /** Runs one seed; when it fails, runs it again and records that: a run is the same however often it is made. */
    public SeedOutcome attempt(long seed) {
        return attempt(program(seed));
    }

    /** Runs one seed and records it, failed or not. */
    public SeedOutcome replay(long seed) {
        return record(program(seed));
    }

    /**
     * Runs one seed.
     *
     * @return what the run amounted to
     * @throws SweepFailure when anything was wrong; the message has all it takes to run the seed again
     */
    public SeedOutcome run(long seed) {
        return run(program(seed));
    }

    SeedOutcome run(SeedProgram program) {
        SeedOutcome outcome = attempt(program);
        if (!outcome.passed()) {
            throw new SweepFailure(outcome.report());
        }
        return outcome;
    }

    private SeedProgram program(long seed) {
        return kind.program(seed, spoiledSeeds.contains(seed));
    }

    private SeedOutcome attempt(SeedProgram program) {
        SeedOutcome outcome = once(program, new Fabric(program.seed()));
        if (outcome.problem() == null) {
            return outcome;
        }
        SeedOutcome again = record(program);
        return again.traceHash() == outcome.traceHash()
                ? again
                : again.withProblem(outcome.problem() + "\nThe recorded run went another way, which must not be: "
                        + (again.problem() == null ? "it passed" : again.problem()));
    }

    private SeedOutcome record(SeedProgram program) {
        String name = "sweep-" + kind.label() + "-" + program.seed();
        SeedRecording files = SeedRecording.of(reports, name);
        try {
            Files.createDirectories(reports);
            Fabric fabric = new Fabric(program.seed());
            fabric.capture(reports.resolve(name));
            SeedOutcome outcome = once(program, fabric).recorded(files);
            Files.writeString(files.trace(), fabric.trace().text());
            Files.writeString(files.report(), outcome.report());
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SeedOutcome once(SeedProgram program, Fabric fabric) {
        String problem = null;
        try (fabric) {
            program.run(fabric);
        } catch (RuntimeException | AssertionError failure) {
            problem = describe(failure);
        }
        return new SeedOutcome(
                kind,
                program.seed(),
                fabric.trace().count(),
                fabric.nowNs() - Fabric.START_NS,
                fabric.trace().hash(),
                problem,
                program.summary(),
                null);
    }

    /** What a checker found speaks for itself; of anything else the place where it happened has to be known. */
    private static String describe(Throwable failure) {
        @Nullable String message = failure.getMessage();
        if ((failure instanceof SweepFailure || failure instanceof ModelMismatch || failure instanceof WireFailure)
                && message != null) {
            return message;
        }
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString().strip();
    }
}
