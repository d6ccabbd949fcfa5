package io.rdma4j.tools.text;

import java.io.PrintWriter;
import java.util.function.LongFunction;

/**
 * Shows how far a long step is: a bar that is redrawn on a terminal, a plain line at each quarter elsewhere, so that a
 * log stays readable.
 */
public final class ProgressBar {
    /** Chosen so that the longest line, with both counts at their widest, fits {@link #LINE}. */
    private static final int WIDTH = 24;

    /** One column less than a terminal of 80 has: a full line would wrap, and the next drawing leave it behind. */
    private static final int LINE = 79;

    private static final long REDRAW_NANOS = 50_000_000;

    private final PrintWriter out;
    private final boolean redraw;
    private final String label;
    private final long total;
    private final LongFunction<String> unit;
    private long drawnAt = Long.MIN_VALUE;
    private int quarters;

    /** A bar for {@code total} bytes. */
    public ProgressBar(PrintWriter out, boolean redraw, String label, long total) {
        this(out, redraw, label, total, Units::bytes);
    }

    /** A bar for {@code total} of what {@code unit} puts into words, in at most ten characters. */
    public ProgressBar(PrintWriter out, boolean redraw, String label, long total, LongFunction<String> unit) {
        this.out = out;
        this.redraw = redraw;
        this.label = label;
        this.total = total;
        this.unit = unit;
    }

    /** Tells how much is done; cheap when nothing changes on the screen. */
    public void update(long done, long nowNanos) {
        long shown = Math.min(done, total);
        if (redraw) {
            if (drawnAt == Long.MIN_VALUE || nowNanos - drawnAt >= REDRAW_NANOS) {
                drawnAt = nowNanos;
                draw(shown);
            }
            return;
        }
        int reached = (int) (shown * 4 / total);
        if (reached > quarters && reached < 4) { // the step's own line says that all is done
            quarters = reached;
            out.println(Units.format("  %s: %d%% of %s", label, reached * 25, unit.apply(total)));
            out.flush();
        }
    }

    /** Removes the bar from the screen. */
    public void clear() {
        if (redraw && drawnAt != Long.MIN_VALUE) {
            out.print("\r" + " ".repeat(LINE) + "\r");
            out.flush();
        }
    }

    private void draw(long done) {
        int filled = (int) (done * WIDTH / total);
        String line = Units.format(
                "  %-18s [%s%s] %3d%%  %s of %s",
                label,
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                done * 100 / total,
                unit.apply(done),
                unit.apply(total));
        out.print("\r" + line + " ".repeat(Math.max(0, LINE - line.length()))); // over what a longer one left
        out.flush();
    }
}
