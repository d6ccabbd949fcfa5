package io.rdma4j.testkit.contract;

import java.util.List;

/** Protection domains: children, and who may use what of whom. */
final class PdCases {
    private PdCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
