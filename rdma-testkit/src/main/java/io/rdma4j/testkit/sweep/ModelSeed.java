package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.model.ModelProgram;

/**
 * A program of the model test.
 *
 * @param program what happens
 * @param spoiled whether its reference expects a wrong byte, see {@link Sweep#spoiled}
 */
record ModelSeed(ModelProgram program, boolean spoiled) implements SeedProgram {
    @Override
    public long seed() {
        return program.seed();
    }

    @Override
    public String summary() {
        return program.summary();
    }

    @Override
    public void run(Fabric fabric) {
        program.run(fabric, spoiled);
    }
}
