package io.rdma4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends in this JVM, on two devices that find each other over real TCP and UDP. */
@Timeout(120)
class RcPingpongCommandTest {
    private static final String DEVICE = "udp://127.0.0.1?port=0";
    private static final String ADDRESS =
            "LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID fd72:646d:6134:6a04:[0-9a-f]+:0:7f00:1";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 50",
                "-n 50 -e",
                "-n 20 -s 100000 -m 4096 -c",
                "-n 30 -s 1 -r 1",
                "-n 30 -s 1025 -m 256 -r 3 -c -e",
                "-n 5 -l 3 -i 1 -g 1"
            })
    void bothEndsFinishAndReportAsTheCToolDoes(String options) throws IOException {
        int iterations = Integer.parseInt(options.split(" ")[1]);

        CommandRun[] runs = run(options.split(" "), options.split(" "));

        for (CommandRun run : runs) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.lines()).hasSize(4);
            assertThat(run.lines().get(0)).matches("  local address:  " + ADDRESS);
            assertThat(run.lines().get(1)).matches("  remote address: " + ADDRESS);
            assertThat(run.lines().get(2)).matches("\\d+ bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec");
            assertThat(run.lines().get(3))
                    .matches(iterations + " iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter");
        }
        assertThat(address(runs[0], 0)).isEqualTo(address(runs[1], 1));
        assertThat(address(runs[1], 0)).isEqualTo(address(runs[0], 1));
    }

    @Test
    void countsBytesOfBothDirections() throws IOException {
        String[] options = {"-n", "10", "-s", "1500"};

        assertThat(run(options, options)[1].out()).contains("\n30000 bytes in ");
    }

    @Test
    void tellsWhatMayBeWrongWhenTheEndsDisagree() throws IOException {
        String[] server = {"-n", "5", "-s", "100"};
        String[] client = {"-n", "5", "-s", "200"};

        CommandRun[] runs = run(server, client);

        for (CommandRun run : runs) {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("IBV_WC_", "do both ends use the same --mtu and --size?");
        }
    }

    @Test
    void remarksOnAGidIndexThatTheDeviceDoesNotHave() throws IOException {
        String[] plain = {"-n", "1"};
        String[] indexed = {"-n", "1", "-g", "7"};

        CommandRun[] runs = run(plain, indexed);

        assertThat(runs[0].err()).isEmpty();
        assertThat(runs[1].err()).contains("has no GID 7");
        assertThat(runs[1].exitCode()).isZero();
    }

    @Test
    void refusesAnotherPortOfTheDevice() {
        CommandRun run = CommandRun.of("rc-pingpong", "-d", DEVICE, "-i", "2");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("--ib-port 2").contains("one port");
    }

    private static String address(CommandRun run, int line) {
        return run.lines().get(line).substring("  local address:  ".length());
    }

    /** Runs a server and, when it listens, a client; gives both. */
    private static CommandRun[] run(String[] serverOptions, String[] clientOptions) throws IOException {
        String port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = Integer.toString(free.getLocalPort());
        }
        CountDownLatch listening = new CountDownLatch(1);
        CompletableFuture<CommandRun> server = CompletableFuture.supplyAsync(
                () -> CommandRun.watched(listening, "local address", arguments(port, serverOptions)));
        server.whenComplete((run, failure) -> listening.countDown()); // so that a server that fails is not waited for
        try {
            listening.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        CommandRun client = CommandRun.of(arguments(port, clientOptions, "localhost"));
        return new CommandRun[] {server.join(), client};
    }

    private static String[] arguments(String port, String[] options, String... host) {
        return Stream.of(new String[] {"rc-pingpong", "-d", DEVICE, "-p", port}, options, host)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }
}
