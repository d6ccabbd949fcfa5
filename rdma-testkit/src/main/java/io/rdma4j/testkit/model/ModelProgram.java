package io.rdma4j.testkit.model;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.util.SplittableRandom;

/**
 * A generated verbs program and the network it runs on, all from one seed. Addresses and keys come from the devices, so
 * the program is made as it runs; it is the same each time all the same.
 */
public final class ModelProgram {
    private static final int MAX_QUEUE_PAIRS = 3;
    private static final int MIN_STEPS = 10;
    private static final int MAX_STEPS = 40;

    private final long seed;
    private final boolean faults;
    private final FabricOptions fromA;
    private final FabricOptions fromB;
    private final int queuePairs;
    private final boolean shareCompletionQueue;
    private final PathMtu mtu;
    private final int steps;
    private final long runSeed;

    private ModelProgram(long seed) {
        this.seed = seed;
        SplittableRandom random =
                new SplittableRandom(seed ^ 0x6D6F_6465_6CL); // other choices than the traffic of the same seed
        faults = random.nextBoolean();
        fromA = network(random);
        fromB = network(random);
        queuePairs = random.nextInt(1, MAX_QUEUE_PAIRS + 1);
        shareCompletionQueue = random.nextBoolean();
        mtu = PathMtu.values()[random.nextInt(PathMtu.values().length)];
        steps = random.nextInt(MIN_STEPS, MAX_STEPS);
        runSeed = random.nextLong();
    }

    /** The program of a seed. */
    public static ModelProgram of(long seed) {
        return new ModelProgram(seed);
    }

    private FabricOptions network(SplittableRandom random) {
        FabricOptions clean =
                FabricOptions.clean().delay(random.nextLong(500, 20_000)).jitter(random.nextLong(10_000));
        return faults
                ? clean.loss(fault(random))
                        .duplicate(fault(random))
                        .reorder(fault(random))
                        .corrupt(fault(random))
                : clean;
    }

    private static double fault(SplittableRandom random) {
        return 0.03 * random.nextDouble();
    }

    public long seed() {
        return seed;
    }

    /** The faults and the shape of the program. */
    public String summary() {
        return "network from A: " + fromA + "\nnetwork from B: " + fromB + "\nprogram: " + steps + " steps on "
                + queuePairs
                + " queue pairs, " + (shareCompletionQueue ? "one completion queue" : "a completion queue each") + ", "
                + mtu + "\n";
    }

    /**
     * Runs the program.
     *
     * @param spoiled whether the reference shall expect a wrong byte at the end
     * @return what was foreseen and came
     * @throws ModelMismatch when a device does something else than the reference
     */
    public OutcomeTally run(Fabric fabric, boolean spoiled) {
        OutcomeTally tally = new OutcomeTally();
        FabricDevice deviceA = fabric.addDevice("a", Gid.parse("::ffff:192.0.2.2"));
        FabricDevice deviceB = fabric.addDevice("b", Gid.parse("::ffff:192.0.2.3"));
        fabric.options(deviceA, deviceB, fromA);
        fabric.options(deviceB, deviceA, fromB);
        SplittableRandom chance = new SplittableRandom(runSeed);
        try (ModelNode a = new ModelNode(deviceA, queuePairs, shareCompletionQueue, chance);
                ModelNode b = new ModelNode(deviceB, queuePairs, shareCompletionQueue, chance)) {
            ModelRun run = new ModelRun(fabric, a, b, new ModelRun.Shape(queuePairs, mtu, faults, tally), chance);
            for (int step = 0; step < steps; step++) {
                run.step(step);
            }
            if (spoiled) {
                run.expectWrongByte();
            }
        }
        return tally;
    }
}
