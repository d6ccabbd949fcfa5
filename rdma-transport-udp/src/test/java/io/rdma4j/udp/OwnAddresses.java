package io.rdma4j.udp;

/** Loopback addresses that no other test process uses, so that tests of fixed ports can run side by side. */
final class OwnAddresses {
    private static final String NETWORK = network(ProcessHandle.current().pid());

    private OwnAddresses() {}

    /** The n-th address of this process. */
    static String host(int n) {
        return NETWORK + n;
    }

    private static String network(long pid) {
        return "127." + (16 + pid % 200) + "." + pid / 200 % 250 + ".";
    }
}
