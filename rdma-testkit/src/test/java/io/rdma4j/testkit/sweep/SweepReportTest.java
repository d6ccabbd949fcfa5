package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.sweep.ConnectionPlan.CompletionQueues;
import io.rdma4j.testkit.sweep.ConnectionPlan.MemoryLayout;
import io.rdma4j.testkit.sweep.LanePlan.ReceivePolicy;
import io.rdma4j.testkit.sweep.Operation.Flags;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failed seed leaves behind, for whoever has to find out why. */
class SweepReportTest {
    private static final long SEED = 4711;

    @TempDir
    Path directory;

    @Test
    void failureNamesTheSeedAndThePlanAndLeavesCapturesAndTrace() throws Exception {
        SweepFailure failure = catchThrowableOfType(
                SweepFailure.class,
                () -> new Sweep(SweepKind.TRAFFIC, directory).run(new TrafficProgram(planThatCannotSucceed(), false)));

        assertThat(failure)
                .hasMessageContaining("seed " + SEED)
                .hasMessageContaining("REM_INV_REQ_ERR")
                .hasMessageContaining(directory
                        .resolve("sweep-traffic-" + SEED + "-sent.pcap")
                        .toString())
                .hasMessageContaining("MTU_1024");
        assertThat(Files.size(directory.resolve("sweep-traffic-" + SEED + "-sent.pcap")))
                .isGreaterThan(24);
        assertThat(Files.size(directory.resolve("sweep-traffic-" + SEED + "-arrived.pcap")))
                .isGreaterThan(24);
        assertThat(directory.resolve("sweep-traffic-" + SEED + ".trace"))
                .content()
                .contains("RC_SEND_ONLY");
    }

    /** The receive is one byte short. */
    private static SweepPlan planThatCannotSucceed() {
        Operation send = new SendMessage(new Flags(true, false), List.of(new Area(0, 10)), List.of(new Area(32, 9)));
        LanePlan there = new LanePlan(0, Side.A, List.of(send), new ReceivePolicy(1, 1, 0));
        LanePlan back = new LanePlan(0, Side.B, List.of(), new ReceivePolicy(1, 1, 0));
        ConnectionPlan connection = new ConnectionPlan(
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024),
                List.of(1, 2),
                4,
                CompletionQueues.ONE_FOR_ALL,
                MemoryLayout.DEVICE_CHOOSES,
                false);
        FabricOptions clean = FabricOptions.clean();
        NetworkPlan network = new NetworkPlan(clean, clean, 0, 0, 0, 1_000_000);
        return new SweepPlan(SEED, network, connection, List.of(there, back), List.of(64, 64), 0);
    }
}
