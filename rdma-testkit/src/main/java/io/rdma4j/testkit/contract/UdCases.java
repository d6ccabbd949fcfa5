package io.rdma4j.testkit.contract;

import java.util.List;

/** Datagrams. */
final class UdCases {
    private UdCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
