package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link from one document of the repository to another leads somewhere. */
class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

    @Test
    void noLinkIsBroken() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
                    broken.add(SourceTree.root().relativize(document) + " -> " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** The Markdown files at the root and under docs. */
    private static List<Path> documents() throws IOException {
        Path root = SourceTree.root();
        try (Stream<Path> atRoot = Files.list(root);
                Stream<Path> inDocs = Files.walk(root.resolve("docs"))) {
            List<Path> documents = Stream.concat(atRoot, inDocs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            assertThat(documents).hasSizeGreaterThan(5);
            return documents;
        }
    }
}
