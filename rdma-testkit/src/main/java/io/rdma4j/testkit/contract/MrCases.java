package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.testkit.contract.Operation.WRITE;
import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegister;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Memory regions: registering, registering anew, ending. */
final class MrCases {
    private static final int BYTES = 4_096;
    private static final AccessFlag[] OPEN = {LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC};

    private MrCases() {}

    static List<ContractCase> cases() {
        return List.of(
                region("mr/RegisterMemory", "domain, length, keys and rights are right")
                        .run(MrCases::register),
                region("mr/DeregInvalidMr", "a closed region is refused; closing twice does nothing")
                        .run(MrCases::closed),
                region("mr/RemoteWriteWithoutLocalWrite", "EINVAL").run(bed -> refused(bed, REMOTE_WRITE)),
                region("mr/RemoteAtomicWithoutLocalWrite", "EINVAL").run(bed -> refused(bed, REMOTE_ATOMIC)),
                again("mr/ReregMrChangeAddress", "0, the region tells it").run(MrCases::changeAddress),
                again("mr/ReregMrChangePd", "0, the region tells it").run(MrCases::changeDomain),
                again("mr/ReregMrInvalidPermission", "EINVAL, the region as it was")
                        .run(MrCases::badPermission),
                again("mr/ReregMrInvalidBuffer", "EINVAL, the region as it was").run(MrCases::badBuffer),
                again("mr/ReregMrChangeAccess", "READ after REMOTE_READ was dropped: REM_ACCESS_ERR")
                        .run(bed -> dropped(bed, READ, LOCAL_WRITE, REMOTE_WRITE, REMOTE_ATOMIC)),
                again("mr/ReregMrDropWrite", "WRITE after REMOTE_WRITE was dropped: REM_ACCESS_ERR")
                        .run(bed -> dropped(bed, WRITE, LOCAL_WRITE, REMOTE_READ, REMOTE_ATOMIC)),
                again("mr/ReregMrDropAtomic", "an atomic after REMOTE_ATOMIC was dropped: REM_ACCESS_ERR")
                        .run(bed -> dropped(bed, Operation.FETCH_ADD, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE)),
                again("mr/ReregMrOldReceive", "a SEND into a receive of the old memory: REM_OP_ERR, LOC_PROT_ERR")
                        .run(bed -> oldReceive(bed, MemoryRegionUpdate.none().translation(HostMemory.allocate(BYTES)))),
                again("mr/ReregMrOtherPdReceive", "a SEND into a receive of a region now elsewhere: REM_OP_ERR")
                        .run(bed -> oldReceive(
                                bed,
                                MemoryRegionUpdate.none()
                                        .protectionDomain(
                                                bed.closing(bed.device(1).allocateProtectionDomain())))),
                ContractCase.of("mr/OutstandingRecv", "deregistration with receives posted: nothing completes")
                        .covers(Feature.DEREGISTER)
                        .run(MrCases::outstandingReceive),
                ContractCase.of("mr/OutstandingWrite", "deregistration with WRITEs in flight: at least one S")
                        .covers(Feature.DEREGISTER)
                        .run(MrCases::outstandingWrite),
                ContractCase.of("mr/LargeRegion", "a region of more than 4 GiB: READ at its end")
                        .covers(Feature.ODD_REGIONS)
                        .run(MrCases::large),
                ContractCase.of("mr/Overlapping", "two regions of one memory: both see what the other does")
                        .covers(Feature.ODD_REGIONS)
                        .run(MrCases::overlapping),
                ContractCase.of("mr/NullRegion", "reads as zeros, swallows, and no peer can use it")
                        .covers(Feature.NULL_REGION)
                        .run(MrCases::nullRegion),
                ContractCase.of("bug/39", "a receive element beyond its region takes a message that fits, and no other")
                        .covers(Feature.RANGE_CHECK)
                        .run(MrCases::receiveBeyond),
                ContractCase.of("bug/8", "register, use, invalidate and register again, for many rounds")
                        .covers(Feature.FAST_REGISTER, Feature.LOCAL_INVALIDATE, Feature.SEND_INVALIDATE, Feature.KEYS)
                        .run(MrCases::fastRegistration));
    }

    private static void receiveBeyond(ContractBed bed) {
        Pair pair = bed.pair();
        ScatterGatherElement beyond = new ScatterGatherElement(
                pair.b().address(pair.b().region().length() - 64),
                128,
                pair.b().region().localKey());
        pair.b().queuePair().postReceive(List.of(ReceiveRequest.of(100, beyond), ReceiveRequest.of(101, beyond)));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        pair.a().post(Send.of(2, pair.a().slice(0, 65)).signaled());
        pair.a().expectSent(2, REM_OP_ERR);
        pair.b().expectReceived(101, LOC_PROT_ERR);
    }

    private static ContractCase.Builder region(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.REGISTER);
    }

    private static ContractCase.Builder again(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.REREGISTER);
    }

    private static MemoryRegion open(ContractBed bed, End end, ByteBuffer memory) {
        return bed.closing(end.domain().registerMemory(memory, OPEN));
    }

    private static void register(ContractBed bed) {
        ProtectionDomain domain = bed.domain(0);
        MemoryRegion first = bed.closing(domain.registerMemory(HostMemory.allocate(BYTES), OPEN));
        MemoryRegion second = bed.closing(domain.registerMemory(HostMemory.allocate(BYTES), OPEN));
        assertSame(domain, first.protectionDomain());
        assertEquals(BYTES, first.length());
        assertEquals(Set.of(OPEN), first.access());
        assertNotEquals(first.remoteKey(), second.remoteKey());
        assertNotEquals(first.localKey(), second.localKey());
        boolean apart = second.address() > first.address() + BYTES || first.address() > second.address() + BYTES;
        assertTrue(apart, "a gap between regions");
    }

    private static void closed(ContractBed bed) {
        MemoryRegion region = bed.domain(0).registerMemory(HostMemory.allocate(BYTES), OPEN);
        region.close();
        region.close();
        ContractBed.expectRefused(ErrorCode.EBADF, () -> region.longAcquire(0));
        ContractBed.expectRefused(
                ErrorCode.EBADF,
                () -> region.reregister(MemoryRegionUpdate.none().access()));
    }

    private static void refused(ContractBed bed, AccessFlag flag) {
        ContractBed.expectRefused(
                ErrorCode.EINVAL, () -> bed.domain(0).registerMemory(HostMemory.allocate(BYTES), flag));
    }

    private static void changeAddress(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        long before = region.address();
        ByteBuffer other = HostMemory.allocate(2 * BYTES);
        other.putLong(BYTES, 42);
        region.reregister(MemoryRegionUpdate.none().translation(other));
        assertEquals(2 * BYTES, region.length());
        assertNotEquals(before, region.address());
        pair.a().post(READ.request(1, pair.a().slice(0, 8), region.address() + BYTES, region.remoteKey()));
        pair.a().expectSent(1);
        assertEquals(42, pair.a().memory().getLong(0));
        pair.a().post(READ.request(2, pair.a().slice(0, 8), before, region.remoteKey()));
        pair.a().expectSent(2, REM_ACCESS_ERR);
    }

    private static void changeDomain(ContractBed bed) {
        Pair pair = bed.pair();
        ProtectionDomain other = bed.closing(pair.b().device().allocateProtectionDomain());
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        region.reregister(MemoryRegionUpdate.none().protectionDomain(other));
        assertSame(other, region.protectionDomain());
        ContractBed.expectRefused(ErrorCode.EBUSY, other::close);
        pair.a().post(READ.request(1, pair.a().slice(0, 8), region.address(), region.remoteKey()));
        pair.a().expectSent(1, REM_ACCESS_ERR);
    }

    private static void badPermission(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        ContractBed.expectRefused(
                ErrorCode.EINVAL,
                () -> region.reregister(MemoryRegionUpdate.none().access(REMOTE_WRITE)));
        ContractBed.expectRefused(ErrorCode.EINVAL, () -> region.reregister(MemoryRegionUpdate.none()));
        stillServes(pair, region);
    }

    private static void badBuffer(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        ContractBed.expectRefused(
                ErrorCode.EINVAL,
                () -> region.reregister(MemoryRegionUpdate.none().translation(ByteBuffer.allocate(8))));
        stillServes(pair, region);
    }

    private static void stillServes(Pair pair, MemoryRegion region) {
        assertEquals(Set.of(OPEN), region.access());
        pair.a().post(WRITE.request(1, pair.a().slice(0, 8), region.address(), region.remoteKey()));
        pair.a().expectSent(1);
        assertEquals(pair.a().memory().getLong(0), region.longAcquire(0));
    }

    private static void dropped(ContractBed bed, Operation operation, AccessFlag... left) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        pair.a().post(operation.request(1, pair.a().slice(0, 8), region.address(), region.remoteKey()));
        pair.a().expectSent(1);
        region.reregister(MemoryRegionUpdate.none().access(left));
        assertEquals(Set.of(left), region.access());
        pair.a().post(operation.request(2, pair.a().slice(0, 8), region.address(), region.remoteKey()));
        pair.a().expectSent(2, REM_ACCESS_ERR);
    }

    private static void oldReceive(ContractBed bed, MemoryRegionUpdate update) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        pair.b().queuePair().postReceive(ReceiveRequest.of(100, region.slice(0, 64)));
        region.reregister(update);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        assertEquals(0, region.longAcquire(0));
        region.close();
    }

    private static void outstandingReceive(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = open(bed, pair.b(), HostMemory.allocate(BYTES));
        for (int id = 0; id < 4; id++) {
            pair.b().queuePair().postReceive(ReceiveRequest.of(id, region.slice(0, 64)));
        }
        region.close();
        pair.b().expectNothing();
    }

    private static void outstandingWrite(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        MemoryRegion region = open(bed, a, HostMemory.allocate(BYTES));
        int writes = 100;
        for (int id = 0; id < writes; id++) {
            a.post(WRITE.request(id, region.all(), pair.b().address(0), pair.b().key()));
        }
        a.expectSent(0);
        region.close();
        a.post(WRITE.request(writes, region.all(), pair.b().address(0), pair.b().key()));
        Set<WorkCompletionStatus> allowed = EnumSet.of(SUCCESS, LOC_PROT_ERR, WR_FLUSH_ERR);
        boolean failed = false;
        for (int id = 1; id <= writes; id++) {
            WorkCompletion done = a.nextSent();
            assertTrue(allowed.contains(done.status()), done::toString);
            assertFalse(failed && done.isSuccess(), "a success behind a failure");
            failed |= !done.isSuccess();
        }
        assertTrue(failed, "the last WRITE was posted when the region was gone");
    }

    /** The same memory again and again: the machine need not have so much. */
    private static void large(ContractBed bed) {
        Pair pair = bed.pair();
        int step = 16 << 20;
        ByteBuffer memory = HostMemory.allocate(step);
        memory.putLong(step - 8, 42);
        ByteBuffer[] parts = new ByteBuffer[260];
        Arrays.fill(parts, memory);
        MemoryRegion region = bed.closing(
                pair.b().domain().registerMemory(MemoryRegionConfig.of(parts).access(OPEN)));
        assertTrue(region.length() > 1L << 32);
        long last = region.address() + region.length() - 8;
        pair.a().post(READ.request(1, pair.a().slice(0, 8), last, region.remoteKey()));
        pair.a().expectSent(1);
        assertEquals(42, pair.a().memory().getLong(0));
        pair.a().post(READ.request(2, pair.a().slice(0, 8), last + 1, region.remoteKey()));
        pair.a().expectSent(2, REM_ACCESS_ERR);
    }

    private static void overlapping(ContractBed bed) {
        Pair pair = bed.pair();
        ByteBuffer memory = HostMemory.allocate(BYTES);
        MemoryRegion whole = open(bed, pair.b(), memory);
        MemoryRegion half = open(bed, pair.b(), memory.slice(BYTES / 2, BYTES / 2));
        pair.a().post(WRITE.request(1, pair.a().slice(0, 8), whole.address() + BYTES / 2, whole.remoteKey()));
        pair.a().post(READ.request(2, pair.a().slice(64, 8), half.address(), half.remoteKey()));
        pair.a().expectSent(1);
        pair.a().expectSent(2);
        assertEquals(pair.a().memory().getLong(0), pair.a().memory().getLong(64));
    }

    private static void nullRegion(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        MemoryRegion none = bed.closing(b.domain().allocateNullRegion());
        a.postReceive(100, 0, 3 * BYTES);
        b.post(Send.of(1, none.slice(1L << 33, 3 * BYTES)).signaled());
        assertEquals(3 * BYTES, a.expectReceived(100).byteLength());
        b.expectSent(1);
        for (int i = 0; i < 3 * BYTES; i += Long.BYTES) {
            assertEquals(0, a.memory().getLong(i));
        }
        b.post(READ.request(2, none.slice(0, 3 * BYTES), a.address(0), a.key()));
        b.expectSent(2);
        b.post(Operation.FETCH_ADD.request(3, none.slice(0, 8), a.address(0), a.key()));
        b.expectSent(3);
        assertEquals(1, a.memory().getLong(0));
        a.post(READ.request(4, a.slice(0, 8), 0, none.remoteKey()));
        a.expectSent(4, REM_ACCESS_ERR);
    }

    /** As a storage protocol does: a key for each transfer, ended by the side that owns it or by the other's answer. */
    private static void fastRegistration(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        FastRegistrationRegion region = bed.closing(b.domain().allocateFastRegistration(2));
        ByteBuffer memory = HostMemory.allocate(2 * BYTES);
        int rounds = bed.limited("rounds", 100_000, 2_000, 200);
        int stale = region.remoteKey();
        for (int round = 0; round < rounds; round++) {
            region.map(memory.slice(0, BYTES), memory.slice(BYTES, BYTES));
            int key = RemoteKeys.increment(region.remoteKey());
            b.post(FastRegister.of(1, region, key, OPEN));
            a.postReceive(100);
            b.post(SendWithImmediate.of(2, key).signaled());
            assertEquals(key, a.expectReceived(100).immediateData());
            b.expectSent(2);
            a.memory().putLong(0, round);
            a.post(WRITE.request(3, a.slice(0, 8), region.address() + BYTES, key));
            a.expectSent(3);
            assertEquals(round, memory.getLong(BYTES));
            if (round % 2 == 0) {
                b.post(LocalInvalidate.of(4, key).signaled());
                b.expectSent(4);
            } else {
                b.postReceive(200);
                a.post(SendWithInvalidate.of(5, key).signaled());
                assertEquals(key, b.expectReceived(200).invalidatedKey());
                a.expectSent(5);
            }
            stale = key;
        }
        assertFalse(region.isValid());
        a.post(WRITE.request(6, a.slice(0, 8), region.address(), stale));
        a.expectSent(6, REM_ACCESS_ERR);
    }
}
