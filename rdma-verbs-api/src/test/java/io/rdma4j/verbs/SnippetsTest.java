package io.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every snippet of the Javadoc stands in {@link Snippets}, where the compiler reads it. */
class SnippetsTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Path COMPILED = Path.of("src/test/java/io/rdma4j/verbs/Snippets.java");
    private static final Pattern SNIPPET =
            Pattern.compile("<pre>\\{@code$(.*?)^ *\\* *}</pre>", Pattern.DOTALL | Pattern.MULTILINE);

    @Test
    void everySnippetIsCompiled() throws IOException {
        String compiled = dense(Files.readString(COMPILED));
        List<String> snippets = snippets();

        assertThat(snippets).hasSizeGreaterThan(8).allMatch(snippet -> compiled.contains(dense(snippet)));
    }

    @Test
    void theTypesUsersMeetFirstHaveASnippet() throws IOException {
        for (String type : List.of("RdmaDevices", "CompletionQueue", "MemoryRegion", "SendRequest", "WorkCompletion")) {
            assertThat(Files.readString(MAIN.resolve("io/rdma4j/verbs/" + type + ".java")))
                    .as(type)
                    .containsPattern(SNIPPET);
        }
    }

    private static List<String> snippets() throws IOException {
        try (Stream<Path> files = Files.walk(MAIN)) {
            return files.filter(Files::isRegularFile)
                    .flatMap(file -> SNIPPET.matcher(read(file)).results())
                    .map((MatchResult found) -> found.group(1).replaceAll("(?m)^ *\\* ?", ""))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    private static String dense(String code) {
        return code.replaceAll("\\s+", "");
    }
}
