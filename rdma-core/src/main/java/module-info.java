/** The software HCA: wire formats, memory, queues and the sans-I/O engine behind the verbs API. */
module io.rdma4j.core {
    requires transitive io.rdma4j.verbs;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.rdma4j.core.link;
    exports io.rdma4j.core.pcap;
    exports io.rdma4j.core.wire;
}
