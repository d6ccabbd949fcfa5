package io.rdma4j.tools.text;

import java.util.ArrayList;
import java.util.List;

/** A small table: the first column to the left, all others to the right, two spaces between. */
public final class Table {
    private final List<String[]> rows = new ArrayList<>();

    /** Adds a row; the first one is the heading, and all have as many cells. */
    public Table row(String... cells) {
        rows.add(cells);
        return this;
    }

    /** The lines of the table, with a rule below the heading. */
    public List<String> lines() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            lines.add(line(row, widths));
            if (lines.size() == 1) {
                lines.add("-".repeat(lines.get(0).length()));
            }
        }
        return lines;
    }

    private static String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            String gap = " ".repeat(widths[i] - row[i].length());
            line.append(i == 0 ? row[i] + gap : "  " + gap + row[i]);
        }
        return line.toString();
    }
}
