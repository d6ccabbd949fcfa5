package io.rdma4j.testkit.sweep;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a range of seeds on several threads, each seed on one thread with a fabric of its own. */
public final class SweepCampaign {
    /** After so many failed seeds a campaign ends: each leaves captures, and more of them tell nothing new. */
    public static final int MAX_FAILED_SEEDS = 100;

    /** More than any machine has processors to run seeds on. */
    public static final int MAX_THREADS = 1024;

    private final List<Sweep> sweeps;
    private final long from;
    private final long count;
    private final int threads;
    private final int maxFailedSeeds;
    private final AtomicLong next = new AtomicLong();
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private volatile boolean stopped;

    /**
     * A campaign that has not begun.
     *
     * @param sweeps what to make of each seed, in turn
     * @param from the first seed
     * @param count how many seeds
     * @param threads how many at a time, from 1 to {@link #MAX_THREADS}
     */
    public SweepCampaign(List<Sweep> sweeps, long from, long count, int threads) {
        this(sweeps, from, count, threads, MAX_FAILED_SEEDS);
    }

    SweepCampaign(List<Sweep> sweeps, long from, long count, int threads, int maxFailedSeeds) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads must be from 1 to " + MAX_THREADS + ", not " + threads);
        }
        if (count < 1 || sweeps.isEmpty()) {
            throw new IllegalArgumentException("count must be at least 1, not " + count + ", and sweeps not empty");
        }
        this.sweeps = List.copyOf(sweeps);
        this.from = from;
        this.count = count;
        this.maxFailedSeeds = maxFailedSeeds;
        this.threads = (int) Math.min(threads, count);
    }

    /**
     * Runs all seeds, or as many as it may until {@link #stop}. To be called once.
     *
     * @param done is told of each seed when it is done, on the calling thread, in no certain order
     * @return the totals of the seeds that were run
     */
    public CampaignResult run(Consumer<List<SeedOutcome>> done) {
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(this::work, "sweep-" + i);
            worker.setDaemon(true);
            worker.start();
        }
        try {
            return collect(done);
        } finally {
            stop();
        }
    }

    private CampaignResult collect(Consumer<List<SeedOutcome>> done) {
        CampaignResult result = new CampaignResult(count);
        int working = threads;
        while (working > 0) {
            Message message = take();
            if (message.failure != null) {
                throw new IllegalStateException("a seed could not be run: " + message.failure, message.failure);
            }
            if (message.outcomes.isEmpty()) {
                working--;
                continue;
            }
            result.add(message.outcomes);
            done.accept(message.outcomes);
            if (result.failed() >= maxFailedSeeds) {
                stop();
            }
        }
        return result;
    }

    /** Begins no further seed; what has begun comes to its end. From any thread. */
    public void stop() {
        stopped = true;
    }

    private void work() {
        try {
            long index = next.getAndIncrement();
            while (!stopped && index < count) {
                long seed = from + index;
                List<SeedOutcome> outcomes =
                        sweeps.stream().map(sweep -> sweep.attempt(seed)).toList();
                messages.add(new Message(outcomes, null));
                index = next.getAndIncrement();
            }
            messages.add(new Message(List.of(), null));
        } catch (Throwable failure) { // whatever it is, who waits for this thread has to know
            messages.add(new Message(List.of(), failure));
        }
    }

    private Message take() {
        while (true) {
            try {
                return messages.take();
            } catch (InterruptedException e) {
                stop(); // The workers end after their seeds, and with them the wait.
            }
        }
    }

    /**
     * What a worker tells.
     *
     * @param outcomes of a seed; empty when the worker ends
     * @param failure what ended it against its will
     */
    private record Message(
            List<SeedOutcome> outcomes, @Nullable Throwable failure) {}
}
