package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.testkit.contract.Operation.SEND;
import static io.rdma4j.testkit.contract.Operation.WRITE;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** SENDs, READs and WRITEs of reliable connections with keys or addresses that are not valid. */
final class RcKeyCases {
    private RcKeyCases() {}

    static List<ContractCase> cases() {
        return List.of(
                localError("rc/SendInvalidLkey", SEND, true),
                localError("rc/UnsignaledSendError", SEND, false),
                localError("rc/ReadInvalidLkey", READ, true),
                localError("rc/UnsignaledReadError", READ, false),
                localError("rc/WriteInvalidLkey", WRITE, true),
                ContractCase.of("rc/ReadInvalidRkey", "L REM_ACCESS_ERR, the local memory untouched")
                        .covers(Feature.ERROR_TABLE, Feature.KEYS)
                        .run(bed -> remoteError(bed, READ)),
                ContractCase.of("rc/WriteInvalidRkey", "L REM_ACCESS_ERR, the remote memory untouched")
                        .covers(Feature.ERROR_TABLE, Feature.KEYS)
                        .run(bed -> remoteError(bed, WRITE)),
                ContractCase.of(
                                "rc/UnsignaledWriteInvalidRkey",
                                "L REM_ACCESS_ERR though unsignaled, the remote memory untouched")
                        .covers(Feature.ERROR_TABLE, Feature.SIGNALING)
                        .run(RcKeyCases::unsignaledRemoteError),
                ContractCase.of("rc/ReadUnregisteredRemoteAddress", "L REM_ACCESS_ERR, the local memory untouched")
                        .covers(Feature.ERROR_TABLE, Feature.RANGE_CHECK)
                        .run(bed -> unregistered(bed, READ, EnumSet.of(REM_ACCESS_ERR))),
                ContractCase.of("rc/WriteUnregisteredRemoteAddress", "L REM_ACCESS_ERR or RETRY_EXC_ERR")
                        .covers(Feature.ERROR_TABLE, Feature.RANGE_CHECK)
                        .run(bed -> unregistered(bed, WRITE, EnumSet.of(REM_ACCESS_ERR, RETRY_EXC_ERR))),
                ContractCase.of("rc/ReadInvalidRKeyAndInvalidLKey", "L REM_ACCESS_ERR: the remote end fails first")
                        .covers(Feature.ERROR_TABLE)
                        .run(bed -> bothBad(bed, READ, REM_ACCESS_ERR)),
                ContractCase.of("rc/WriteInvalidRKeyAndInvalidLKey", "L LOC_PROT_ERR: the data are gathered first")
                        .covers(Feature.ERROR_TABLE)
                        .run(bed -> bothBad(bed, WRITE, LOC_PROT_ERR)),
                ContractCase.of("rc/ReadDeregisteredRegion", "L REM_ACCESS_ERR: a key ends with its region")
                        .covers(Feature.KEYS, Feature.DEREGISTER)
                        .run(bed -> stale(bed, READ)),
                ContractCase.of("rc/WriteDeregisteredRegion", "L REM_ACCESS_ERR: a key ends with its region")
                        .covers(Feature.KEYS, Feature.DEREGISTER)
                        .run(bed -> stale(bed, WRITE)));
    }

    private static ContractCase localError(String id, Operation operation, boolean signaled) {
        return ContractCase.of(id, signaled ? "L LOC_PROT_ERR, the peer untouched" : "L LOC_PROT_ERR though unsignaled")
                .covers(Feature.ERROR_TABLE, Feature.KEYS, Feature.SIGNALING)
                .run(bed -> localError(bed, operation, signaled));
    }

    private static void localError(ContractBed bed, Operation operation, boolean signaled) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        b.postReceive(100, 0, 64);
        if (signaled) {
            a.post(operation.request(1, a.badSlice(0, 64), b.address(0), b.key()));
        } else if (operation == SEND) {
            a.post(Send.of(1, a.badSlice(0, 64)));
        } else {
            a.post(RdmaRead.of(1, a.badSlice(0, 64)).from(b.address(0), b.key()));
        }
        a.expectSent(1, LOC_PROT_ERR);
        a.expectState(ERR);
        a.expectUntouched();
        b.expectUntouched();
    }

    private static void remoteError(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        a.post(operation.request(1, a.slice(0, 64), b.address(0), b.badKey()));
        a.expectSent(1, REM_ACCESS_ERR);
        pair.expectState(ERR);
        a.expectUntouched();
        b.expectUntouched();
        bed.expectEvent(b.device(), AsyncEventType.QP_ACCESS_ERR, b.queuePair().number());
    }

    private static void unsignaledRemoteError(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a()
                .post(RdmaWrite.of(1, pair.a().slice(0, 64))
                        .to(pair.b().address(0), pair.b().badKey()));
        pair.a().expectSent(1, REM_ACCESS_ERR);
        pair.expectState(ERR);
        pair.b().expectUntouched();
    }

    private static void unregistered(ContractBed bed, Operation operation, Set<WorkCompletionStatus> allowed) {
        Pair pair = bed.pair();
        long beyond = pair.b().address(pair.b().region().length() + 4_096);
        pair.a()
                .post(operation.request(
                        1, pair.a().slice(0, 64), beyond, pair.b().key()));
        WorkCompletion done = pair.a().nextSent();
        assertTrue(allowed.contains(done.status()), done::toString);
        pair.a().expectState(ERR);
        pair.a().expectUntouched();
        pair.b().expectUntouched();
    }

    private static void bothBad(ContractBed bed, Operation operation, WorkCompletionStatus status) {
        Pair pair = bed.pair();
        pair.a()
                .post(operation.request(
                        1,
                        pair.a().badSlice(0, 64),
                        pair.b().address(0),
                        pair.b().badKey()));
        pair.a().expectSent(1, status);
        pair.a().expectState(ERR);
        pair.a().expectUntouched();
        pair.b().expectUntouched();
    }

    private static void stale(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        MemoryRegion region = pair.b()
                .domain()
                .registerMemory(
                        HostMemory.allocate(64),
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ);
        pair.a().post(operation.request(1, pair.a().slice(0, 64), region.address(), region.remoteKey()));
        pair.a().expectSent(1);
        region.close();
        pair.a().post(operation.request(2, pair.a().slice(0, 64), region.address(), region.remoteKey()));
        pair.a().expectSent(2, REM_ACCESS_ERR);
        pair.expectState(ERR);
    }
}
