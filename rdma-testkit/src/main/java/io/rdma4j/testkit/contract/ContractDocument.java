package io.rdma4j.testkit.contract;

import io.rdma4j.testkit.contract.ContractResult.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes the document that says what every provider must do and how each does, from the reports of their runs. */
public final class ContractDocument {
    private final List<ContractSection> sections;
    private final List<ContractReport> reports;

    /** A document of these sections, with a column for each report. */
    public ContractDocument(List<ContractSection> sections, List<ContractReport> reports) {
        this.sections = List.copyOf(sections);
        this.reports = List.copyOf(reports);
    }

    /** Cases that a report has no result for, or has one too many: then it is of another version. */
    public List<String> differences() {
        List<String> differences = new ArrayList<>();
        Set<String> wanted = sections.stream()
                .flatMap(section -> section.cases().stream())
                .flatMap(one -> one.variants().stream().map(variant -> one.id() + " " + variant.parameters()))
                .collect(Collectors.toCollection(TreeSet::new));
        for (ContractReport report : reports) {
            Set<String> there = report.results().stream()
                    .map(result -> result.id() + " " + result.parameters())
                    .collect(Collectors.toCollection(TreeSet::new));
            wanted.stream()
                    .filter(name -> !there.contains(name))
                    .forEach(name -> differences.add(report.provider() + " did not run " + name));
            there.stream()
                    .filter(name -> !wanted.contains(name))
                    .forEach(name -> differences.add(report.provider() + " ran " + name + ", which is gone"));
        }
        return differences;
    }

    /** The whole document. */
    public String text() {
        StringBuilder out = new StringBuilder("""
                # Conformance

                What every provider of the verbs API must do, case by case, and how each of ours does: `fabric`, the simulated network
                in virtual time, and `udp`, RoCEv2 over sockets. L is the completion of the requester, R that of the responder's
                receive, S is SUCCESS; a case with parameters runs once for each set of them. Over sockets a case that takes long is
                done on a smaller scale, which its line says. Which rules the tests besides prove is in [rules.md](rules.md).

                This file is generated; see [CONTRIBUTING.md](../CONTRIBUTING.md#conformancemd).

                """);
        appendTotals(out);
        for (ContractSection section : sections) {
            if (!section.cases().isEmpty()) {
                appendSection(out, section);
            }
        }
        appendFeatures(out);
        return out.toString();
    }

    private void appendTotals(StringBuilder out) {
        out.append("| section | cases |");
        reports.forEach(report -> out.append(' ').append(report.provider()).append(" |"));
        out.append("\n|---|---|").append("---|".repeat(reports.size())).append('\n');
        List<ContractCase> all = new ArrayList<>();
        for (ContractSection section : sections) {
            if (!section.cases().isEmpty()) {
                appendTotal(out, section.title(), section.cases());
                all.addAll(section.cases());
            }
        }
        appendTotal(out, "**all**", all);
    }

    private void appendTotal(StringBuilder out, String title, List<ContractCase> cases) {
        out.append("| ").append(title).append(" | ").append(cases.size()).append(" |");
        for (ContractReport report : reports) {
            long passed = count(report, cases, Outcome.PASSED);
            long excluded = count(report, cases, Outcome.EXCLUDED);
            long failed = count(report, cases, Outcome.FAILED);
            out.append(' ').append(passed).append(" passed");
            out.append(excluded == 0 ? "" : ", " + excluded + " excluded");
            out.append(failed == 0 ? "" : ", **" + failed + " failed**").append(" |");
        }
        out.append('\n');
    }

    private static long count(ContractReport report, List<ContractCase> cases, Outcome outcome) {
        return cases.stream().filter(one -> outcome(report, one) == outcome).count();
    }

    /** A case has failed that failed with any parameters. */
    private static Outcome outcome(ContractReport report, ContractCase one) {
        List<ContractResult> results = results(report, one);
        if (results.isEmpty() || results.stream().anyMatch(result -> result.outcome() == Outcome.FAILED)) {
            return Outcome.FAILED;
        }
        return results.get(0).outcome();
    }

    private static List<ContractResult> results(ContractReport report, ContractCase one) {
        return report.results().stream()
                .filter(result -> result.id().equals(one.id()))
                .toList();
    }

    private void appendSection(StringBuilder out, ContractSection section) {
        out.append("\n## ").append(section.title()).append("\n\n| case | expected | runs |");
        reports.forEach(report -> out.append(' ').append(report.provider()).append(" |"));
        out.append("\n|---|---|---|").append("---|".repeat(reports.size())).append('\n');
        for (ContractCase one : section.cases()) {
            out.append("| `").append(one.id()).append("` | ").append(one.expectation());
            out.append(" | ").append(one.variants().size()).append(" |");
            reports.forEach(report -> out.append(' ').append(cell(report, one)).append(" |"));
            out.append('\n');
        }
    }

    private static String cell(ContractReport report, ContractCase one) {
        List<ContractResult> results = results(report, one);
        String besides = results.stream()
                .flatMap(result ->
                        List.of(result.scale(), result.outcome() == Outcome.EXCLUDED ? result.reason() : "").stream())
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
        return switch (outcome(report, one)) {
            case PASSED -> besides.isEmpty() ? "passed" : "passed (" + besides + ")";
            case EXCLUDED -> "excluded: " + besides;
            case FAILED -> "**failed**";
        };
    }

    private void appendFeatures(StringBuilder out) {
        out.append(
                "\n## Features\n\nWhat a device must have not to be a toy, connection management apart, and what proves it.\n\n");
        out.append("| feature | cases |\n|---|---|\n");
        for (Feature feature : Feature.values()) {
            if (feature.tier() == 1) {
                out.append("| ").append(feature.words()).append(" | ");
                out.append(cases(feature)).append(" |\n");
            }
        }
    }

    private String cases(Feature feature) {
        String names = sections.stream()
                .flatMap(section -> section.cases().stream())
                .filter(one -> one.features().contains(feature))
                .map(one -> "`" + one.id() + "`")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    @Override
    public String toString() {
        return sections + " by "
                + Arrays.toString(reports.stream().map(ContractReport::provider).toArray());
    }
}
