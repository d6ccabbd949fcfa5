package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.Fabric;

/**
 * A program of the two-node traffic sweep.
 *
 * @param plan what happens
 * @param spoiled whether its checkers expect a wrong byte, see {@link Sweep#spoiled}
 */
record TrafficProgram(SweepPlan plan, boolean spoiled) implements SeedProgram {
    @Override
    public long seed() {
        return plan.seed();
    }

    @Override
    public String summary() {
        return plan.summary();
    }

    @Override
    public void run(Fabric fabric) {
        SweepRun run = new SweepRun(plan, fabric);
        if (spoiled) {
            run.expectWrongByte();
        }
        run.run();
    }
}
