package io.rdma4j.testkit.contract;

import java.util.List;

/** Shared receive queues. */
final class SrqCases {
    private SrqCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
