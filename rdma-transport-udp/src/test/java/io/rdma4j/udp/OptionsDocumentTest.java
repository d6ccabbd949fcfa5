package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/options.md lists the options there are: one that is not written down might as well not exist. */
class OptionsDocumentTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z]+)` \\|", Pattern.MULTILINE);

    @Test
    void everyOptionIsDocumentedAndNoOther() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "options.md"));

        Set<String> documented =
                ROW.matcher(text).results().map(row -> row.group(1)).collect(Collectors.toSet());

        assertThat(documented).isEqualTo(UdpOptions.NAMES);
    }
}
