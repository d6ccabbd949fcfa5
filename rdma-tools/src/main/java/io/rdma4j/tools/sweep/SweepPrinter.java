package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.CampaignResult;
import io.rdma4j.testkit.sweep.SeedOutcome;
import io.rdma4j.testkit.sweep.SeedRecording;
import io.rdma4j.tools.text.ProgressBar;
import io.rdma4j.tools.text.Table;
import io.rdma4j.tools.text.Units;
import io.rdma4j.tools.text.Wrapped;
import java.io.PrintWriter;
import java.util.List;

/** What {@code sweep} shows as text. */
final class SweepPrinter {
    private static final int WIDTH = 80;

    /** After so many failures in full the rest are only named at the end; their reports are in files. */
    private static final int FULL_FAILURES = 5;

    private final PrintWriter out;
    private final ProgressBar bar;
    private long done;
    private int failures;

    SweepPrinter(PrintWriter out, boolean interactive, SweepOptions options) {
        this.out = out;
        this.bar = new ProgressBar(out, interactive, "seeds", options.count(), count -> Units.format("%,d", count));
        out.println(headline(options));
        out.flush();
    }

    private static String headline(SweepOptions options) {
        long last = options.from() + options.count() - 1;
        List<String> kinds = options.kinds().stream().map(kind -> kind.label()).toList();
        return Units.format(
                "Seeds %,d to %,d (%s) on %d thread%s:",
                options.from(),
                last,
                String.join(" and ", kinds),
                options.threads(),
                options.threads() == 1 ? "" : "s");
    }

    void seedDone(List<SeedOutcome> outcomes) {
        for (SeedOutcome outcome : outcomes) {
            if (!outcome.passed() && failures++ < FULL_FAILURES) {
                bar.clear();
                failure(outcome);
            }
        }
        bar.update(++done, System.nanoTime());
    }

    private void failure(SeedOutcome outcome) {
        print(out, outcome);
        out.println("    again:    rdma4j sweep --kind " + outcome.kind().label() + " --replay " + outcome.seed());
        out.flush();
    }

    /** One seed with all that is known of it. */
    static void print(PrintWriter out, SeedOutcome outcome) {
        String problem = outcome.problem();
        out.println("  " + outcome.kind().label() + " seed " + outcome.seed() + ": "
                + (problem == null ? "passed" : "FAILED"));
        if (problem != null) {
            field(out, "problem", problem);
        }
        field(out, "faults", outcome.plan());
        field(
                out,
                "frames",
                Units.format("%,d in %s of virtual time", outcome.frames(), Units.duration(outcome.virtualNs())));
        SeedRecording recording = outcome.recording();
        if (recording != null) {
            out.println("    pcap:     " + recording.sent());
            out.println("    arrived:  " + recording.arrived());
            out.println("    trace:    " + recording.trace());
            out.println("    hash:     " + SweepJson.hash(outcome));
        }
        out.flush();
    }

    private static void field(PrintWriter out, String name, String text) {
        String label = name + ":";
        for (String line : text.strip().lines().toList()) {
            for (String piece : Wrapped.lines(line, WIDTH - 14)) {
                out.println(Units.format("    %-9s %s", label, piece));
                label = "";
            }
        }
    }

    void summary(CampaignResult result, long wallNanos) {
        bar.clear();
        Table table = new Table().row("program", "passed", "failed", "frames", "virtual time");
        result.totals()
                .forEach((kind, totals) -> table.row(
                        kind.label(),
                        Units.format("%,d", totals.passed()),
                        Units.format("%,d", totals.failed()),
                        Units.format("%,d", totals.frames()),
                        Units.duration(totals.virtualNs())));
        out.println();
        table.lines().forEach(out::println);
        out.println();
        long run = result.passed() + result.failed();
        if (!result.complete()) {
            out.println(Units.format("Stopped after %,d of %,d seeds.", run, result.requested()));
        }
        if (result.failed() > 0) {
            String seeds = String.join(
                    ", ",
                    result.failures().stream()
                            .map(failure -> String.valueOf(failure.seed()))
                            .distinct()
                            .toList());
            Wrapped.lines("Failed: " + seeds, WIDTH).forEach(out::println);
        }
        out.println(Units.format(
                "%,d passed, %,d failed in %s (%.1f seeds/s).",
                result.passed(), result.failed(), Units.duration(wallNanos), Units.perSecond(run, wallNanos)));
        out.flush();
    }
}
