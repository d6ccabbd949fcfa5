package io.rdma4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples run, and stay short enough to be read in one go. */
@Timeout(60)
class ExamplesTest {
    private static final int MOST_LINES = 100;

    @TempDir
    private Path directory;

    @Test
    void pingPongRuns() {
        PingPong.main(new String[0]);
    }

    @Test
    void discoveryFindsBothMembers() {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            Discovery.main(new String[0]);
        } finally {
            System.setOut(console);
        }
        assertThat(printed.toString(UTF_8).lines())
                .hasSize(4)
                .filteredOn(line -> line.startsWith("asker hears"))
                .extracting(line -> line.substring(line.indexOf(": ")))
                .containsExactlyInAnyOrder(": it is blue", ": it is green");
    }

    @Test
    void writeAFileCopiesEveryByteAndReplacesALongerFile() throws IOException {
        byte[] bytes = new byte[1_000_003];
        new Random(1).nextBytes(bytes);
        Path source = Files.write(directory.resolve("source"), bytes);
        Path target = Files.write(directory.resolve("target"), new byte[2_000_000]);

        WriteAFile.main(new String[] {source.toString(), target.toString()});

        assertThat(target).hasBinaryContent(bytes);
    }

    @Test
    void examplesAreShort() throws IOException {
        Path sources = Path.of(System.getProperty("basedir", "."), "src", "main", "java");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> java =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(java).isNotEmpty();
            for (Path file : java) {
                assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThan(MOST_LINES);
            }
        }
    }
}
