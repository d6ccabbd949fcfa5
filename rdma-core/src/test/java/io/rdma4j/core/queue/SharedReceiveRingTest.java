package io.rdma4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that post to a shared receive ring while its owner takes, gives back and resizes. */
@Timeout(60)
class SharedReceiveRingTest {
    private static final int POSTERS = 3;
    private static final int EACH = 4_000;
    private static final int HOLDERS = 3;

    private final SharedReceiveRing ring = new SharedReceiveRing(1, new SharedReceiveSlots(16, 1), () -> {});
    private final CyclicBarrier start = new CyclicBarrier(POSTERS + 1);

    private boolean post(long id) {
        ring.lock().lock();
        try {
            if (!ring.hasRoom()) {
                return false;
            }
            ring.next().id = id;
            ring.publish();
            return true;
        } finally {
            ring.lock().unlock();
        }
    }

    private int postAll(int poster) throws Exception {
        start.await();
        int refused = 0;
        for (int i = 0; i < EACH; i++) {
            while (!post((long) poster * EACH + i)) {
                refused++;
                Thread.yield();
            }
        }
        return refused;
    }

    @Test
    @DisplayName("§12: each receive of each posting thread is used exactly once, those of one thread in order")
    void eachOnce() throws Exception {
        ExecutorService posters = Executors.newFixedThreadPool(POSTERS);
        List<Future<Integer>> running = new ArrayList<>();
        for (int poster = 0; poster < POSTERS; poster++) {
            int mine = poster;
            running.add(posters.submit(() -> postAll(mine)));
        }
        start.await();
        Owner owner = new Owner();
        while (owner.used < POSTERS * EACH) {
            owner.step();
        }
        int refused = 0;
        for (Future<Integer> each : running) {
            refused += each.get();
        }
        posters.shutdown();
        assertThat(posters.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(owner.next).containsOnly(EACH);
        assertThat(ring.take(ring.newEntry())).isFalse();
        assertThat(refused).as("the ring was full now and then").isPositive();
        assertThat(owner.givenBack).as("receives that came back").isPositive();
        assertThat(owner.resized).as("resizes that were done").isPositive();
    }

    /** Takes receives for several holders, who use them or give them back, and resizes the ring now and then. */
    private final class Owner {
        private final SplittableRandom random = new SplittableRandom(12);
        private final ReceiveWorkEntry[] places = new ReceiveWorkEntry[HOLDERS];
        private final int[] next = new int[POSTERS];
        private int used;
        private int givenBack;
        private int resized;

        Owner() {
            for (int i = 0; i < HOLDERS; i++) {
                places[i] = ring.newEntry();
            }
        }

        void step() {
            int held = 0;
            while (held < HOLDERS && ring.take(places[held])) {
                held++;
            }
            if (held == 0) {
                Thread.yield();
                return;
            }
            // The newest of them come back, in any order; the oldest are used.
            int kept = random.nextInt(held + 1);
            for (int i = 0; i < kept; i++) {
                use(places[i].id);
            }
            for (int i = held - 1; i >= kept; i--) {
                ring.giveBack(places[i]);
                givenBack++;
            }
            if (random.nextInt(100) == 0) {
                resize(4 + random.nextInt(60));
            }
        }

        private void use(long id) {
            int poster = (int) (id / EACH);
            assertThat(id).isEqualTo((long) poster * EACH + next[poster]);
            next[poster]++;
            used++;
        }

        private void resize(int capacity) {
            try {
                ring.resize(new SharedReceiveSlots(capacity, 1));
                resized++;
            } catch (RdmaException e) {
                assertThat(e).hasMessageContaining("too few");
            }
        }
    }
}
