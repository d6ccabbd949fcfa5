package io.rdma4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.WorkCompletion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two threads that poll a ring until all completions, of the ids 0 to {@code total - 1}, have been taken. */
final class TwoPollers {
    private final CompletionRing ring;
    private final int total;
    private final AtomicLong sum = new AtomicLong();
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicInteger disorder = new AtomicInteger();
    private final Thread one = new Thread(this::poll);
    private final Thread two = new Thread(this::poll);

    TwoPollers(CompletionRing ring, int total) {
        this.ring = ring;
        this.total = total;
    }

    void start() {
        one.start();
        two.start();
    }

    private void poll() {
        WorkCompletion[] into = WorkCompletion.array(8);
        long last = -1;
        while (seen.get() < total) {
            int n = ring.poll(into, 8);
            for (int i = 0; i < n; i++) {
                disorder.addAndGet(into[i].workRequestId() > last ? 0 : 1);
                last = into[i].workRequestId();
                sum.addAndGet(last);
            }
            seen.addAndGet(n);
            Thread.yield();
        }
    }

    /** Waits until fewer than {@code most} of the first {@code published} completions are still to be taken. */
    void awaitRoom(int published, int most) {
        while (published - seen.get() >= most) {
            Thread.onSpinWait();
        }
    }

    /** Each was taken once, and by each thread in order. */
    void verify() throws InterruptedException {
        one.join();
        two.join();
        assertThat(sum).hasValue((long) total * (total - 1) / 2);
        assertThat(disorder).hasValue(0);
    }
}
