package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.CampaignResult;
import io.rdma4j.testkit.sweep.SeedOutcome;
import io.rdma4j.testkit.sweep.Sweep;
import io.rdma4j.testkit.sweep.SweepCampaign;
import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.tools.text.Json;
import io.rdma4j.tools.text.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sweep}: generated programs on a hostile simulated network against checkers, many seeds or one again. */
@Command(
        name = "sweep",
        description = {
            "Runs generated programs on a simulated network that loses, repeats, reorders and damages packets, in virtual"
                    + " time, and checks every completion and every byte.",
            "A seed fixes the program and the network: it gives the same run, to the byte, each time and everywhere."
        },
        footer = {"", "Exits 1 if any seed failed. A failed seed is recorded; --replay records it again."})
public final class SweepCommand extends ToolCommand {
    private static final long MAX_COUNT = 1_000_000_000_000L;

    @Option(
            names = "--from",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long from;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many seeds (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many seeds at a time (default: as many as there are processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "all",
            description = "What to make of a seed: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private ProgramKinds kind;

    @Option(names = "--replay", paramLabel = "SEED", description = "Run this seed alone, and record it.")
    private @Nullable Long replay;

    @Option(
            names = "--reports",
            paramLabel = "DIR",
            description = "Where captures and traces go (default: rdma4j-sweep here, or in the temporary directory).")
    private @Nullable Path reports;

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    @Option(
            names = "--spoil",
            paramLabel = "SEED",
            hidden = true,
            description = "Make the checkers of this seed expect a wrong byte, to see what a failure looks like.")
    private Set<Long> spoiled = Set.of();

    @Override
    public Integer call() {
        require(count >= 1 && count <= MAX_COUNT, "--count has to be 1 to " + MAX_COUNT + ", not " + count);
        require(from <= Long.MAX_VALUE - count, "--from " + from + " leaves no room for " + count + " seeds");
        require(
                threads >= 1 && threads <= SweepCampaign.MAX_THREADS,
                "--threads has to be 1 to " + SweepCampaign.MAX_THREADS + ", not " + threads);
        Path directory = ReportDirectory.choose(reports);
        List<Sweep> sweeps = kind.kinds().stream()
                .map(each -> new Sweep(each, directory).spoiled(spoiled))
                .toList();
        return replay != null ? replay(sweeps, replay) : runMany(sweeps);
    }

    private int runMany(List<Sweep> sweeps) {
        SweepCampaign campaign = new SweepCampaign(sweeps, from, count, threads);
        return StopOnExit.during(() -> runMany(campaign), campaign::stop);
    }

    private int runMany(SweepCampaign campaign) {
        SweepOptions options = new SweepOptions(kind.kinds(), from, count, (int) Math.min(threads, count));
        long startNanos = System.nanoTime();
        CampaignResult result;
        if (json) {
            result = campaign.run(outcomes -> {});
            out().println(Json.write(SweepJson.of(result, options, System.nanoTime() - startNanos)));
        } else {
            SweepPrinter printer = new SweepPrinter(out(), Terminal.isInteractive(), options);
            result = campaign.run(printer::seedDone);
            printer.summary(result, System.nanoTime() - startNanos);
        }
        out().flush();
        return result.failed() == 0 && result.complete() ? 0 : 1;
    }

    /** Prints nothing that depends on the clock: the same seed gives the same output. */
    private int replay(List<Sweep> sweeps, long seed) {
        List<SeedOutcome> outcomes =
                sweeps.stream().map(sweep -> sweep.replay(seed)).toList();
        boolean passed = outcomes.stream().allMatch(SeedOutcome::passed);
        if (json) {
            out().println(Json.write(SweepJson.ofReplay(seed, outcomes)));
        } else {
            outcomes.forEach(outcome -> SweepPrinter.print(out(), outcome));
        }
        return passed ? 0 : 1;
    }
}
