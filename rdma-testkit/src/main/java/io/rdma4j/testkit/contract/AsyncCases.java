package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;

/** Asynchronous events. */
final class AsyncCases {
    private AsyncCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "async/ReadInvalidRkey",
                                "L REM_ACCESS_ERR and nothing arrives; the responder gets QP_ACCESS_ERR for its queue pair")
                        .covers(Feature.ASYNC_EVENTS, Feature.ERROR_TABLE)
                        .run(bed -> badKey(bed, true)),
                ContractCase.of(
                                "async/WriteInvalidRkey",
                                "L REM_ACCESS_ERR and nothing arrives; the responder gets QP_ACCESS_ERR for its queue pair")
                        .covers(Feature.ASYNC_EVENTS, Feature.ERROR_TABLE)
                        .run(bed -> badKey(bed, false)));
    }

    private static void badKey(ContractBed bed, boolean isRead) {
        Pair pair = bed.pair();
        int bad = pair.b().key() ^ 0x5A00;
        SendRequest request = isRead
                ? RdmaRead.of(1, pair.a().slice(0, 64)).from(pair.b().address(0), bad)
                : RdmaWrite.of(1, pair.a().slice(0, 64)).to(pair.b().address(0), bad);
        pair.a().post(request);
        pair.a().expectSent(1, WorkCompletionStatus.REM_ACCESS_ERR);
        bed.expectEvent(
                pair.b().device(),
                AsyncEventType.QP_ACCESS_ERR,
                pair.b().queuePair().number());
        bed.expectNoEvents();
        pair.a().expectUntouched();
        pair.b().expectUntouched();
    }
}
