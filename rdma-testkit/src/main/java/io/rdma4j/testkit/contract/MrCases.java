package io.rdma4j.testkit.contract;

import java.util.List;

/** Memory regions: registering, registering anew, ending. */
final class MrCases {
    private MrCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
