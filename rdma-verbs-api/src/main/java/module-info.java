/**
 * The verbs API: devices, protection domains, memory regions, completion queues and queue pairs, as users of RDMA know
 * them from rdma-core, in Java style. Programs compile against this module alone; a provider is found at run time.
 */
module io.rdma4j.verbs {
    requires static transitive org.jspecify;

    exports io.rdma4j.verbs;
    exports io.rdma4j.verbs.spi;

    uses io.rdma4j.verbs.spi.RdmaProvider;
}
