package io.rdma4j.testkit.contract;

import java.util.List;

/** Multicast groups. */
final class MulticastCases {
    private MulticastCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
