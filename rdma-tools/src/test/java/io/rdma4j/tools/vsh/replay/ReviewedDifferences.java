package io.rdma4j.tools.vsh.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where our answers differ from those of Linux, as somebody has reviewed; of {@code differences.txt}. Anything else that
 * differs is a failure, and so is a difference that is in the list and is not there any more.
 */
final class ReviewedDifferences {
    private static final String ANYWHERE = "any";

    private final List<Row> rows;
    private final Set<Row> used = new LinkedHashSet<>();

    /**
     * A difference.
     *
     * @param transcripts a regular expression for their names
     * @param where the line in the transcript, or {@code any}: then {@code theirs} is a regular expression and {@code ours}
     *     what takes its place
     */
    record Row(String transcripts, String where, String theirs, String ours, String reason) {
        boolean isFor(String transcript) {
            return transcript.matches(transcripts);
        }

        boolean isAnywhere() {
            return where.equals(ANYWHERE);
        }
    }

    private ReviewedDifferences(List<Row> rows) {
        this.rows = rows;
    }

    static ReviewedDifferences read() {
        return new ReviewedDifferences(ReviewedLines.read("differences.txt", 5).stream()
                .map(row -> new Row(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4)))
                .toList());
    }

    /** What is wrong with our answers to a transcript; empty when nothing is. */
    List<String> check(Transcript transcript, Map<Integer, String> answers) {
        Map<Integer, Row> expected = new LinkedHashMap<>();
        rows.stream()
                .filter(row -> !row.isAnywhere() && row.isFor(transcript.name()))
                .forEach(row -> expected.put(Integer.parseInt(row.where()), row));
        List<String> problems = new ArrayList<>();
        for (Transcript.Step step : transcript.steps()) {
            String ours = AnswerFields.comparable(answers.getOrDefault(step.line(), "nothing"));
            String theirs = expected(transcript.name(), AnswerFields.comparable(step.answer()));
            Row row = expected.remove(step.line());
            String problem = row == null ? compare(theirs, ours) : compare(row, theirs, ours);
            if (!problem.isEmpty()) {
                problems.add("line " + step.line() + ", " + step.commandLine() + "\n" + problem);
            }
        }
        expected.values().forEach(row -> problems.add("no answer stands in line " + row.where()));
        return problems;
    }

    private static String compare(String theirs, String ours) {
        return theirs.equals(ours)
                ? ""
                : "  not in the list: Linux: " + theirs + "\n                     ours: " + ours;
    }

    /** A row that stands for a whole answer; ours may be a regular expression behind a tilde. */
    private String compare(Row row, String theirs, String ours) {
        used.add(row);
        if (theirs.equals(ours)) {
            return "  in the list, but no difference any more: " + ours;
        }
        boolean asListed = row.ours().startsWith("~")
                ? ours.matches(row.ours().substring(1))
                : row.ours().equals(ours);
        return row.theirs().equals(theirs) && asListed ? "" : "  listed: " + row + "\n" + compare(theirs, ours);
    }

    /** Linux's answer as ours should be, as far as rows for many lines say. */
    private String expected(String transcript, String theirs) {
        String expected = theirs;
        for (Row row : rows) {
            if (row.isAnywhere() && row.isFor(transcript)) {
                String changed = Pattern.compile(row.theirs()).matcher(expected).replaceAll(row.ours());
                if (!changed.equals(expected)) {
                    used.add(row);
                }
                expected = changed;
            }
        }
        return expected;
    }

    /** The rows that no check has used so far. */
    List<Row> unused() {
        return rows.stream().filter(row -> !used.contains(row)).toList();
    }
}
