/** The simulated fabric, its faults, and the sweeps and checkers that run on it. */
module io.rdma4j.testkit {
    requires transitive io.rdma4j.core;
    requires transitive io.rdma4j.verbs;
    requires static org.jspecify;

    exports io.rdma4j.testkit.check;
    exports io.rdma4j.testkit.fabric;
    exports io.rdma4j.testkit.sweep;
    exports io.rdma4j.testkit.verbs;
}
