package io.rdma4j.testkit.contract;

import java.util.List;

/** Unreliable connections, and the send queue error. */
final class UcCases {
    private UcCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
