package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §10: completion queues as the API shows them: sizes, overrun, and who does the work. */
class CompletionQueueTest {
    private static final int MAX_ENTRIES = 1 << 20;
    private static final int MAX_REQUESTS = 16_384;

    private static final TapeSetup SETUP = new TapeSetup();

    private final Tape tape = new Tape();
    private final CompletionChannel channel = tape.device.createCompletionChannel();
    private final CompletionQueue queue = tape.device.createCompletionQueue(2, channel);
    private final QueuePair failed = failed(QueuePairConfig.reliable(queue));

    @AfterEach
    void close() {
        failed.close();
        queue.close();
        channel.close();
        tape.close();
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(words);
    }

    /** So many completions: receives of a queue pair in ERR are flushed at once. */
    private void complete(int count) {
        for (int i = 0; i < count; i++) {
            failed.postReceive(ReceiveRequest.of(i));
            tape.run();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, MAX_ENTRIES + 1, Integer.MAX_VALUE})
    @DisplayName("§10: a size outside 1..max_cqe is EINVAL, and the queue is as it was")
    void resizeOutOfRange(int capacity) {
        complete(1);
        refused(ErrorCode.EINVAL, () -> queue.resize(capacity), "ibv_resize_cq", "" + capacity, "1..1048576");
        assertThat(queue.capacity()).isEqualTo(2);
        assertThat(queue.poll(WorkCompletion.array(4))).isEqualTo(1);
    }

    @Test
    @DisplayName("§10: resize: up, down to what waits, not below, and the bound is the new one")
    void resize() {
        complete(2);
        queue.resize(3);
        complete(1);
        queue.resize(MAX_ENTRIES);
        assertThat(queue.capacity()).isEqualTo(MAX_ENTRIES);
        refused(ErrorCode.EINVAL, () -> queue.resize(2), "2 entries", "3 that wait");
        queue.resize(3);
        assertThat(queue.capacity()).isEqualTo(3);
        WorkCompletion[] done = WorkCompletion.array(8);
        assertThat(queue.poll(done)).isEqualTo(3);
        queue.resize(1);
        complete(2);
        tape.events("CQ_ERR");
        assertThat(queue.poll(done)).isEqualTo(1);
    }

    @Test
    @DisplayName("§10: a closed queue does not change its size")
    void resizeClosed() {
        CompletionQueue closed = tape.device.createCompletionQueue(1);
        closed.close();
        refused(ErrorCode.EBADF, () -> closed.resize(2), "closed");
    }

    @Test
    @DisplayName("§10: after an overrun what is there can be polled, and nothing else works, in words")
    void overrun() {
        complete(3);
        tape.events("CQ_ERR");
        refused(ErrorCode.EIO, () -> queue.arm(false), "ibv_req_notify_cq", "overrun", "all 2 entries");
        refused(ErrorCode.EIO, () -> queue.resize(8), "ibv_resize_cq", "overrun");
        WorkCompletion[] done = WorkCompletion.array(8);
        assertThat(queue.poll(done)).isEqualTo(2);
        refused(ErrorCode.EIO, () -> queue.poll(done), "ibv_poll_cq", "overrun", "close it");
        assertThat(queue.poll(done, 0)).as("nothing was asked for").isZero();
    }

    @Test
    @DisplayName("bug/20: max_cqe entries can be asked for and filled; one more is EINVAL, and one more is an overrun")
    void maximumSize() {
        int most = tape.device.attributes().maxCompletionQueueEntries();
        refused(ErrorCode.EINVAL, () -> tape.device.createCompletionQueue(most + 1), "ibv_create_cq");
        CompletionQueue largest = tape.device.createCompletionQueue(most);
        assertThat(largest.capacity()).isEqualTo(most);
        QueuePairConfig config = QueuePairConfig.reliable(largest)
                .maxSendWorkRequests(0)
                .maxReceiveWorkRequests(MAX_REQUESTS)
                .maxReceiveScatterGather(0);
        List<QueuePair> queuePairs = new ArrayList<>();
        for (int filled = 0; filled < most; filled += MAX_REQUESTS) {
            queuePairs.add(failed(config));
            for (int i = 0; i < MAX_REQUESTS; i++) {
                queuePairs.get(queuePairs.size() - 1).postReceive(ReceiveRequest.of(filled + i));
            }
        }
        tape.run().events();
        queuePairs.add(failed(config.maxReceiveWorkRequests(1)));
        queuePairs.get(queuePairs.size() - 1).postReceive(ReceiveRequest.of(-1));
        tape.run().events("CQ_ERR");
        WorkCompletion[] done = WorkCompletion.array(most + 1);
        assertThat(largest.poll(done)).isEqualTo(most);
        assertThat(IntStream.range(0, most).allMatch(i -> done[i].workRequestId() % MAX_REQUESTS == i % MAX_REQUESTS))
                .as("in the order of each receive queue")
                .isTrue();
        queuePairs.forEach(QueuePair::close);
        largest.close();
    }

    @Test
    @DisplayName(
            "bug/14: flushed requests on a shared queue name their request and queue pair; of one destroyed none come")
    void flushedRequestsNameTheirQueuePair() {
        CompletionQueue shared = tape.device.createCompletionQueue(64);
        List<QueuePair> queuePairs = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(shared));
            SETUP.connect(qp);
            queuePairs.add(qp);
            for (int request = 0; request < 4; request++) {
                expected.add(id(qp, request));
                qp.postSend(Send.of(id(qp, request)));
                expected.add(id(qp, 100 + request));
                qp.postReceive(ReceiveRequest.of(id(qp, 100 + request)));
            }
        }
        assertThat(tape.run().sent()).as("on the wire, unanswered").hasSize(12);
        queuePairs.forEach(qp -> qp.modify(SETUP.attributes(QueuePairState.ERR)));
        assertThat(flushed(shared)).containsExactlyInAnyOrderElementsOf(expected);

        queuePairs.forEach(qp -> qp.postReceive(ReceiveRequest.of(id(qp, 200))));
        tape.run();
        queuePairs.get(1).close();
        assertThat(flushed(shared)).containsExactlyInAnyOrder(id(queuePairs.get(0), 200), id(queuePairs.get(2), 200));
        queuePairs.forEach(QueuePair::close);
        shared.close();
    }

    private static long id(QueuePair qp, int request) {
        return (long) qp.number() << 16 | request;
    }

    /** The ids of what was flushed, each of which must belong to the queue pair that the completion names. */
    private static List<Long> flushed(CompletionQueue queue) {
        WorkCompletion[] done = WorkCompletion.array(64);
        int n = queue.poll(done);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            assertThat(done[i].status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(done[i].queuePairNumber()).isEqualTo((int) (done[i].workRequestId() >>> 16));
            ids.add(done[i].workRequestId());
        }
        return ids;
    }

    private QueuePair failed(QueuePairConfig config) {
        QueuePair qp = tape.domain.createQueuePair(config);
        SETUP.connect(qp);
        qp.modify(SETUP.attributes(QueuePairState.ERR));
        return qp;
    }

    /** Counts what commands allocate on the thread that runs them. */
    private static final class MeasuringDriver implements DeviceDriver {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private long allocated;

        @Override
        public <T> T call(Supplier<T> command) {
            long before = threads.getCurrentThreadAllocatedBytes();
            T result = command.get();
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
            return result;
        }

        @Override
        public boolean isOwnerThread() {
            return false;
        }

        @Override
        public void close() {
            // The engine goes on for the other context.
        }
    }

    @Test
    @DisplayName("§10: large rings are made by the caller; the device does not stand still for them")
    void ringsAreAllocatedByTheCaller() {
        MeasuringDriver driver = new MeasuringDriver();
        try (SoftDevice context = new SoftDevice("second", tape.engine, driver)) {
            var domain = context.allocateProtectionDomain();
            driver.allocated = 0;
            CompletionQueue large = context.createCompletionQueue(1 << 16);
            large.resize(1 << 17);
            QueuePair qp = domain.createQueuePair(QueuePairConfig.reliable(large)
                    .maxSendWorkRequests(MAX_REQUESTS)
                    .maxReceiveWorkRequests(MAX_REQUESTS));
            assertThat(driver.allocated).as("bytes, of several megabytes").isLessThan(256 << 10);
            qp.close();
            large.close();
            domain.close();
        }
    }
}
