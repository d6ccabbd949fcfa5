package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Opening.BIND;
import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.MW_BIND_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;

/** Protection domains of regions and windows: memory of another domain is none. */
final class PdMemoryCases {
    private static final int BYTES = 4_096;
    private static final List<Operation> ONE_SIDED =
            List.of(READ, Operation.WRITE, Operation.FETCH_ADD, Operation.COMPARE_SWAP);

    private PdMemoryCases() {}

    static List<ContractCase> cases() {
        return List.of(
                isolation("pd/MrRefCount", "EBUSY while a region lives").run(PdMemoryCases::busyRegion),
                isolation("pd/MwRefCount", "EBUSY while a window lives")
                        .each(Opening.WINDOWS, PdMemoryCases::busyWindow),
                isolation("pd/MwOnOtherPd", "type 1: EPERM; type 2: MW_BIND_ERR")
                        .each(Opening.WINDOWS, (bed, kind) -> bind(bed, kind, true, false)),
                isolation("pd/MrOnOtherPd", "type 1: EPERM; type 2: MW_BIND_ERR")
                        .each(Opening.WINDOWS, (bed, kind) -> bind(bed, kind, false, true)),
                isolation("pd/MrMwOnOtherPd", "MW_BIND_ERR")
                        .each(Opening.WINDOWS, (bed, kind) -> bind(bed, kind, true, true)),
                isolation("pd/SendMrOtherPdLocal", "L LOC_PROT_ERR").run(PdMemoryCases::sendFrom),
                isolation("pd/SendMrOtherPdRemote", "L REM_OP_ERR, R LOC_PROT_ERR")
                        .run(PdMemoryCases::sendTo),
                isolation("pd/MrOtherPdLocal", "L LOC_PROT_ERR").each(ONE_SIDED, PdMemoryCases::localElement),
                isolation("pd/MrOtherPdRemote", "L REM_ACCESS_ERR").each(ONE_SIDED, PdMemoryCases::remoteKey),
                isolation("pd/MwOtherPd", "L REM_ACCESS_ERR through a window of type 1 of another domain")
                        .each(ONE_SIDED, PdMemoryCases::windowKey));
    }

    private static ContractCase.Builder isolation(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.PD, Feature.PD_ISOLATION);
    }

    private static ProtectionDomain other(ContractBed bed, End end) {
        return bed.closing(end.device().allocateProtectionDomain());
    }

    private static MemoryRegion region(ContractBed bed, ProtectionDomain domain) {
        return bed.closing(domain.registerMemory(
                HostMemory.allocate(BYTES),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC,
                AccessFlag.MEMORY_WINDOW_BIND));
    }

    private static void busyRegion(ContractBed bed) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        MemoryRegion region = domain.registerMemory(HostMemory.allocate(BYTES));
        ContractBed.expectRefused(ErrorCode.EBUSY, domain::close);
        region.close();
        domain.close();
    }

    private static void busyWindow(ContractBed bed, Opening kind) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        MemoryWindow window = domain.allocateMemoryWindow(kind.type());
        ContractBed.expectRefused(ErrorCode.EBUSY, domain::close);
        window.close();
        domain.close();
    }

    private static void bind(ContractBed bed, Opening kind, boolean foreignWindow, boolean foreignRegion) {
        Pair pair = bed.pair();
        End b = pair.b();
        ProtectionDomain other = other(bed, b);
        MemoryRegion region = region(bed, foreignRegion ? other : b.domain());
        MemoryWindow window = bed.closing((foreignWindow ? other : b.domain()).allocateMemoryWindow(kind.type()));
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        if (kind == Opening.WINDOW_1 && foreignWindow != foreignRegion) {
            ContractBed.expectRefused(ErrorCode.EPERM, () -> Opening.post(b.queuePair(), window, binding, true));
        } else {
            Opening.post(b.queuePair(), window, binding, true);
            b.expectSent(BIND, MW_BIND_ERR);
        }
    }

    private static void sendFrom(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion foreign = region(bed, other(bed, pair.a()));
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.of(1, foreign.slice(0, 64)).signaled());
        pair.a().expectSent(1, LOC_PROT_ERR);
        pair.b().expectUntouched();
    }

    private static void sendTo(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion foreign = region(bed, other(bed, pair.b()));
        pair.b().queuePair().postReceive(ReceiveRequest.of(100, foreign.slice(0, 64)));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
    }

    private static void localElement(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        MemoryRegion foreign = region(bed, other(bed, pair.a()));
        pair.a()
                .post(operation.request(
                        1, foreign.slice(0, 8), pair.b().address(0), pair.b().key()));
        pair.a().expectSent(1, LOC_PROT_ERR);
    }

    private static void remoteKey(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        MemoryRegion foreign = region(bed, other(bed, pair.b()));
        pair.a().post(operation.request(1, pair.a().slice(0, 8), foreign.address(), foreign.remoteKey()));
        pair.a().expectSent(1, REM_ACCESS_ERR);
        pair.a().expectUntouched();
    }

    /** The window is bound by a queue pair of its own domain. */
    private static void windowKey(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        End b = pair.b();
        ProtectionDomain other = other(bed, b);
        MemoryRegion foreign = region(bed, other);
        MemoryWindow window = bed.closing(other.allocateMemoryWindow(Opening.WINDOW_1.type()));
        var binder = bed.closing(other.createQueuePair(QueuePairConfig.reliable(b.sends(), b.receives())));
        binder.connect(pair.a().queuePair().localAddress());
        MemoryWindowBinding binding = new MemoryWindowBinding(foreign, foreign.address(), BYTES, Opening.ALL);
        int key = Opening.post(binder, window, binding, true);
        WorkCompletion done = b.nextSent();
        assertTrue(done.isSuccess(), done::toString);
        pair.a().post(operation.request(1, pair.a().slice(0, 8), foreign.address(), key));
        pair.a().expectSent(1, REM_ACCESS_ERR);
    }
}
