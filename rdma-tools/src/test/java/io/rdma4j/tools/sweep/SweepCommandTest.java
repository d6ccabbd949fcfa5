package io.rdma4j.tools.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import io.rdma4j.tools.Rdma4j;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
    @TempDir
    private Path directory;

    @Test
    void runsSeedsOnSeveralThreadsAndTellsTheTotals() {
        CommandRun run = sweep("--from", "1", "--count", "4", "--threads", "2");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(run.out())
                .startsWith("Seeds 1 to 4 (traffic")
                .contains("  seeds: 25% of 4", "  seeds: 75% of 4", "4 passed, 0 failed in ")
                .containsPattern("traffic +4 +0 .*\\Rmodel +4 +0 ");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void printsOneJsonObjectWithTheCounts() {
        CommandRun run = sweep("--count", "2", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(1);
        assertThat(run.out())
                .startsWith("{\"passed\":2,\"failed\":0,\"requested\":2,\"complete\":true,")
                .contains("\"failures\":[]");
    }

    @Test
    void aFailedSeedPrintsItselfItsFaultsAndItsCapture() {
        CommandRun run = sweep("--from", "5", "--count", "2", "--kind", "traffic", "--spoil", "6");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("traffic seed 6: FAILED", "problem:  memory of B at the end")
                .containsPattern("loss\\s+0\\.\\d+, ") // the text is wrapped, wherever that falls
                .contains("rdma4j sweep --kind traffic --replay 6")
                .contains("Failed: 6", "1 passed, 1 failed in ")
                .contains(directory.resolve("sweep-traffic-6-sent.pcap").toString());
        assertThat(directory.resolve("sweep-traffic-6-sent.pcap")).isNotEmptyFile();
    }

    @Test
    void aFailedSeedIsInTheJsonWithItsFaultsAndItsCapture() {
        CommandRun run = sweep("--from", "5", "--count", "2", "--kind", "traffic", "--spoil", "6", "--json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("{\"passed\":1,\"failed\":1,")
                .contains("\"failures\":[{\"kind\":\"traffic\",\"seed\":6,\"passed\":false,\"problem\":\"memory of B")
                .contains(
                        "\"faults\":\"network from A: delay ",
                        "\"pcap\":\"" + directory.resolve("sweep-traffic-6-sent.pcap"));
    }

    @Test
    void aReplayGivesTheSameOutputAndTheSameFilesEachTimeAndWhatTheFailingRunRecorded() throws IOException {
        sweep("--from", "6", "--count", "1", "--kind", "traffic", "--spoil", "6");
        List<byte[]> recorded = files();

        CommandRun first = sweep("--replay", "6", "--kind", "traffic", "--spoil", "6");
        assertThat(files()).usingRecursiveComparison().isEqualTo(recorded);
        CommandRun second = sweep("--replay", "6", "--kind", "traffic", "--spoil", "6");

        assertThat(files()).usingRecursiveComparison().isEqualTo(recorded);
        assertThat(second).isEqualTo(first);
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.out()).contains("traffic seed 6: FAILED", "trace: ").containsPattern("hash: +[0-9a-f]{16}");
    }

    @Test
    void theCaptureOfAReplayIsRight() {
        CommandRun run = sweep("--replay", "7", "--kind", "traffic", "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("{\"seed\":7,\"passed\":true,\"runs\":[{\"kind\":\"traffic\"");
        Path capture = directory.resolve("sweep-traffic-7-sent.pcap");
        assertThat(CommandRun.of("pcap", "--check", "--quiet", capture.toString())
                        .exitCode())
                .isZero();
    }

    /** SIGTERM and Ctrl-C are alike to a JVM; Windows ends a process without asking it. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void stoppedFromOutsideItStillTellsWhatWasDone() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Rdma4j.class.getName(),
                        "sweep",
                        "--count=1000000",
                        "--reports=" + directory)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).startsWith("Seeds 1 to 1,000,000");
            process.toHandle().destroy(); // unlike Process.destroy it leaves the streams open
            assertThat(out.lines())
                    .anyMatch(line -> line.startsWith("Stopped after "))
                    .anyMatch(line -> line.contains(" passed, 0 failed in "));
        }
        assertThat(process.onExit().join().exitValue()).isNotZero();
    }

    private CommandRun sweep(String... arguments) {
        String[] all = Stream.concat(Stream.of("sweep", "--reports", directory.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        return CommandRun.of(all);
    }

    private List<byte[]> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().map(SweepCommandTest::bytes).toList();
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
