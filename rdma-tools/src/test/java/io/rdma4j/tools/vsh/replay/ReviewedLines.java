package io.rdma4j.tools.vsh.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Tables in text files that people review: a row a line, columns between bars, comments behind {@code #}. */
final class ReviewedLines {
    private ReviewedLines() {}

    static List<List<String>> read(String file, int columns) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ReviewedLines.class.getResourceAsStream("/vsh/" + file), file),
                StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> row(file, line, columns))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> row(String file, String line, int columns) {
        List<String> row =
                Arrays.stream(line.split(" \\| ", columns)).map(String::strip).toList();
        if (row.size() != columns) {
            throw new AssertionError(file + ": " + columns + " columns expected: " + line);
        }
        return row;
    }
}
