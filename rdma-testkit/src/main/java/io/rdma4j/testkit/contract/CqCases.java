package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import java.util.List;

/** Completion queues. */
final class CqCases {
    private CqCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("cq/Basic", "a queue holds at least what was asked for, and is destroyed")
                        .covers(Feature.CQ)
                        .run(CqCases::basic),
                ContractCase.of("cq/NegativeCqe", "a negative capacity is refused")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(bed -> expectRefused(
                                ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(-1))),
                ContractCase.of("cq/ZeroCqe", "a capacity of 0 is refused")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(bed -> expectRefused(
                                ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(0))));
    }

    private static void basic(ContractBed bed) {
        CompletionQueue queue = bed.device(0).createCompletionQueue(100);
        assertSame(bed.device(0), queue.device());
        assertTrue(queue.capacity() >= 100);
        queue.close();
        queue.close();
        expectRefused(ErrorCode.EBADF, () -> queue.resize(10));
    }
}
