package io.rdma4j.testkit.contract;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases about one subject.
 *
 * @param title the subject
 * @param cases in the order in which they are run and listed
 */
public record ContractSection(String title, List<ContractCase> cases) {
    public ContractSection {
        cases = List.copyOf(cases);
    }

    @SafeVarargs
    static ContractSection of(String title, List<ContractCase>... parts) {
        List<ContractCase> all = new ArrayList<>();
        for (List<ContractCase> part : parts) {
            all.addAll(part);
        }
        return new ContractSection(title, all);
    }

    @Override
    public String toString() {
        return title;
    }
}
