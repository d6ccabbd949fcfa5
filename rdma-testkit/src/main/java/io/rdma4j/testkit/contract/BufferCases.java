package io.rdma4j.testkit.contract;

import java.util.List;

/** Ranges: before, behind, empty. */
final class BufferCases {
    private BufferCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
