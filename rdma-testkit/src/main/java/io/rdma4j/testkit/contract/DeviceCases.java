package io.rdma4j.testkit.contract;

import java.util.List;

/** Devices and their contexts. */
final class DeviceCases {
    private DeviceCases() {}

    static List<ContractCase> cases() {
        return List.of();
    }
}
