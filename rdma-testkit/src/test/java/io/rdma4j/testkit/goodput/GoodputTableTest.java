package io.rdma4j.testkit.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.goodput.GoodputCase.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goodput and retransmissions as a reviewed text: a change of the engine that costs speed shows as a changed line. To take
 * over new numbers, after a look at them:
 *
 * <pre>mvn -q -o -Dquick -pl rdma-testkit -am -Dtest=GoodputTableTest -Dupdate-golden -Dsurefire.failIfNoSpecifiedTests=false test</pre>
 */
class GoodputTableTest {
    private static final Path TABLE = Path.of("src", "test", "resources", "golden", "goodput.txt");
    private static final long NANOS = 300_000_000L;
    private static final double[] LOSSES = {0, 0.001, 0.01, 0.05, 0.2};
    private static final int[] WINDOWS = {64 << 10, 1 << 20};
    private static final int[] QUEUES = {8, 32, 128, 0};
    private static final long[] BANDWIDTHS = {100_000_000L, 1_000_000_000L, 10_000_000_000L};
    private static final String TITLE = """
            # Goodput in virtual time: 64 KiB messages, 16 posted on each queue pair, MTU 4096, 20 us each way, timeout 12
            # (17 ms), 300 ms. window: KiB under way to a peer at first; queue: frames before the bandwidth, "-" endless;
            # %%cap: goodput by what the bandwidth carries of payload; resent: part of all frames sent.
            # GoodputTableTest compares this file with what the engine does and says how to take over new numbers.
            %-5s %4s %6s %6s %5s %6s | %9s %5s %7s %8s %6s
            """;

    @Test
    @DisplayName("§6.3: goodput and retransmissions by loss, window, bandwidth and queue are as reviewed")
    void theTableIsAsReviewed() throws IOException {
        String measured = header()
                + cases().stream().map(c -> line(GoodputRun.run(c, NANOS))).collect(Collectors.joining());
        if (System.getProperty("update-golden") != null) {
            Files.writeString(TABLE, measured);
        }

        assertThat(measured)
                .as(
                        "goodput changed; see %s for how to take over new numbers",
                        getClass().getName())
                .isEqualTo(Files.readString(TABLE));
    }

    private static List<GoodputCase> cases() {
        List<GoodputCase> cases = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            for (int window : WINDOWS) {
                for (double loss : LOSSES) {
                    cases.add(GoodputCase.of(operation).window(window).loss(loss));
                }
            }
            for (long bandwidth : BANDWIDTHS) {
                for (int queue : QUEUES) {
                    cases.add(GoodputCase.of(operation).bandwidth(bandwidth).queue(queue));
                }
            }
            for (int queue : QUEUES) {
                cases.add(GoodputCase.of(operation).queuePairs(8).queue(queue).loss(0.001));
            }
        }
        return cases;
    }

    private static String header() {
        return String.format(
                Locale.ROOT,
                TITLE,
                "op",
                "QPs",
                "window",
                "Mbit/s",
                "queue",
                "loss%",
                "Mbit/s",
                "%cap",
                "resent%",
                "timeouts",
                "failed");
    }

    private static String line(Goodput goodput) {
        GoodputCase from = goodput.goodputCase();
        int queue = from.network().queueFrames();
        return String.format(
                Locale.ROOT,
                "%-5s %4d %6d %6d %5s %6.1f | %9.1f %5.1f %7.2f %8d %6d\n",
                from.operation(),
                from.queuePairs(),
                from.windowBytes() >> 10,
                from.network().bitsPerSecond() / 1_000_000,
                queue == 0 ? "-" : String.valueOf(queue),
                from.network().loss() * 100,
                goodput.bitsPerSecond() / 1e6,
                goodput.percent(),
                goodput.retransmittedPercent(),
                goodput.timeouts(),
                goodput.failures());
    }
}
