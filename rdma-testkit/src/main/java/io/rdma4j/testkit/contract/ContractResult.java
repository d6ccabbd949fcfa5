package io.rdma4j.testkit.contract;

import java.util.List;

/**
 * How a case went with one set of parameters.
 *
 * @param id of the case
 * @param parameters in words, empty when there are none
 * @param outcome how it went
 * @param scale what the provider did less of than the case asks for, empty when nothing
 * @param reason why it was excluded or how it failed, else empty
 */
public record ContractResult(String id, String parameters, Outcome outcome, String scale, String reason) {
    /** How a case went. */
    public enum Outcome {
        PASSED,
        FAILED,
        EXCLUDED
    }

    /** One line of a report. */
    String line() {
        return String.join("\t", id, parameters, outcome.name(), flat(scale), flat(reason));
    }

    static ContractResult parse(String line) {
        List<String> cells = List.of(line.split("\t", -1));
        return new ContractResult(
                cells.get(0), cells.get(1), Outcome.valueOf(cells.get(2)), cells.get(3), cells.get(4));
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
