package io.rdma4j.tools.demo;

import io.rdma4j.tools.demo.DemoStep.Measured;
import io.rdma4j.tools.text.ProgressBar;
import io.rdma4j.tools.text.Table;
import io.rdma4j.tools.text.Units;
import io.rdma4j.tools.text.Wrapped;
import java.io.PrintWriter;
import java.io.Writer;
import org.HdrHistogram.Histogram;

/** What the demo shows while it runs and at its end; with {@code --json} it shows nothing. */
final class DemoPrinter {
    private static final int WIDTH = 80;
    private static final int DETAIL_INDENT = 9;

    private final PrintWriter out;
    private final boolean interactive;
    private final boolean silent;

    DemoPrinter(PrintWriter out, boolean interactive, boolean silent) {
        this.out = silent ? new PrintWriter(Writer.nullWriter()) : out;
        this.interactive = interactive;
        this.silent = silent;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    void note(String text) {
        Wrapped.lines("note: " + text, WIDTH - 2).forEach(line -> say("  " + line));
    }

    /** The bar of a step that takes long. */
    ProgressBar progress(String label) {
        return new ProgressBar(out, interactive, label, DemoLayout.DATA_BYTES);
    }

    /** A step that has ended: what was done and how fast, and below it what was seen. */
    void step(DemoStep step) {
        Measured measured = step.measured();
        String time = measured == null ? "" : Units.format(" (%s)", Units.duration(measured.nanos()));
        say(Units.format("  %-7s%s%s", step.verified() ? "ok" : "FAILED", step.name(), time));
        Wrapped.lines(step.detail(), WIDTH - DETAIL_INDENT).forEach(line -> say(" ".repeat(DETAIL_INDENT) + line));
    }

    /** The table and the verdict. */
    void summary(DemoResult result) {
        if (silent) {
            return;
        }
        Table table = new Table().row("step", "time", "throughput", "latency p50", "p99", "max");
        for (DemoStep step : result.steps()) {
            Measured measured = step.measured();
            if (measured != null) {
                table.row(row(step.name(), measured));
            }
        }
        say("");
        table.lines().forEach(this::say);
        say("");
        say(result.verified() ? "Everything was verified." : "NOT everything was verified; see the steps above.");
        say("The frames: rdma4j pcap " + result.capture());
    }

    private static String[] row(String name, Measured measured) {
        Histogram latency = measured.latency();
        if (measured.operations() == 1) {
            String time = Units.duration(measured.nanos());
            return new String[] {name, time, Units.throughput(measured.bytes(), measured.nanos()), time, "-", "-"};
        }
        return new String[] {
            name,
            Units.duration(measured.nanos()),
            Units.format("%,.0f ops/s", Units.perSecond(measured.operations(), measured.nanos())),
            Units.duration(latency.getValueAtPercentile(50)),
            Units.duration(latency.getValueAtPercentile(99)),
            Units.duration(latency.getMaxValue())
        };
    }
}
