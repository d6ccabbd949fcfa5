/** The simulated fabric, its faults, the sweeps and checkers that run on it, and the contract of every provider. */
module io.rdma4j.testkit {
    requires transitive io.rdma4j.core;
    requires transitive io.rdma4j.verbs;
    requires static org.jspecify;
    requires static transitive org.junit.jupiter.api;

    exports io.rdma4j.testkit.check;
    exports io.rdma4j.testkit.contract;
    exports io.rdma4j.testkit.fabric;
    exports io.rdma4j.testkit.sweep;
    exports io.rdma4j.testkit.verbs;
}
