package io.rdma4j.testkit.contract;

import java.util.List;

/** Access rights of regions and windows. */
final class AccessCases {
    private AccessCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
