package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.RdmaDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Devices that live by the clock, with threads of their own: waits have deadlines, and what takes long is scaled. */
public final class RealTimeBed extends ContractBed {
    private static final long POLL_NS = 20_000;
    private static final int SPINS = 200;

    /** For a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration WORK = Duration.ofMinutes(1);

    private final IntFunction<RdmaDevice> opener;
    private final Map<Need, String> lacks;

    /**
     * A bed of a provider.
     *
     * @param provider its name
     * @param opener opens the devices: one of its own for each index, from 0
     * @param lacks what it lacks, and why
     */
    public RealTimeBed(String provider, IntFunction<RdmaDevice> opener, Map<Need, String> lacks) {
        super(provider);
        this.opener = opener;
        this.lacks = Map.copyOf(lacks);
    }

    @Override
    protected RdmaDevice open(int index) {
        return opener.apply(index);
    }

    @Override
    protected Optional<String> lacks(Need need) {
        return switch (need) {
            case VIRTUAL_TIME -> Optional.of("measures exact times, which a clock and a scheduler do not give");
            case FRAME_RULES -> Optional.of("chooses frames to lose or look at, which a real network does not offer");
            default -> Optional.ofNullable(lacks.get(need));
        };
    }

    @Override
    protected boolean isScaled() {
        return true;
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration atMost) {
        long endNs = System.nanoTime() + atMost.toNanos();
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (System.nanoTime() - endNs > 0) {
                return condition.getAsBoolean();
            }
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(POLL_NS);
            }
        }
        return true;
    }

    @Override
    protected void pass(Duration time) {
        await(() -> false, time);
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public void run(List<? extends Worker> workers) {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (Worker worker : workers) {
            FutureTask<Void> task = new FutureTask<>(() -> work(worker), null);
            tasks.add(task);
            Thread thread = new Thread(task, "contract-worker-" + tasks.size());
            thread.setDaemon(true);
            thread.start();
        }
        long endNs = System.nanoTime() + WORK.toNanos();
        tasks.forEach(task -> join(task, endNs));
    }

    private static void work(Worker worker) {
        while (!Thread.currentThread().isInterrupted() && worker.step()) {
            Thread.onSpinWait();
        }
    }

    private static void join(FutureTask<Void> task, long endNs) {
        try {
            task.get(Math.max(1, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("a worker failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new AssertionError("a worker does not come to an end within " + WORK.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    protected String describe() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < openDevices(); i++) {
            text.append(device(i).name())
                    .append(' ')
                    .append(device(i).counters())
                    .append('\n');
        }
        return text.toString();
    }
}
