package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.List;

/** SENDs with invalidate, of keys of regions. */
final class RcInvalidateCases {
    private RcInvalidateCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "rc/SendWithInvalidate",
                                "L S; R S with WITH_INV and the key; that key then gives REM_ACCESS_ERR")
                        .covers(Feature.SEND_INVALIDATE)
                        .run(bed -> invalidate(bed, 64)),
                ContractCase.of("rc/SendWithInvalidateEmptySgl", "the same for a message without data")
                        .covers(Feature.SEND_INVALIDATE, Feature.ZERO_LENGTH)
                        .run(bed -> invalidate(bed, 0)),
                ContractCase.of("rc/SendWithInvalidateNoBuffer", "L RNR_RETRY_EXC_ERR; the key stays valid")
                        .covers(Feature.SEND_INVALIDATE, Feature.RNR)
                        .run(RcInvalidateCases::noReceive),
                ContractCase.of(
                                "rc/SendWithInvalidateBadRkey",
                                "R is no success, with its id; L nothing or REM_ACCESS_ERR")
                        .covers(Feature.SEND_INVALIDATE, Feature.ERROR_TABLE)
                        .run(RcInvalidateCases::badKey));
    }

    private static MemoryRegion region(ContractBed bed, Pair pair) {
        return bed.closing(pair.b()
                .domain()
                .registerMemory(MemoryRegionConfig.of(HostMemory.allocate(64))
                        .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
                        .remoteInvalidate()));
    }

    private static void invalidate(ContractBed bed, int length) {
        Pair pair = bed.pair();
        MemoryRegion region = region(bed, pair);
        pair.a().post(Operation.READ.request(1, pair.a().slice(0, 64), region.address(), region.remoteKey()));
        pair.a().expectSent(1);

        pair.b().postReceive(100, 0, 64);
        ScatterGatherElement[] elements = length == 0
                ? new ScatterGatherElement[0]
                : new ScatterGatherElement[] {pair.a().slice(128, length)};
        pair.a().post(SendWithInvalidate.of(2, region.remoteKey(), elements).signaled());
        assertEquals(WorkCompletionOpcode.SEND, pair.a().expectSent(2).opcode());
        WorkCompletion received = pair.b().expectReceived(100);
        assertEquals(WorkCompletion.FLAG_WITH_INVALIDATE, received.flags());
        assertTrue(received.hasInvalidated());
        assertEquals(region.remoteKey(), received.invalidatedKey());
        assertEquals(length, received.byteLength());
        Pair.expectSame(pair.a(), 128, pair.b(), 0, length);

        pair.a().post(Operation.READ.request(3, pair.a().slice(0, 64), region.address(), region.remoteKey()));
        pair.a().expectSent(3, REM_ACCESS_ERR);
    }

    private static void noReceive(ContractBed bed) {
        Pair pair = bed.pair(
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.rnrRetry(1).minRnrTimer(1)));
        MemoryRegion region = region(bed, pair);
        pair.a()
                .post(SendWithInvalidate.of(1, region.remoteKey(), pair.a().slice(0, 64))
                        .signaled());
        pair.a().expectSent(1, RNR_RETRY_EXC_ERR);

        Pair other = bed.pair();
        other.a().post(Operation.READ.request(2, other.a().slice(0, 64), region.address(), region.remoteKey()));
        other.a().expectSent(2);
    }

    private static void badKey(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a()
                .post(SendWithInvalidate.of(1, pair.b().badKey(), pair.a().slice(0, 64))
                        .signaled());
        WorkCompletion received = pair.b().nextReceived();
        assertNotEquals(SUCCESS, received.status());
        assertEquals(100, received.workRequestId());
        pair.b().expectState(ERR);
        WorkCompletion[] sent = WorkCompletion.array(1);
        if (bed.await(() -> pair.a().sends().poll(sent) == 1, bed.patience().dividedBy(10))) {
            assertEquals(REM_ACCESS_ERR, sent[0].status(), () -> sent[0].toString());
        }
    }
}
