package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.tape.OwnerThread;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that post while the queue pair turns to ERR. */
@Timeout(60)
class PostAgainstErrorTest {
    private static final int ROUNDS = 300;
    private static final int POSTERS = 2;
    private static final int REQUESTS = 40;
    private static final int ENTRIES = 256;

    private final OwnerThread owner = new OwnerThread();
    private final DeviceEngine engine = new DeviceEngine(
            new EngineConfig(Tape.HERE, Gid.ROCE_PORT, PathMtu.MTU_4096, 4 << 20, new Random(1), IcrcPolicy.STRICT),
            owner::wake);
    private final ExecutorService posters = Executors.newFixedThreadPool(2 * POSTERS);
    private final CyclicBarrier start = new CyclicBarrier(2 * POSTERS + 1);

    @Test
    @DisplayName("§8.5(2): each request that was accepted completes exactly once, in order, whenever the error comes")
    void exactlyOneCompletion() throws Exception {
        owner.start(engine, new BlackHole());
        SoftDevice device = new SoftDevice("stress", engine, owner);
        var domain = device.allocateProtectionDomain();
        CompletionQueue sends = device.createCompletionQueue(ENTRIES);
        CompletionQueue receives = device.createCompletionQueue(ENTRIES);
        QueuePair qp = domain.createQueuePair(QueuePairConfig.reliable(sends, receives));
        int early = 0;
        for (int round = 0; round < ROUNDS; round++) {
            new TapeSetup().connect(qp);
            early += failWhilePosting(qp, round);
            assertEachOnce(sends);
            assertEachOnce(receives);
            qp.modify(state(QueuePairState.RESET));
        }
        // Else all that was posted came before the error, or all after it.
        assertThat(early).as("requests posted before the error").isBetween(1, ROUNDS * 2 * POSTERS * REQUESTS - 1);
        posters.shutdown();
        device.close();
    }

    private static QueuePairAttributes state(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }

    /** Gives how many requests were posted when the queue pair was not yet in ERR. */
    private int failWhilePosting(QueuePair qp, int round) throws Exception {
        List<Future<Integer>> running = new ArrayList<>();
        for (int poster = 0; poster < POSTERS; poster++) {
            int first = poster * REQUESTS;
            running.add(posters.submit(poster(qp, first, id -> qp.postSend(Send.of(id)))));
            running.add(posters.submit(poster(qp, first, id -> qp.postReceive(ReceiveRequest.of(id)))));
        }
        start.await();
        for (int i = 0; i < round * 20; i++) {
            Thread.onSpinWait();
        }
        qp.modify(state(QueuePairState.ERR));
        int early = 0;
        for (Future<Integer> each : running) {
            early += each.get();
        }
        owner.call(() -> this); // whatever rang before has been answered now
        return early;
    }

    @FunctionalInterface
    private interface Post {
        void post(long id);
    }

    private Callable<Integer> poster(QueuePair qp, int first, Post how) {
        return () -> {
            int early = 0;
            start.await();
            for (int i = 0; i < REQUESTS; i++) {
                how.post(first + i);
                early += qp.state() == QueuePairState.ERR ? 0 : 1;
            }
            return early;
        };
    }

    /** Every id of every poster, once; those of one poster in the order in which it posted them. */
    private static void assertEachOnce(CompletionQueue queue) {
        WorkCompletion[] one = WorkCompletion.array(1);
        int[] next = new int[POSTERS];
        while (queue.poll(one) == 1) {
            assertThat(one[0].status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            int poster = (int) one[0].workRequestId() / REQUESTS;
            assertThat(one[0].workRequestId()).isEqualTo((long) poster * REQUESTS + next[poster]++);
        }
        assertThat(next).containsOnly(REQUESTS);
    }

    /** Takes everything and answers nothing. */
    private static final class BlackHole implements Egress {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(8192);

        @Override
        public boolean claim(Path path, int length) {
            return true;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public void commit() {}

        @Override
        public void cancel() {}
    }
}
