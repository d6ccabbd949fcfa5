package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Opening.BIND;
import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.MW_BIND_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.rdma4j.testkit.contract.Opening.Target;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.SendWithImmediate;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BiConsumer;

/** Memory windows: what both types have in common. */
final class MwCases {
    private static final int BYTES = 4_096;

    private MwCases() {}

    static List<ContractCase> cases() {
        return List.of(
                each("mw/Alloc", "domain and type are right; freeing twice does nothing", MwCases::alloc),
                each("mw/UseOfFreed", "a freed window, a closed region or queue pair is refused", MwCases::freed),
                each("mw/Bind", "S, opcode BIND_MW", (bed, kind) -> {
                    Pair pair = bed.pair();
                    kind.open(bed, pair.b(), BYTES, Opening.ALL);
                }),
                each("mw/Read", "S, the bytes of the window", MwCases::read),
                ContractCase.of("mw/ReadZeroBased", "S; the address is the offset")
                        .covers(Feature.WINDOW_ZERO_BASED)
                        .run(MwCases::readZeroBased),
                each("mw/DeregMrWhenBound", "EBUSY; READs go on", MwCases::deregister),
                each("mw/UnsignaledBindError", "MW_BIND_ERR although unsignaled; ERR", MwCases::unsignaledError),
                each("mw/DestroyQpWithBound", "the queue pair is destroyed; the region can go", MwCases::destroy),
                each("mw/DeallocPdWithOutstandingMw", "EBUSY", MwCases::domain),
                each("mw/BindWhenQpError", "WR_FLUSH_ERR", MwCases::inError),
                each("mw/BindOrder", "a SEND behind the bind may tell the key: its reader finds it", MwCases::order),
                each("mw/DeallocBound", "freeing unbinds: REM_ACCESS_ERR, the region can go", MwCases::free),
                ContractCase.of("mw/BindAccess", "which rights of region and window go together")
                        .covers(Feature.WINDOW_1, Feature.WINDOW_2)
                        .each(BindRow.all(), MwCases::bindAccess));
    }

    private static ContractCase each(String id, String expectation, BiConsumer<ContractBed, Opening> body) {
        return ContractCase.of(id, expectation)
                .covers(Feature.WINDOW_1, Feature.WINDOW_2, Feature.WINDOW_END)
                .each(Opening.WINDOWS, body);
    }

    private static void alloc(ContractBed bed, Opening kind) {
        ProtectionDomain domain = bed.domain(0);
        MemoryWindow window = domain.allocateMemoryWindow(kind.type());
        assertSame(domain, window.protectionDomain());
        assertEquals(kind.type(), window.type());
        window.close();
        window.close();
    }

    private static void freed(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        End b = pair.b();
        MemoryRegion region = Opening.windowed(bed, b, HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, b);
        MemoryWindow gone = kind.allocate(bed, b);
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        gone.close();
        ContractBed.expectRefused(ErrorCode.EINVAL, () -> Opening.post(b.queuePair(), gone, binding, true));
        region.close();
        ContractBed.expectRefused(ErrorCode.EINVAL, () -> Opening.post(b.queuePair(), window, binding, true));
        b.queuePair().close();
        MemoryWindowBinding other = MemoryWindowBinding.of(b.region(), 0, BYTES, AccessFlag.REMOTE_READ);
        ContractBed.expectRefused(ErrorCode.EBADF, () -> Opening.post(b.queuePair(), window, other, true));
    }

    private static void read(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        Target target = kind.open(bed, pair.b(), BYTES, EnumSet.of(AccessFlag.REMOTE_READ));
        target.memory().putLong(8, 42);
        pair.a().post(READ.request(1, pair.a().slice(0, BYTES), target.address(), target.key()));
        pair.a().expectSent(1);
        assertEquals(42, pair.a().memory().getLong(8));
    }

    private static void readZeroBased(ContractBed bed) {
        Pair pair = bed.pair();
        Target target =
                Opening.WINDOW_2.open(bed, pair.b(), BYTES, EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.ZERO_BASED));
        target.memory().putLong(64, 42);
        pair.a().post(READ.request(1, pair.a().slice(0, 8), 64, target.key()));
        pair.a().expectSent(1);
        assertEquals(42, pair.a().memory().getLong(0));
        pair.a().post(READ.request(2, pair.a().slice(0, 8), BYTES - 7, target.key()));
        pair.a().expectSent(2, REM_ACCESS_ERR);
    }

    private static void deregister(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, pair.b());
        int key = Opening.bind(pair.b(), window, MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ));
        ContractBed.expectRefused(ErrorCode.EBUSY, region::close);
        pair.a().post(READ.request(1, pair.a().slice(0, BYTES), region.address(), key));
        pair.a().expectSent(1);
    }

    private static void unsignaledError(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindowBinding beyond = MemoryWindowBinding.of(region, 1, BYTES, AccessFlag.REMOTE_READ);
        Opening.post(pair.b().queuePair(), kind.allocate(bed, pair.b()), beyond, false);
        pair.b().expectSent(BIND, MW_BIND_ERR);
        pair.b().expectState(ERR);
    }

    private static void destroy(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, pair.b());
        Opening.bind(pair.b(), window, MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ));
        pair.b().queuePair().close();
        if (kind == Opening.WINDOW_1) {
            ContractBed.expectRefused(ErrorCode.EBUSY, region::close);
            window.close();
        }
        region.close();
    }

    private static void domain(ContractBed bed, Opening kind) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        MemoryWindow window = domain.allocateMemoryWindow(kind.type());
        ContractBed.expectRefused(ErrorCode.EBUSY, domain::close);
        window.close();
        domain.close();
    }

    private static void inError(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, pair.b());
        pair.b().move(ERR);
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        Opening.post(pair.b().queuePair(), window, binding, true);
        pair.b().expectSent(BIND, WR_FLUSH_ERR);
        region.close();
    }

    /** The side that binds sends the key at once; the other reads as soon as it has it. */
    private static void order(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, pair.b());
        pair.a().postReceive(100, 0, 8);
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        int key = Opening.post(pair.b().queuePair(), window, binding, false);
        pair.b().post(SendWithImmediate.of(1, key).signaled());
        int told = pair.a().expectReceived(100).immediateData();
        assertEquals(key, told);
        pair.a().post(READ.request(2, pair.a().slice(0, 64), region.address(), told));
        pair.a().expectSent(2);
        pair.b().expectSent(1);
    }

    private static void free(ContractBed bed, Opening kind) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = kind.allocate(bed, pair.b());
        int key = Opening.bind(pair.b(), window, MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ));
        window.close();
        region.close();
        pair.a().post(READ.request(1, pair.a().slice(0, 8), region.address(), key));
        pair.a().expectSent(1, REM_ACCESS_ERR);
    }

    private static void bindAccess(ContractBed bed, BindRow row) {
        Pair pair = bed.pair();
        End b = pair.b();
        MemoryRegion region = bed.closing(b.domain()
                .registerMemory(HostMemory.allocate(BYTES), row.ofRegion().toArray(AccessFlag[]::new)));
        MemoryWindow window = row.kind().allocate(bed, b);
        MemoryWindowBinding binding = new MemoryWindowBinding(region, region.address(), BYTES, row.ofWindow());
        if (row.isLegal()) {
            Opening.bind(b, window, binding);
        } else {
            Opening.post(b.queuePair(), window, binding, true);
            b.expectSent(BIND, MW_BIND_ERR);
        }
    }

    /** Two windows of type 2 with the same low bits of the key, for {@link MwTypeCases}. */
    static void sameVariant(ContractBed bed) {
        Pair pair = bed.pair();
        End b = pair.b();
        MemoryRegion region = Opening.windowed(bed, b, HostMemory.allocate(BYTES));
        MemoryWindow first = Opening.WINDOW_2.allocate(bed, b);
        MemoryWindow second = Opening.WINDOW_2.allocate(bed, b);
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        int ofFirst = RemoteKeys.withVariant(first.remoteKey(), 0x17);
        int ofSecond = RemoteKeys.withVariant(second.remoteKey(), 0x17);
        b.post(
                BindMemoryWindow.of(1, first, binding, ofFirst).signaled(),
                BindMemoryWindow.of(2, second, binding, ofSecond).signaled());
        b.expectSent(1);
        b.expectSent(2);
        assertNotEquals(ofFirst, ofSecond);
        assertEquals(0x17, first.remoteKey() & 0xFF);
        assertEquals(0x17, second.remoteKey() & 0xFF);
    }
}
