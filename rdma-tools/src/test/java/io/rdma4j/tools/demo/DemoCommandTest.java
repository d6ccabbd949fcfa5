package io.rdma4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo, second JVM and all, on ports that nobody else uses. */
@Timeout(180)
class DemoCommandTest {
    private static final String DEVICE = "udp://127.0.0.1?port=0";

    @TempDir
    private Path directory;

    @Test
    void verifiesEverythingShowsItInATableAndLeavesNoProcessBehind() {
        Path capture = directory.resolve("demo.pcap");

        CommandRun run = CommandRun.of("demo", "-d", DEVICE, "--pcap", capture.toString());

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "SEND/RECV greeting",
                        "RDMA WRITE 64 MiB",
                        "RDMA READ 64 MiB",
                        "1,000 atomic increments",
                        "IBV_WC_REM_ACCESS_ERR",
                        "Everything was verified.")
                .doesNotContain("FAILED");
        assertThat(tableOf(run)).hasSize(5);
        assertThat(run.lines())
                .filteredOn(line -> !line.contains(capture.toString()))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(CommandRun.of("pcap", "--check", "--quiet", capture.toString())
                        .err())
                .contains("100 RoCEv2 frames: all parse");
        assertThat(peerOf(run).map(ProcessHandle::isAlive)).isNotEqualTo(Optional.of(true));
    }

    @Test
    void takesNoOtherAddressThanTheOneNamedForThePeer() {
        CommandRun run = CommandRun.of(
                "demo",
                "-d",
                DEVICE,
                "--peer",
                "udp://192.0.2.77",
                "--pcap",
                directory.resolve("none.pcap").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("EADDRNOTAVAIL", "192.0.2.77");
    }

    @Test
    void failsInWordsWhenThePeerHasNoDevice() {
        CommandRun run = CommandRun.of(
                "demo",
                "-d",
                DEVICE,
                "--peer",
                "nothing://here",
                "--pcap",
                directory.resolve("none.pcap").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("demo: the peer process failed: ").contains("nothing");
    }

    @Test
    void failsInWordsWhenTheCaptureCannotBeWritten() {
        Path nowhere = directory.resolve("missing").resolve("demo.pcap");

        CommandRun run = CommandRun.of("demo", "-d", DEVICE, "--pcap", nowhere.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("demo: ").contains(nowhere.toString());
    }

    @Test
    void aFailureIsAnObjectToo() {
        CommandRun run = CommandRun.of("demo", "--json", "-d", "nothing://here");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.lines()).singleElement().asString().startsWith("{\"verified\":false,\"error\":\"EINVAL: ");
        assertThat(run.err()).startsWith("demo: EINVAL: ");
    }

    private static List<String> tableOf(CommandRun run) {
        return run.lines().stream()
                .dropWhile(line -> !line.startsWith("step "))
                .takeWhile(line -> !line.isEmpty())
                .toList();
    }

    private static Optional<ProcessHandle> peerOf(CommandRun run) {
        Matcher matcher = Pattern.compile("the peer +pid (\\d+)").matcher(run.out());
        assertThat(matcher.find()).isTrue();
        return ProcessHandle.of(Long.parseLong(matcher.group(1)));
    }
}
