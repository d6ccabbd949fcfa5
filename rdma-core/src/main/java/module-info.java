/**
 * The software HCA: wire formats, memory, queues and the sans-I/O engine behind the verbs API.
 *
 * <p>What is exported serves the transports and the testkit; for users the API is the verbs module.
 */
module io.rdma4j.core {
    requires transitive io.rdma4j.verbs;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.rdma4j.core.device;
    exports io.rdma4j.core.engine;
    exports io.rdma4j.core.link;
    exports io.rdma4j.core.memory;
    exports io.rdma4j.core.pcap;
    exports io.rdma4j.core.qp;
    exports io.rdma4j.core.queue;
    exports io.rdma4j.core.wire;
}
