package io.rdma4j.core.house;

import io.rdma4j.core.house.TestNames.TestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes docs/rules.md: the rules stand in a resource beside this class, the tests are found by their names. */
final class RulesDocument {
    private static final Pattern BUG = Pattern.compile("\\bbug/(\\d+)\\b");
    private static final String LATER = "later";

    /** More names in a cell help nobody; the rest is counted. */
    private static final int MAX_NAMES = 12;

    private final List<TestName> tests;
    private final List<String> rulesWithoutTest = new ArrayList<>();
    private final Set<String> unknownBugs = new TreeSet<>();
    private final Set<String> bugsWithoutTest = new TreeSet<>();

    RulesDocument(List<TestName> tests) {
        this.tests = tests;
    }

    /** Rules that no test proves, though they are not marked as not there yet; known after {@link #text}. */
    List<String> rulesWithoutTest() {
        return rulesWithoutTest;
    }

    /** Numbers of bug tests that the list of situations does not have; known after {@link #text}. */
    Set<String> unknownBugs() {
        return unknownBugs;
    }

    /** Situations without a test and without a reason for that; known after {@link #text}. */
    Set<String> bugsWithoutTest() {
        return bugsWithoutTest;
    }

    /** The whole document. */
    String text() {
        StringBuilder out = new StringBuilder();
        out.append("""
                # Rules

                Which tests prove which rule. The section numbers are those of the behaviour specification that this project follows
                ([what they mean](architecture.md#section-numbers-in-comments)); the rules are told in short. A test is listed where its
                `@DisplayName` cites the section and speaks of the rule; a parameterised test counts once here and has many cases. Beside
                these, the seed sweep and the model test (`bin/rdma4j sweep`) check PSN order, exactly-once, memory and progress of
                generated programs under faults.

                This file is generated; see [CONTRIBUTING.md](../CONTRIBUTING.md#rulesmd).
                """);
        for (String line : lines("rules.txt")) {
            if (line.startsWith("# ") && Character.isDigit(line.charAt(2))) {
                out.append("\n## §").append(line.substring(2)).append("\n\n| rule | | tests |\n|---|---|---|\n");
            } else if (!line.startsWith("#")) {
                appendRule(out, line);
            }
        }
        appendBugs(out);
        return out.toString();
    }

    private void appendRule(StringBuilder out, String line) {
        // The words may be alternatives, so the separator is a bar between blanks.
        String[] cells = line.split(" \\| ", -1);
        String label = cells[0];
        List<TestName> proofs = new ArrayList<>();
        if (!cells[1].equals(LATER)) {
            Pattern sections = Pattern.compile(cells[1]);
            Pattern words = Pattern.compile(cells[2]);
            tests.stream()
                    .filter(test -> test.sections().stream()
                                    .anyMatch(
                                            section -> sections.matcher(section).matches())
                            && words.matcher(test.display()).find())
                    .forEach(proofs::add);
            if (proofs.isEmpty()) {
                rulesWithoutTest.add(label);
            }
        }
        out.append("| ").append(label).append(" | ").append(cells[3]).append(" | ");
        out.append(cells[1].equals(LATER) ? "not there yet" : names(proofs)).append(" |\n");
    }

    private static String names(List<TestName> proofs) {
        List<String> names = proofs.stream()
                .map(test -> "`" + test.reference() + "`")
                .distinct()
                .sorted()
                .toList();
        String shown = String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())));
        return names.size() > MAX_NAMES ? shown + " and " + (names.size() - MAX_NAMES) + " more" : shown;
    }

    private void appendBugs(StringBuilder out) {
        out.append("""

                ## Situations from public trouble reports

                Each is a situation in which users of software RDMA devices met trouble; its tests are named `bug/N`.

                | N | what must hold | tests |
                |---|---|---|
                """);
        Map<String, List<TestName>> byNumber = new TreeMap<>();
        for (TestName test : tests) {
            Matcher bug = BUG.matcher(test.display());
            while (bug.find()) {
                byNumber.computeIfAbsent(bug.group(1), number -> new ArrayList<>())
                        .add(test);
            }
        }
        unknownBugs.addAll(byNumber.keySet());
        for (String line : lines("bugs.txt")) {
            if (!line.startsWith("#")) {
                String[] cells = line.split(" \\|", -1);
                unknownBugs.remove(cells[0]);
                appendBug(out, cells, byNumber.getOrDefault(cells[0], List.of()));
            }
        }
    }

    private void appendBug(StringBuilder out, String[] cells, List<TestName> proofs) {
        String reason = cells[2].strip();
        if (proofs.isEmpty() && reason.isEmpty()) {
            bugsWithoutTest.add(cells[0]);
        }
        String shown = proofs.isEmpty() ? (reason.isEmpty() ? "none" : reason) : names(proofs);
        out.append("| ")
                .append(cells[0])
                .append(" |")
                .append(cells[1])
                .append(" | ")
                .append(shown)
                .append(" |\n");
    }

    private static List<String> lines(String resource) {
        try (InputStream in = RulesDocument.class.getResourceAsStream("/conformance/" + resource)) {
            byte[] bytes = Objects.requireNonNull(in, resource).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
