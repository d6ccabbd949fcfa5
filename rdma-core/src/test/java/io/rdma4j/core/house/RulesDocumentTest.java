package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.house.TestNames.TestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/rules.md says which test proves which rule; it is made from the names of the tests, so it stays true. */
class RulesDocumentTest {
    /** Give it to have the document written anew; see CONTRIBUTING.md. */
    private static final String UPDATE = "rdma4j.test.update-rules";

    /** Given by CI: the document has to be up to date, too. */
    private static final String CHECK = "rdma4j.test.check-rules";

    private static final Pattern REFERENCE = Pattern.compile("`([A-Z][A-Za-z0-9.]*#[A-Za-z0-9]+)`");

    private final List<TestName> tests = TestNames.all();
    private final Path file = SourceTree.root().resolve("docs/rules.md");

    @Test
    void everyRuleHasATestAndEverySituationATestOrAReason() throws IOException {
        RulesDocument document = new RulesDocument(tests);
        String text = document.text();
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(file, text);
        }

        assertThat(document.rulesWithoutTest()).as("rules that no test proves").isEmpty();
        assertThat(document.unknownBugs())
                .as("bug/N that bugs.txt does not know")
                .isEmpty();
        assertThat(document.bugsWithoutTest())
                .as("situations without a test, and without a reason in bugs.txt")
                .isEmpty();
    }

    /**
     * What it names exists, but for the few that were renamed since it was written. That it is up to date is left to CI:
     * while several people add tests, a document that lags behind for a day harms nobody.
     */
    @Test
    void theDocumentNamesTestsThatExist() throws IOException {
        Set<String> existing = tests.stream().map(TestName::reference).collect(Collectors.toSet());
        String text = Files.readString(file).replace("\r\n", "\n");
        List<String> named =
                REFERENCE.matcher(text).results().map(result -> result.group(1)).toList();

        assertThat(named).hasSizeGreaterThan(100);
        assertThat(named.stream().filter(existing::contains).count() * 10)
                .as("at least nine of ten")
                .isGreaterThan(named.size() * 9L);
        if (Boolean.getBoolean(CHECK)) {
            assertThat(text)
                    .as("the names of tests have changed; CONTRIBUTING.md says how %s is written anew", file)
                    .isEqualTo(new RulesDocument(tests).text());
        }
    }

    @Test
    void findsTestsWithTheirNames() {
        assertThat(tests)
                .anySatisfy(
                        test -> assertThat(test.reference()).isEqualTo("RulesDocumentTest#findsTestsWithTheirNames"));
        assertThat(new TestName("T", "m", "§7.2(3), §5: bug/18: words").sections())
                .containsExactly("7.2(3)", "5");
    }
}
