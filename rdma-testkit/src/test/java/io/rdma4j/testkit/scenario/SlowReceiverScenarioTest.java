package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.scenario.SlowReceiver.Capacity;
import io.rdma4j.testkit.scenario.SlowReceiver.Work;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The budget's law against a receiver that is slower than its senders (§6.1(8), ADR 0006). */
class SlowReceiverScenarioTest {
    private static final int MTU = 4096;
    private static final int FRAME_HEADERS = 60;

    /** What Linux gives a socket that asks for more than its default limit: 51 datagrams of 4 KiB. */
    private static final Capacity SMALL_BUFFER = new Capacity(1_000_000_000L, 212_992, 20_000);

    @ParameterizedTest(name = "{0} on {1} queue pairs")
    @DisplayName(
            "§6.1(8): a slow receiver with a small buffer takes more than 70 % of its capacity, from the first packet on")
    @CsvSource({
        "SEND, 1",
        "SEND, 8",
        "SEND, 64",
        "WRITE, 1",
        "WRITE, 8",
        "WRITE, 64",
        "READ, 1",
        "READ, 8",
    })
    void slowReceiverIsKeptBusy(Work work, int queuePairs) {
        assertThat(shareAfterLosses(work, queuePairs)).isGreaterThan(0.7);
    }

    @Test
    @DisplayName("§6.1(8): READ on 64 queue pairs, whose repetitions each come as one burst, keeps 40 % at least")
    void readOnManyQueuePairs() {
        assertThat(shareAfterLosses(Work.READ, 64)).isGreaterThan(0.4);
    }

    private static double shareAfterLosses(Work work, int queuePairs) {
        long ns = 500_000_000L;
        ConnectOptions options = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096);
        try (SlowReceiver run = new SlowReceiver(work, queuePairs, SMALL_BUFFER, options)) {
            run.start();
            run.run(ns);
            assertThat(run.failure).isEmpty();
            assertThat(run.a.counter("retransmitted_packets"))
                    .as("something was lost")
                    .isPositive();
            return share(run, ns);
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("§6.1(8): queue pairs share what a slow receiver takes")
    @CsvSource({"SEND", "WRITE", "READ"})
    void sharesAreFair(Work work) {
        ConnectOptions options = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096);
        try (SlowReceiver run = new SlowReceiver(work, 8, SMALL_BUFFER, options)) {
            run.start();
            run.run(500_000_000L);
            long least = Collections.min(run.goodBytesByQueuePair());
            long most = Collections.max(run.goodBytesByQueuePair());
            assertThat(least).as("of %d at most", most).isGreaterThan(most / 3);
        }
    }

    /** What came through of what could have, payload against payload. */
    private static double share(SlowReceiver run, long ns) {
        double possible = SMALL_BUFFER.bitsPerSecond() / 8.0 * ns / 1e9 * MTU / (MTU + FRAME_HEADERS);
        return run.goodBytes() / possible;
    }
}
