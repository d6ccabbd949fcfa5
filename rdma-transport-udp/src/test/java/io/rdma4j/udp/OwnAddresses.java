package io.rdma4j.udp;

import io.rdma4j.verbs.Gid;

/** Loopback addresses and groups that no other test process uses, so that tests of fixed ports can run side by side. */
final class OwnAddresses {
    private static final String NETWORK = network(ProcessHandle.current().pid());

    private OwnAddresses() {}

    /** The n-th address of this process. */
    static String host(int n) {
        return NETWORK + n;
    }

    /** The n-th multicast group of this process. */
    static Gid group(int n) {
        return Gid.parse("239." + NETWORK.substring(4) + n);
    }

    private static String network(long pid) {
        return "127." + (16 + pid % 200) + "." + pid / 200 % 250 + ".";
    }
}
