package io.rdma4j.testkit.contract;

import io.rdma4j.testkit.contract.ContractCase.Variant;
import io.rdma4j.testkit.contract.ContractResult.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of every provider: a test for each case of {@link ContractSections}.
 *
 * <pre>{@code
 * class MyProviderContractTest extends VerbsContract {
 *     protected ContractBed bed() {
 *         return new RealTimeBed("mine", index -> RdmaDevices.open("mine://" + index));
 *     }
 * }
 * }</pre>
 *
 * <p>A case whose need the bed lacks is skipped, with the bed's reason. A run leaves {@code target/contract/PROVIDER.tsv};
 * {@code -Drdma4j.test.contract=rc/Send} runs only cases whose identifier begins so, and leaves no report.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class VerbsContract {
    /** Beginning of the identifiers to run. */
    private static final String ONLY = System.getProperty("rdma4j.test.contract", "");

    private final List<ContractResult> results = new ArrayList<>();
    private String provider = "";

    /** For subclasses. */
    protected VerbsContract() {}

    /** A bed for one case; it is closed after it. */
    protected abstract ContractBed bed();

    /** Which cases to run: all there are. */
    protected List<ContractSection> sections() {
        return ContractSections.all();
    }

    /** The tests, in a container for each section. */
    @TestFactory
    Stream<DynamicNode> contract() {
        return sections().stream().map(this::container);
    }

    private DynamicNode container(ContractSection section) {
        return DynamicContainer.dynamicContainer(
                section.title(),
                section.cases().stream()
                        .filter(one -> one.id().startsWith(ONLY))
                        .flatMap(one -> one.variants().stream().map(variant -> test(one, variant))));
    }

    private DynamicTest test(ContractCase one, Variant variant) {
        String parameters = variant.parameters().isEmpty() ? "" : " [" + variant.parameters() + "]";
        return DynamicTest.dynamicTest(one.id() + parameters + ": " + one.expectation(), () -> run(one, variant));
    }

    private void run(ContractCase one, Variant variant) {
        ContractBed bed = bed();
        provider = bed.provider();
        Optional<String> lack = lack(bed, one);
        if (lack.isPresent()) {
            bed.close();
            add(one, variant, Outcome.EXCLUDED, "", lack.get());
            Assumptions.abort(lack.get());
        }
        try {
            bed.perform(variant.body());
        } catch (Throwable e) {
            add(one, variant, Outcome.FAILED, bed.scale(), String.valueOf(e.getMessage()));
            throw e;
        }
        add(one, variant, Outcome.PASSED, bed.scale(), "");
    }

    private static Optional<String> lack(ContractBed bed, ContractCase one) {
        return one.needs().stream()
                .flatMap(need -> bed.reasonAgainst(need).stream())
                .findFirst();
    }

    private void add(ContractCase one, Variant variant, Outcome outcome, String scale, String reason) {
        results.add(new ContractResult(one.id(), variant.parameters(), outcome, scale, reason));
    }

    /** Leaves the report in the module's target directory. */
    @AfterAll
    void writeReport() {
        if (ONLY.isEmpty() && !results.isEmpty()) {
            new ContractReport(provider, results).write(ContractReport.file(Path.of(""), provider));
        }
    }
}
