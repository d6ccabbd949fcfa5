package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.Fabric;

/** What a seed stands for: everything that will be done, fixed before it starts. */
interface SeedProgram {
    long seed();

    /** The faults and the shape of the program, for whoever has to find out why it failed. */
    String summary();

    /**
     * Runs the program to its end on a fabric made from the same seed.
     *
     * @throws SweepFailure when a checker finds something wrong
     */
    void run(Fabric fabric);
}
