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
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** §10: a completion queue changes its size and loses nothing. */
class CompletionResizeTest {
    private static final int NUMBER = 5;

    private final AtomicInteger events = new AtomicInteger();
    private final CompletionRing ring = new CompletionRing(NUMBER, 16, events::incrementAndGet);

    private static void publish(CompletionRing ring, long from, long to) {
        for (long id = from; id <= to; id++) {
            Objects.requireNonNull(ring.claim())
                    .begin(id, (int) (id % 2), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV);
            ring.publish();
        }
    }

    private static List<Long> poll(CompletionRing ring, int count) {
        WorkCompletion[] into = WorkCompletion.array(count);
        int n = ring.poll(into, count);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            ids.add(into[i].workRequestId());
        }
        return ids;
    }

    private static Long[] ids(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toArray(Long[]::new);
    }

    private void refused(int capacity) {
        assertThatThrownBy(() -> ring.resize(new CompletionSlots(capacity)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                .hasMessageContaining("ibv_resize_cq")
                .hasMessageContaining("10 that wait");
    }

    @Test
    @DisplayName("bug/34: 16 entries with 10 unpolled across the end of the ring, to 12, to 64, and refused at 9")
    void keepsUnpolled() {
        publish(ring, 1, 12);
        assertThat(poll(ring, 16)).hasSize(12);
        publish(ring, 13, 22);

        ring.resize(new CompletionSlots(12));
        assertThat(ring.capacity()).isEqualTo(12);
        ring.resize(new CompletionSlots(64));
        assertThat(ring.capacity()).isEqualTo(64);
        refused(9);
        assertThat(ring.capacity()).as("intact after a refusal").isEqualTo(64);

        assertThat(poll(ring, 64)).containsExactly(ids(13, 22));
        publish(ring, 23, 86);
        assertThat(poll(ring, 64)).as("all of the new size is of use").containsExactly(ids(23, 86));
    }

    @Test
    @DisplayName("§10: every size from what waits upwards keeps what waits, wherever the ring stands")
    void everySize() {
        for (int consumed = 0; consumed < 40; consumed++) {
            for (int waiting = 0; waiting <= 16; waiting++) {
                for (int capacity = Math.max(1, waiting); capacity <= 35; capacity++) {
                    CompletionRing one = new CompletionRing(NUMBER, 16, null);
                    for (int i = 1; i <= consumed; i++) {
                        publish(one, -i, -i);
                        poll(one, 1);
                    }
                    publish(one, 1, waiting);
                    one.resize(new CompletionSlots(capacity));
                    publish(one, waiting + 1, capacity);
                    assertThat(poll(one, 40)).containsExactly(ids(1, capacity));
                }
            }
        }
    }

    @Test
    @DisplayName("§10: the smaller size is the bound from then on")
    void smallerSizeBinds() {
        publish(ring, 1, 2);
        ring.resize(new CompletionSlots(3));
        publish(ring, 3, 3);
        assertThat(ring.claim()).as("a fourth is an overrun").isNull();
        assertThat(poll(ring, 9)).containsExactly(ids(1, 3));
        assertThatThrownBy(() -> ring.resize(new CompletionSlots(16)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EIO));
    }

    @Test
    @DisplayName("§10: an armed queue stays armed, and moving its entries raises no event")
    void staysArmed() {
        publish(ring, 1, 1);
        ring.arm(false);
        ring.resize(new CompletionSlots(4));
        assertThat(events).hasValue(0);
        publish(ring, 2, 3);
        assertThat(events).hasValue(1);
    }

    @Test
    @DisplayName("§8.5(4), §6.2: what moved is purged, and frees slots of its work queue, as what did not")
    void movedEntriesAreWhole() {
        SendQueue queue = new SendQueue(1, 1);
        CompletionRingTest.post(queue);
        CompletionEntry entry = Objects.requireNonNull(ring.claim());
        entry.begin(4, 0, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND);
        entry.releases(queue, 1);
        ring.publish();
        publish(ring, 5, 8);
        ring.resize(new CompletionSlots(5));
        ring.purge(1);
        assertThat(CompletionRingTest.hasRoom(queue)).isFalse();
        assertThat(poll(ring, 9)).containsExactly(4L, 6L, 8L);
        assertThat(CompletionRingTest.hasRoom(queue)).isTrue();
    }

    @Test
    @Timeout(30)
    @DisplayName("§10: two threads poll while the owner publishes and resizes: every entry once, in order")
    void concurrentPollers() throws InterruptedException {
        int total = 60_000;
        CompletionRing shared = new CompletionRing(NUMBER, 64, null);
        TwoPollers pollers = new TwoPollers(shared, total);
        pollers.start();
        int[] sizes = {64, 33, 200, 40};
        for (int i = 0; i < total; i++) {
            pollers.awaitRoom(i, 33);
            if (i % 7 == 0) {
                shared.resize(new CompletionSlots(sizes[i / 7 % sizes.length]));
            }
            publish(shared, i, i);
        }
        pollers.verify();
    }
}
