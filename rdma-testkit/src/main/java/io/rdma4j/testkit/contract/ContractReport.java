package io.rdma4j.testkit.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of one run of the contract.
 *
 * @param provider what ran it
 * @param results in the order of the cases
 */
public record ContractReport(String provider, List<ContractResult> results) {
    private static final String HEAD = "identifier\tparameters\tresult\tscale\treason";

    /** Where the report of a provider lies that was run in a module. */
    public static Path file(Path module, String provider) {
        return module.resolve("target").resolve("contract").resolve(provider + ".tsv");
    }

    /** Reads a report. */
    public static ContractReport read(String provider, Path file) {
        try {
            List<ContractResult> results = Files.readAllLines(file).stream()
                    .skip(1)
                    .map(ContractResult::parse)
                    .toList();
            return new ContractReport(provider, results);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(Path file) {
        List<String> lines = new ArrayList<>();
        lines.add(HEAD);
        results.forEach(result -> lines.add(result.line()));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
