package io.rdma4j.testkit.contract;

import java.util.List;

/** Address handles. */
final class AhCases {
    private AhCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
