package io.rdma4j.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdma4j.testkit.contract.ContractDocument;
import io.rdma4j.testkit.contract.ContractReport;
import io.rdma4j.testkit.contract.ContractSections;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * docs/conformance.md says what the reports of the contract say. It is here because this is the module that is built after
 * those that run the contract.
 */
class ContractDocumentTest {
    /** Give it to have the document written anew; see CONTRIBUTING.md. */
    private static final String UPDATE = "rdma4j.test.update-conformance";

    /** Given by CI: the contract has been run by the same build, and the document has to be up to date. */
    private static final String CHECK = "rdma4j.test.check-conformance";

    private static final Path ROOT = Path.of("..");
    private static final Path DOCUMENT = ROOT.resolve("docs").resolve("conformance.md");

    @Test
    void theDocumentSaysWhatTheReportsSay() throws IOException {
        assumeTrue(Boolean.getBoolean(UPDATE) || Boolean.getBoolean(CHECK), "only where both reports are new");
        ContractDocument document = new ContractDocument(
                ContractSections.all(), List.of(report("rdma-testkit", "fabric"), report("rdma-transport-udp", "udp")));
        assertThat(document.differences()).isEmpty();
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(DOCUMENT, document.text());
        }

        assertThat(Files.readString(DOCUMENT).replace("\r\n", "\n"))
                .as("CONTRIBUTING.md says how %s is written anew", DOCUMENT)
                .isEqualTo(document.text());
    }

    private static ContractReport report(String module, String provider) {
        Path file = ContractReport.file(ROOT.resolve(module), provider);
        assertThat(file).as("the contract has been run").exists();
        return ContractReport.read(provider, file);
    }
}
