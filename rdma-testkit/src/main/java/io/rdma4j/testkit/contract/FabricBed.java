package io.rdma4j.testkit.contract;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Devices on the simulated fabric, in virtual time: cases are done to the letter, however long they take. */
public final class FabricBed extends ContractBed {
    private static final long SEED = 1;
    private static final int FIRST_HOST = 2;
    private static final int REPORTED_FRAMES = 20;

    /** Between the steps of workers: what a call costs, or so. */
    private static final long MAX_STEP_NS = 2_000;

    /** How long workers may go on. */
    private static final long WORK_NS = Duration.ofHours(1).toNanos();

    private static final Map<Need, String> LACKS = Map.of(
            Need.THREADS, "in virtual time all calls come from one thread; their steps are interleaved there instead");

    private final Fabric fabric = new Fabric(SEED);

    /** A bed with a fabric of its own. */
    public FabricBed() {
        super("fabric");
    }

    @Override
    protected RdmaDevice open(int index) {
        return fabric.addDevice("d" + index, Gid.parse("192.0.2." + (FIRST_HOST + index)))
                .rdma();
    }

    @Override
    public Fabric fabric() {
        return fabric;
    }

    @Override
    protected Optional<String> lacks(Need need) {
        return Optional.ofNullable(LACKS.get(need));
    }

    @Override
    protected boolean isScaled() {
        return false;
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration atMost) {
        return fabric.runUntil(condition, atMost.toNanos());
    }

    @Override
    protected void pass(Duration time) {
        fabric.runFor(time.toNanos());
    }

    /** Longer than any retry takes that a case waits for. */
    @Override
    public Duration patience() {
        return Duration.ofMinutes(10);
    }

    /** Who is next is left to chance, so that orders differ as they do among threads. */
    @Override
    public void run(List<? extends Worker> workers) {
        List<Worker> running = new ArrayList<>(workers);
        SplittableRandom chance = new SplittableRandom(SEED);
        long endNs = fabric.nowNs() + WORK_NS;
        while (!running.isEmpty()) {
            if (fabric.nowNs() > endNs) {
                throw new AssertionError(running.size() + " of " + workers.size() + " workers do not come to an end");
            }
            int next = chance.nextInt(running.size());
            if (!running.get(next).step()) {
                running.remove(next);
            }
            fabric.runFor(1 + chance.nextLong(MAX_STEP_NS));
        }
    }

    @Override
    protected String describe() {
        return fabric.describe() + fabric.trace().tail(REPORTED_FRAMES);
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            fabric.close();
        }
    }
}
