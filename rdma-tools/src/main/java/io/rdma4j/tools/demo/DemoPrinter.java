package io.rdma4j.tools.demo;

import io.rdma4j.tools.demo.DemoStep.Measured;
import io.rdma4j.tools.text.ProgressBar;
import io.rdma4j.tools.text.Table;
import io.rdma4j.tools.text.Units;
import java.io.PrintWriter;

/** What the demo shows while it runs and at its end; with {@code --json} it shows nothing. */
final class DemoPrinter {
    private final PrintWriter out;
    private final boolean interactive;
    private final boolean silent;

    DemoPrinter(PrintWriter out, boolean interactive, boolean silent) {
        this.out = silent ? new PrintWriter(java.io.Writer.nullWriter()) : out;
        this.interactive = interactive;
        this.silent = silent;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    void note(String text) {
        say("  note: " + text);
    }

    /** The bar of a step that takes long. */
    ProgressBar progress(String label) {
        return new ProgressBar(out, interactive, label, DemoLayout.DATA_BYTES);
    }

    /** A step that has ended. */
    void step(DemoStep step) {
        say(Units.format("  %-6s %-24s %s", step.verified() ? "ok" : "FAILED", step.name(), step.detail()));
    }

    /** The table and the verdict. */
    void summary(DemoResult result) {
        if (silent) {
            return;
        }
        Table table = new Table().row("step", "ops", "bytes", "time", "throughput", "p50", "p99", "max");
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
        boolean single = measured.operations() == 1;
        return new String[] {
            name,
            Units.format("%,d", measured.operations()),
            Units.bytes(measured.bytes()),
            Units.duration(measured.nanos()),
            single
                    ? Units.throughput(measured.bytes(), measured.nanos())
                    : Units.format("%,.0f ops/s", Units.perSecond(measured.operations(), measured.nanos())),
            Units.duration(measured.latency().getValueAtPercentile(50)),
            single ? "-" : Units.duration(measured.latency().getValueAtPercentile(99)),
            single ? "-" : Units.duration(measured.latency().getMaxValue())
        };
    }
}
