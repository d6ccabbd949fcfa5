package io.rdma4j.tools.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PcapCommandTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("basedir", "."), "..", "rdma-core", "src", "test", "resources", "golden");
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int ETHERNET = 14;

    @TempDir
    private Path directory;

    static List<Path> capturesOfRightFrames() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files.filter(file -> file.toString().endsWith(".pcap"))
                    .filter(file -> !file.getFileName().toString().startsWith("bad_"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("capturesOfRightFrames")
    void findsNothingWrongInWhatLinuxSends(Path capture) {
        CommandRun run = CommandRun.of("pcap", "--check", "--quiet", capture.toString());

        assertThat(run.err()).contains("all parse, re-encode to the same bytes and have a right ICRC");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
    }

    @Test
    void printsOneLineAFrameWithItsHeaderFields() {
        CommandRun run = CommandRun.of("pcap", golden("rc_atomic"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(8);
        assertThat(run.lines().get(0))
                .startsWith("    1    0.000000 192.0.2.2:")
                .contains(" RC_CMP_SWAP ", " qpn=48 ", " psn=256 ", " pkey=0xffff ", " ok");
    }

    @Test
    void printsOneObjectALineAsJson() {
        CommandRun run = CommandRun.of("pcap", "--json", "--check", golden("rc_atomic"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines())
                .hasSize(8)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("{\"frame\":")
                        .contains("\"bth\":{", "\"icrc\":{", "\"ok\":true", "\"problems\":[]")
                        .endsWith("}"));
    }

    @Test
    void namesTheFramesThatAreWrong() {
        CommandRun run = CommandRun.of("pcap", "--check", golden("bad_icrc_host"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).containsPattern("frame \\d+: ICRC is 0x[0-9a-f]{8}, should be 0x[0-9a-f]{8}");
        assertThat(run.out()).contains("WRONG: ICRC is");
    }

    @Test
    void showsWrongFramesWithoutFailingUnlessAskedToCheck() {
        assertThat(CommandRun.of("pcap", golden("bad_icrc_host")).exitCode()).isZero();
    }

    @Test
    void namesTheOneFrameInWhichABitWasTurned() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(golden("rc_atomic")));
        bytes[bytes.length - 1] ^= 1;

        CommandRun run = CommandRun.of("pcap", "--check", "--quiet", write(bytes));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("frame 8: ICRC").doesNotContain("frame 7:");
    }

    @Test
    void failsTheCheckForAFrameThatIsNotRoceUnlessToldToSkipIt() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(golden("rc_atomic")));
        bytes[FILE_HEADER + RECORD_HEADER + ETHERNET - 1] = 6; // the first frame's EtherType becomes ARP

        CommandRun strict = CommandRun.of("pcap", "--check", "--quiet", write(bytes));
        CommandRun lenient = CommandRun.of("pcap", "--check", "--quiet", "--skip-others", write(bytes));

        assertThat(strict.exitCode()).isEqualTo(1);
        assertThat(strict.err()).contains("frame 1: not RoCEv2");
        assertThat(lenient.exitCode()).isZero();
        assertThat(lenient.err()).contains("7 RoCEv2 frames and 1 others");
    }

    @Test
    void recognisesRoceOnAnotherPortByItsIcrc() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(golden("rc_atomic")));
        // The last frame to port 4790: now its ICRC is wrong as well, so nothing tells that it is RoCEv2.
        int port = FILE_HEADER + RECORD_HEADER + ETHERNET + 20 + 2;
        bytes[port + 1]--;

        assertThat(CommandRun.of("pcap", "--check", "--quiet", write(bytes)).err())
                .contains("frame 1: not RoCEv2: UDP port 4790");
        assertThat(CommandRun.of("pcap", "--check", "--quiet", "--port", "4790", write(bytes))
                        .err())
                .contains("frame 1: ICRC is");
    }

    @Test
    void failsACheckOfNothing() throws IOException {
        byte[] header = java.util.Arrays.copyOf(Files.readAllBytes(Path.of(golden("rc_atomic"))), FILE_HEADER);

        CommandRun run = CommandRun.of("pcap", "--check", write(header));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("0 RoCEv2 frames");
    }

    @Test
    void saysInWordsWhyAFileCannotBeRead() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(golden("rc_atomic")));

        assertFails(write(java.util.Arrays.copyOf(whole, whole.length - 1)), "ends inside record 8");
        assertFails(write("no capture".getBytes(java.nio.charset.StandardCharsets.US_ASCII)), "not a pcap file");
        assertFails(directory.resolve("missing").toString(), "no such file");
        assertFails(directory.toString(), directory + ": a directory");
    }

    private static void assertFails(String file, String words) {
        CommandRun run = CommandRun.of("pcap", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("pcap: ").contains(words);
        assertThat(run.err().lines()).hasSize(1);
    }

    private static String golden(String name) {
        return GOLDEN.resolve(name + ".pcap").toString();
    }

    private String write(byte[] bytes) throws IOException {
        return Files.write(Files.createTempFile(directory, "capture", ".pcap"), bytes)
                .toString();
    }
}
