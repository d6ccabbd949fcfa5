package io.rdma4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** §10: the contract of a completion queue's ring. */
class CompletionRingTest {
    private static final int NUMBER = 5;

    private final AtomicInteger events = new AtomicInteger();
    private final CompletionRing ring = new CompletionRing(NUMBER, 3, events::incrementAndGet);

    private static void publish(CompletionRing ring, long id, int queuePair, boolean solicited) {
        publish(ring, id, queuePair, solicited, WorkCompletionStatus.SUCCESS);
    }

    private static void publish(CompletionRing ring, long id, int qp, boolean solicited, WorkCompletionStatus status) {
        CompletionEntry entry = Objects.requireNonNull(ring.claim());
        entry.begin(id, qp, status, WorkCompletionOpcode.RECV);
        entry.solicited |= solicited;
        ring.publish();
    }

    private static List<Long> poll(CompletionRing ring, int count) {
        WorkCompletion[] into = WorkCompletion.array(count);
        List<Long> ids = new ArrayList<>();
        int n = ring.poll(into, count);
        for (int i = 0; i < n; i++) {
            ids.add(into[i].workRequestId());
        }
        return ids;
    }

    @Test
    @DisplayName("§10: first in, first out, up to n; n = 0 gives none")
    void order() {
        publish(ring, 1, 7, false);
        publish(ring, 2, 7, false);
        publish(ring, 3, 7, false);
        assertThat(poll(ring, 0)).isEmpty();
        assertThat(poll(ring, 2)).containsExactly(1L, 2L);
        publish(ring, 4, 7, false);
        assertThat(poll(ring, 9)).containsExactly(3L, 4L);
        assertThat(ring.isEmpty()).isTrue();
    }

    @Test
    @DisplayName("§10: an entry keeps nothing of its predecessor in the slot")
    void entriesStartClean() {
        for (int i = 0; i < 4; i++) {
            CompletionEntry entry = Objects.requireNonNull(ring.claim());
            entry.begin(i, 9, WorkCompletionStatus.RETRY_EXC_ERR, WorkCompletionOpcode.SEND);
            entry.cause = "why";
            entry.vendorError = 4;
            entry.byteLength = 5;
            entry.sourceQueuePair = 6;
            ring.publish();
            poll(ring, 1);
        }
        publish(ring, 10, 7, false);
        WorkCompletion[] one = WorkCompletion.array(1);
        assertThat(ring.poll(one, 1)).isEqualTo(1);
        assertThat(one[0].cause()).isEmpty();
        assertThat(one[0].vendorError()).isZero();
        assertThat(one[0].byteLength()).isZero();
        assertThat(one[0].sourceQueuePair()).isZero();
        assertThat(one[0].hasImmediate()).isFalse();
    }

    @Test
    @DisplayName("§10: the entry that does not fit is lost, and the ring takes no more, ever")
    void overrun() {
        for (int i = 1; i <= 3; i++) {
            publish(ring, i, 7, false);
        }
        assertThat(ring.isOverrun()).isFalse();
        assertThat(ring.claim()).isNull();
        assertThat(ring.isOverrun()).isTrue();
        assertThat(poll(ring, 9)).containsExactly(1L, 2L, 3L);
        assertThat(ring.claim()).isNull();
        refusedWithEio(() -> poll(ring, 9));
        refusedWithEio(() -> ring.arm(false));
    }

    private static void refusedWithEio(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EIO))
                .hasMessageContaining("completion queue " + NUMBER + " has overrun");
    }

    @Test
    @DisplayName("§10: an overrun wakes whoever is armed, also for what is not there: solicited completions")
    void overrunWakes() {
        ring.arm(true);
        for (int i = 1; i <= 3; i++) {
            publish(ring, i, 7, false);
        }
        assertThat(events).hasValue(0);
        assertThat(ring.claim()).isNull();
        assertThat(ring.claim()).isNull();
        assertThat(events).hasValue(1);
    }

    @Test
    @DisplayName("§10: capacity is as asked for, not the power of two behind it")
    void capacity() {
        for (int capacity : new int[] {1, 2, 3, 5, 64, 65}) {
            CompletionRing sized = new CompletionRing(NUMBER, capacity, null);
            for (int i = 0; i < capacity; i++) {
                publish(sized, i, 7, false);
            }
            assertThat(sized.capacity()).isEqualTo(capacity);
            assertThat(sized.claim()).isNull();
        }
    }

    @Test
    @DisplayName("§10: arming is one-shot, and what is there already raises no event")
    void oneShot() {
        publish(ring, 1, 7, false);
        assertThat(ring.arm(false)).as("poll again").isTrue();
        assertThat(events).hasValue(0);
        publish(ring, 2, 7, false);
        publish(ring, 3, 7, false);
        assertThat(events).hasValue(1);
        poll(ring, 3);
        assertThat(ring.arm(false)).isFalse();
    }

    @Test
    @DisplayName("§10: armed for solicited: a solicited message or any error, nothing else")
    void solicited() {
        ring.arm(true);
        publish(ring, 1, 7, false);
        assertThat(events).hasValue(0);
        publish(ring, 2, 7, true);
        assertThat(events).hasValue(1);
        ring.arm(true);
        publish(ring, 3, 7, false, WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(events).hasValue(2);
    }

    @Test
    @DisplayName("§10: NEXT is not taken back by SOLICITED, SOLICITED is raised to NEXT")
    void levels() {
        ring.arm(false);
        ring.arm(true);
        publish(ring, 1, 7, false);
        assertThat(events).hasValue(1);
        ring.arm(true);
        ring.arm(false);
        publish(ring, 2, 7, false);
        assertThat(events).hasValue(2);
    }

    @Test
    @DisplayName("§8.5(4): a purge takes one queue pair's entries and leaves the others in order")
    void purge() {
        CompletionRing large = new CompletionRing(NUMBER, 8, null);
        for (int i = 0; i < 6; i++) {
            publish(large, i, i % 2, false);
        }
        poll(large, 1);
        large.purge(1);
        publish(large, 9, 1, false);
        assertThat(poll(large, 9)).containsExactly(2L, 4L, 9L);
    }

    @Test
    @DisplayName("§6.2: polling an entry frees the slots it names; a purged one frees none")
    void releasesSlots() {
        SendQueue queue = new SendQueue(2, 1);
        post(queue);
        post(queue);
        CompletionEntry entry = Objects.requireNonNull(ring.claim());
        entry.begin(1, 7, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND);
        entry.releases(queue, 1);
        ring.publish();
        assertThat(hasRoom(queue)).isFalse();
        poll(ring, 1);
        assertThat(hasRoom(queue)).isTrue();
        post(queue);
        entry = Objects.requireNonNull(ring.claim());
        entry.begin(2, 7, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND);
        entry.releases(queue, 3);
        ring.publish();
        ring.purge(7);
        assertThat(poll(ring, 9)).isEmpty();
        assertThat(hasRoom(queue)).isFalse();
    }

    static void post(WorkQueue queue) {
        queue.lock().lock();
        try {
            queue.publish();
        } finally {
            queue.lock().unlock();
        }
    }

    static boolean hasRoom(WorkQueue queue) {
        queue.lock().lock();
        try {
            return queue.hasRoom();
        } finally {
            queue.lock().unlock();
        }
    }

    @Test
    @Timeout(20)
    @DisplayName("§10: two pollers and a producer: every entry once, each poller's in order")
    void twoPollers() throws InterruptedException {
        int total = 20_000;
        CompletionRing shared = new CompletionRing(NUMBER, 64, null);
        TwoPollers pollers = new TwoPollers(shared, total);
        pollers.start();
        for (int i = 0; i < total; i++) {
            pollers.awaitRoom(i, 64);
            publish(shared, i, 7, false);
        }
        pollers.verify();
    }

    @Test
    @Timeout(20)
    @DisplayName("§10: between arm, publish and poll no completion is ever missed")
    void neverMissesAnEvent() throws InterruptedException {
        int total = 5_000;
        AtomicInteger signals = new AtomicInteger();
        CompletionRing armed = new CompletionRing(NUMBER, 1024, signals::incrementAndGet);
        AtomicInteger taken = new AtomicInteger();
        Thread consumer = new Thread(() -> {
            WorkCompletion[] into = WorkCompletion.array(16);
            int heard = 0;
            while (taken.get() < total) {
                int n = armed.poll(into, 16);
                taken.addAndGet(n);
                if (n == 0 && !armed.arm(false)) {
                    // Armed and empty: a completion must now come with a signal.
                    while (signals.get() == heard && taken.get() < total) {
                        Thread.yield();
                    }
                }
                heard = signals.get();
            }
        });
        consumer.start();
        for (int i = 0; i < total; i++) {
            while (i - taken.get() >= 1000) {
                Thread.yield();
            }
            publish(armed, i, 7, false);
        }
        consumer.join();
        assertThat(taken).hasValue(total);
    }
}
