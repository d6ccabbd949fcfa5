package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.tape.Wire;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.SendRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Queue pairs that do nothing cost the others nothing. */
class IdleQueuePairsTest {
    private static final int IDLE = 10_000;
    private static final int ROUNDS = 15;
    private static final int WRITES = 2_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** A wire whose sides have so many idle queue pairs besides those that it uses. */
    private static Wire wire(int idle) {
        Wire wire = new Wire();
        TapeSetup setup = new TapeSetup();
        for (Wire.Side side : new Wire.Side[] {wire.a, wire.b}) {
            for (int i = 0; i < idle; i++) {
                QueuePair qp = side.qp
                        .protectionDomain()
                        .createQueuePair(QueuePairConfig.reliable(side.completions)
                                .maxSendWorkRequests(1)
                                .maxReceiveWorkRequests(1));
                setup.connect(qp);
            }
        }
        return wire;
    }

    private static SendRequest write(Wire wire) {
        return RdmaWrite.of(1, wire.a.region.slice(0, 64))
                .to(wire.b.region.address(), wire.b.region.remoteKey())
                .signaled();
    }

    /** Processor time of this thread, which other work on the machine does not stretch. */
    private long nanos(Wire wire, SendRequest request) {
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < WRITES; i++) {
            wire.a.qp.postSend(request);
            while (wire.a.poll() == 0) {
                wire.exchange();
            }
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    @Test
    @DisplayName(
            "a packet costs the same beside 10,000 idle queue pairs: a look at each would cost a hundred times as much")
    void workDoesNotGrow() {
        Wire alone = wire(0);
        Wire crowd = wire(IDLE);
        SendRequest fromAlone = write(alone);
        SendRequest fromCrowd = write(crowd);
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long one = nanos(alone, fromAlone);
            ratios[round] = (double) nanos(crowd, fromCrowd) / one;
        }
        Arrays.sort(ratios);
        assertThat(ratios[ROUNDS / 2])
                .as("median of %s", Arrays.toString(ratios))
                .isLessThan(4);
        alone.close();
        crowd.close();
    }
}
