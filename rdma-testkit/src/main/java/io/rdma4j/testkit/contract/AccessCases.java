package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.testkit.contract.Operation.WRITE;
import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static io.rdma4j.verbs.AccessFlag.ZERO_BASED;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.testkit.contract.Opening.Target;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Access rights: of the memory at both ends, opened by a region or a window. */
final class AccessCases {
    private static final int BYTES = 256;

    private AccessCases() {}

    /** An operation through memory that was opened in some way. */
    private record Through(Operation operation, Opening opening) {
        static List<Through> all(List<Operation> operations) {
            List<Through> all = new ArrayList<>();
            for (Operation operation : operations) {
                for (Opening opening : Opening.values()) {
                    all.add(new Through(operation, opening));
                }
            }
            return all;
        }
    }

    static List<ContractCase> cases() {
        return List.of(
                messaging("access/MessagingAllAccess", "S, S", true, Set.of(LOCAL_WRITE, REMOTE_WRITE)),
                messaging("access/MessagingSourceMissingLocalWrite", "S, S", false, Set.of(LOCAL_WRITE, REMOTE_WRITE)),
                messaging("access/MessagingDestinationMissingRemoteWrite", "S, S", true, Set.of(LOCAL_WRITE)),
                messaging(
                        "access/MessagingDestinationMissingLocalWrite", "L REM_OP_ERR, R LOC_PROT_ERR", true, Set.of()),
                rdma("access/RdmaAllAccess", "the operation succeeds", Opening.ALL),
                ContractCase.of("access/RdmaZeroBased", "S at offsets; not for windows of type 1")
                        .covers(Feature.IOVA, Feature.WINDOW_ZERO_BASED)
                        .each(
                                Through.all(Operation.READ_WRITE).stream()
                                        .filter(through -> through.opening() != Opening.WINDOW_1)
                                        .toList(),
                                AccessCases::zeroBased),
                source("access/RdmaSourceMissingLocalWrite", "READ: LOC_PROT_ERR; WRITE: S", Operation.READ_WRITE),
                rdma(
                        "access/RdmaDestinationMissingRemoteWrite",
                        "WRITE: REM_ACCESS_ERR; READ: S",
                        EnumSet.of(REMOTE_READ, REMOTE_ATOMIC)),
                rdma(
                        "access/RdmaDestinationMissingRemoteRead",
                        "READ: REM_ACCESS_ERR; WRITE: S",
                        EnumSet.of(REMOTE_WRITE, REMOTE_ATOMIC)),
                rdma(
                        "access/RdmaDestinationMissingRemoteAtomic",
                        "the operation succeeds",
                        EnumSet.of(REMOTE_WRITE, REMOTE_READ)),
                atomic("access/AtomicAllAccess", "the operation succeeds", Opening.ALL),
                atomic(
                        "access/AtomicDestinationMissingRemoteWrite",
                        "the operation succeeds",
                        EnumSet.of(REMOTE_READ, REMOTE_ATOMIC)),
                atomic(
                        "access/AtomicDestinationMissingRemoteRead",
                        "the operation succeeds",
                        EnumSet.of(REMOTE_WRITE, REMOTE_ATOMIC)),
                source("access/AtomicSourceMissingLocalWrite", "LOC_PROT_ERR", Operation.ATOMICS),
                atomic(
                        "access/AtomicDestinationMissingRemoteAtomic",
                        "REM_ACCESS_ERR",
                        EnumSet.of(REMOTE_WRITE, REMOTE_READ)));
    }

    private static MemoryRegion region(ContractBed bed, End end, Set<AccessFlag> access) {
        return bed.closing(end.domain().registerMemory(HostMemory.allocate(BYTES), access.toArray(AccessFlag[]::new)));
    }

    private static ContractCase messaging(
            String id, String expectation, boolean writableSource, Set<AccessFlag> destination) {
        return ContractCase.of(id, expectation).covers(Feature.REGISTER).run(bed -> {
            Pair pair = bed.pair();
            MemoryRegion from = region(bed, pair.a(), writableSource ? Set.of(LOCAL_WRITE) : Set.of());
            MemoryRegion to = region(bed, pair.b(), destination);
            boolean placed = destination.contains(LOCAL_WRITE);
            pair.b().queuePair().postReceive(ReceiveRequest.of(100, to.all()));
            pair.a().post(Send.of(1, from.all()).signaled());
            pair.a().expectSent(1, placed ? SUCCESS : REM_OP_ERR);
            pair.b().expectReceived(100, placed ? SUCCESS : LOC_PROT_ERR);
        });
    }

    private static ContractCase rdma(String id, String expectation, Set<AccessFlag> rights) {
        return remote(id, expectation, Operation.READ_WRITE, rights);
    }

    private static ContractCase atomic(String id, String expectation, Set<AccessFlag> rights) {
        return remote(id, expectation, Operation.ATOMICS, rights);
    }

    private static ContractCase remote(
            String id, String expectation, List<Operation> operations, Set<AccessFlag> rights) {
        return ContractCase.of(id, expectation)
                .covers(Feature.REGISTER, Feature.WINDOW_1, Feature.WINDOW_2)
                .each(Through.all(operations), (bed, through) -> {
                    Pair pair = bed.pair();
                    Target target = through.opening().open(bed, pair.b(), BYTES, rights);
                    boolean granted = rights.contains(rightFor(through.operation()));
                    perform(pair.a(), through.operation(), target, granted ? SUCCESS : REM_ACCESS_ERR);
                });
    }

    static AccessFlag rightFor(Operation operation) {
        return switch (operation) {
            case READ -> REMOTE_READ;
            case WRITE -> REMOTE_WRITE;
            default -> REMOTE_ATOMIC;
        };
    }

    /** Does it with eight bytes, and looks at both ends. */
    private static void perform(End a, Operation operation, Target target, WorkCompletionStatus status) {
        target.memory().putLong(8, 0);
        long before = a.memory().getLong(0);
        a.post(operation.request(1, a.slice(0, Long.BYTES), target.address() + 8, target.key()));
        a.expectSent(1, status);
        boolean done = status == SUCCESS;
        boolean atomic = Operation.ATOMICS.contains(operation);
        boolean fetched = done && operation != WRITE;
        assertEquals(fetched ? 0 : before, a.memory().getLong(0));
        if (!done || operation == READ) {
            assertEquals(0, target.memory().getLong(8));
        } else {
            assertEquals(atomic ? 1 : before, target.memory().getLong(8));
        }
    }

    private static void zeroBased(ContractBed bed, Through through) {
        Pair pair = bed.pair();
        Set<AccessFlag> rights = EnumSet.of(ZERO_BASED);
        rights.addAll(Opening.ALL);
        Target target = through.opening().open(bed, pair.b(), BYTES, rights);
        assertEquals(0, target.address());
        perform(pair.a(), through.operation(), target, SUCCESS);
    }

    /** The local element is of a region without LOCAL_WRITE, which only matters where something is put there. */
    private static ContractCase source(String id, String expectation, List<Operation> operations) {
        return ContractCase.of(id, expectation)
                .covers(Feature.REGISTER, Feature.WINDOW_1, Feature.WINDOW_2)
                .each(Through.all(operations), (bed, through) -> {
                    Pair pair = bed.pair();
                    MemoryRegion local = region(bed, pair.a(), Set.of());
                    Target target = through.opening().open(bed, pair.b(), BYTES, Opening.ALL);
                    pair.a()
                            .post(through.operation()
                                    .request(1, local.slice(0, Long.BYTES), target.address(), target.key()));
                    pair.a().expectSent(1, through.operation() == WRITE ? SUCCESS : LOC_PROT_ERR);
                    assertEquals(0, local.longAcquire(0));
                });
    }
}
