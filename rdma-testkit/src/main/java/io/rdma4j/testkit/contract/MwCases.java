package io.rdma4j.testkit.contract;

import java.util.List;

/** Memory windows. */
final class MwCases {
    private MwCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
