package io.rdma4j.core.queue;

import static io.rdma4j.core.queue.CompletionRingTest.hasRoom;
import static io.rdma4j.core.queue.CompletionRingTest.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** §6.2: slots between posting threads and the owner; and the doorbell that tells of them. */
class WorkQueueTest {
    @Test
    void holdsExactlyItsCapacity() {
        for (int capacity : new int[] {0, 1, 2, 3, 7, 8, 9}) {
            SendQueue queue = new SendQueue(capacity, 1);
            for (int i = 0; i < capacity; i++) {
                assertThat(hasRoom(queue)).isTrue();
                post(queue);
            }
            assertThat(hasRoom(queue)).isFalse();
            assertThat(queue.posted()).isEqualTo(capacity);
        }
    }

    @Test
    void slotsInUseAreDistinct() {
        SendQueue queue = new SendQueue(3, 1);
        for (long position = 0; position < 20; position++) {
            assertThat(queue.at(position)).isNotSameAs(queue.at(position + 1)).isNotSameAs(queue.at(position + 2));
        }
    }

    @Test
    void releaseNeverGoesBack() {
        ReceiveQueue queue = new ReceiveQueue(2, 1);
        post(queue);
        post(queue);
        queue.release(2);
        queue.release(1);
        post(queue);
        post(queue);
        assertThat(hasRoom(queue)).isFalse();
    }

    @Test
    void resetForgetsAll() {
        ReceiveQueue queue = new ReceiveQueue(1, 1);
        post(queue);
        queue.reset();
        assertThat(queue.posted()).isZero();
        assertThat(hasRoom(queue)).isTrue();
    }

    private static final class Item extends Doorbells.Entry {
        private final SendQueue queue = new SendQueue(1 << 10, 1);
        private long taken;
    }

    @Test
    void aDoorbellRingsOnceUntilItIsAnswered() {
        Doorbells doorbells = new Doorbells();
        Item one = new Item();
        Item two = new Item();
        assertThat(doorbells.isEmpty()).isTrue();
        assertThat(doorbells.takeAll()).isNull();
        assertThat(doorbells.ring(one)).isTrue();
        assertThat(doorbells.ring(one)).isFalse();
        assertThat(doorbells.ring(two)).isTrue();
        Doorbells.Entry first = doorbells.takeAll();
        assertThat(first).isSameAs(two);
        assertThat(doorbells.ring(one)).as("taken, not yet answered").isFalse();
        assertThat(two.unlinkAndDisarm()).isSameAs(one);
        assertThat(one.unlinkAndDisarm()).isNull();
        assertThat(doorbells.ring(one)).isTrue();
    }

    /** Two posters, one owner: whatever is posted before a ring is seen without another ring. */
    @Test
    @Timeout(20)
    void noPostIsOverlooked() throws InterruptedException {
        int posts = 50_000;
        Doorbells doorbells = new Doorbells();
        Item[] items = {new Item(), new Item(), new Item()};
        AtomicInteger running = new AtomicInteger(2);
        Runnable poster = () -> {
            for (int i = 0; i < posts; i++) {
                Item item = items[i % items.length];
                post(item.queue);
                doorbells.ring(item);
            }
            running.decrementAndGet();
        };
        Thread one = new Thread(poster);
        Thread two = new Thread(poster);
        one.start();
        two.start();
        boolean last;
        do {
            last = running.get() == 0; // looked at before the doorbells
            Doorbells.Entry entry = doorbells.takeAll();
            while (entry != null) {
                Item item = (Item) entry;
                entry = item.unlinkAndDisarm();
                item.taken = item.queue.posted();
            }
            Thread.onSpinWait();
        } while (!last);
        one.join();
        two.join();
        long taken = 0;
        for (Item item : items) {
            taken += item.taken;
        }
        assertThat(taken).isEqualTo(2L * posts);
    }
}
