package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Opening.BIND;
import static io.rdma4j.testkit.contract.Operation.READ;
import static io.rdma4j.verbs.WorkCompletionStatus.MW_BIND_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Memory windows: what one type has and the other has not. */
final class MwTypeCases {
    private static final int BYTES = 4_096;
    private static final int READS = 200;

    private MwTypeCases() {}

    static List<ContractCase> cases() {
        return List.of(
                one("mw/Type1BindZeroLength", "S: it unbinds; the old key REM_ACCESS_ERR")
                        .run(MwTypeCases::unbind),
                one("mw/Type1Rebind", "S; the new key works, the old REM_ACCESS_ERR")
                        .run(MwTypeCases::rebind),
                one("mw/CrossQpManagement", "S: another queue pair binds it anew")
                        .run(MwTypeCases::otherBinds),
                one("mw/Type1BindOnType2", "EINVAL").run(MwTypeCases::wrongWay),
                two("mw/Type2BindZeroLength", "MW_BIND_ERR").run(MwTypeCases::bindNothing),
                two("mw/Type2UnsignaledBind", "no completion of it; that of the next")
                        .run(MwTypeCases::unsignaled),
                two("mw/BindRKeyReuse", "two windows, one key byte: both S, other keys")
                        .run(MwCases::sameVariant),
                two("mw/RebindToDifferentQp", "MW_BIND_ERR").run(MwTypeCases::rebindByOther),
                two("mw/RebindToDifferentRKey", "MW_BIND_ERR").run(MwTypeCases::rebindTwo),
                two("mw/CrossQpRead", "REM_ACCESS_ERR").run(MwTypeCases::otherReads),
                invalidate("mw/LocalInvalidate", "S, then READ REM_ACCESS_ERR", true),
                invalidate("mw/UnsignaledLocalInvalidate", "then READ REM_ACCESS_ERR", false),
                two("mw/UnsignaledLocalInvalidateError", "a wrong key: MW_BIND_ERR although unsignaled")
                        .covers(Feature.LOCAL_INVALIDATE)
                        .run(MwTypeCases::invalidateWrong),
                two("mw/LocalInvalidateOtherQp", "MW_BIND_ERR; the window stays")
                        .covers(Feature.LOCAL_INVALIDATE)
                        .run(MwTypeCases::invalidateOther),
                sendInvalidate("rc/SendWithInvalidateWindow", "L S, R S with the key; then REM_ACCESS_ERR", 0),
                sendInvalidate("rc/SendWithInvalidateType1Rkey", "R is no success; L nothing or REM_ACCESS_ERR", 1),
                sendInvalidate("rc/SendWithInvalidateWrongQp", "R is no success; L nothing or REM_ACCESS_ERR", 2),
                two("mw/InFlight", "hundreds of READs while the window is bound, bound anew, invalidated, freed")
                        .covers(Feature.WINDOW_END)
                        .each(Event.class, MwTypeCases::inFlight));
    }

    private static ContractCase.Builder one(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.WINDOW_1);
    }

    private static ContractCase.Builder two(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.WINDOW_2);
    }

    /** A region of one end with a window on it. */
    private static final class Bound {
        final MemoryRegion region;
        final MemoryWindow window;
        final int key;

        Bound(ContractBed bed, End end, Opening kind) {
            region = Opening.windowed(bed, end, HostMemory.allocate(2 * BYTES));
            window = kind.allocate(bed, end);
            key = Opening.bind(end, window, part(0));
        }

        MemoryWindowBinding part(long offset) {
            return MemoryWindowBinding.of(region, offset, BYTES, AccessFlag.REMOTE_READ);
        }

        void read(End reader, long id, int usedKey, WorkCompletionStatus status) {
            reader.post(READ.request(id, reader.slice(0, 64), region.address() + BYTES - 64, usedKey));
            reader.expectSent(id, status);
        }
    }

    private static void unbind(ContractBed bed) {
        Pair pair = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_1);
        Opening.bind(pair.b(), bound.window, MemoryWindowBinding.nothing());
        bound.read(pair.a(), 1, bound.key, REM_ACCESS_ERR);
        bound.region.close();
    }

    private static void rebind(ContractBed bed) {
        Pair pair = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_1);
        int key = Opening.bind(pair.b(), bound.window, bound.part(64));
        assertNotEquals(bound.key, key);
        bound.read(pair.a(), 1, key, SUCCESS);
        bound.read(pair.a(), 2, bound.key, REM_ACCESS_ERR);
    }

    private static void otherBinds(ContractBed bed) {
        Pair pair = bed.pair();
        Pair other = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_1);
        int key = Opening.bind(other.b(), bound.window, bound.part(64));
        bound.read(pair.a(), 1, key, SUCCESS);
        bound.read(other.a(), 2, key, SUCCESS);
    }

    private static void wrongWay(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = Opening.WINDOW_2.allocate(bed, pair.b());
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        ContractBed.expectRefused(
                ErrorCode.EINVAL, () -> pair.b().queuePair().bindMemoryWindow(1, window, binding, true));
    }

    private static void bindNothing(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryWindow window = Opening.WINDOW_2.allocate(bed, pair.b());
        Opening.post(pair.b().queuePair(), window, MemoryWindowBinding.nothing(), true);
        pair.b().expectSent(BIND, MW_BIND_ERR);
    }

    private static void unsignaled(ContractBed bed) {
        Pair pair = bed.pair();
        MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
        MemoryWindow window = Opening.WINDOW_2.allocate(bed, pair.b());
        MemoryWindowBinding binding = MemoryWindowBinding.of(region, 0, BYTES, AccessFlag.REMOTE_READ);
        Opening.post(pair.b().queuePair(), window, binding, false);
        pair.a().postReceive(100);
        pair.b().post(Send.of(1).signaled());
        assertEquals(WorkCompletionOpcode.SEND, pair.b().expectSent(1).opcode());
        pair.a().expectReceived(100);
    }

    private static void rebindByOther(ContractBed bed) {
        Pair pair = bed.pair();
        Pair other = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        Opening.post(other.b().queuePair(), bound.window, bound.part(0), true);
        other.b().expectSent(BIND, MW_BIND_ERR);
        bound.read(pair.a(), 1, bound.key, SUCCESS);
    }

    private static void rebindTwo(ContractBed bed) {
        Pair pair = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        int key = RemoteKeys.increment(bound.key);
        pair.b().post(BindMemoryWindow.of(1, bound.window, bound.part(64), key));
        pair.b().expectSent(1, MW_BIND_ERR);
    }

    private static void otherReads(ContractBed bed) {
        Pair pair = bed.pair();
        Pair other = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        bound.read(other.a(), 1, bound.key, REM_ACCESS_ERR);
        bound.read(pair.a(), 2, bound.key, SUCCESS);
    }

    private static ContractCase invalidate(String id, String expectation, boolean signaled) {
        return two(id, expectation).covers(Feature.LOCAL_INVALIDATE).run(bed -> {
            Pair pair = bed.pair();
            Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
            LocalInvalidate request = LocalInvalidate.of(1, bound.key);
            pair.a().postReceive(100);
            pair.b().post(signaled ? request.signaled() : request, Send.of(2).signaled());
            if (signaled) {
                assertEquals(
                        WorkCompletionOpcode.LOCAL_INV, pair.b().expectSent(1).opcode());
            }
            pair.b().expectSent(2);
            pair.a().expectReceived(100);
            bound.read(pair.a(), 3, bound.key, REM_ACCESS_ERR);
            bound.region.close();
        });
    }

    private static void invalidateWrong(ContractBed bed) {
        Pair pair = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        pair.b().post(LocalInvalidate.of(1, RemoteKeys.increment(bound.key)));
        pair.b().expectSent(1, MW_BIND_ERR);
    }

    private static void invalidateOther(ContractBed bed) {
        Pair pair = bed.pair();
        Pair other = bed.pair();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        other.b().post(LocalInvalidate.of(1, bound.key));
        other.b().expectSent(1, MW_BIND_ERR);
        bound.read(pair.a(), 2, bound.key, SUCCESS);
    }

    /** Of a window that the receiving queue pair bound (0), of one of type 1 (1), of another queue pair's (2). */
    private static ContractCase sendInvalidate(String id, String expectation, int whose) {
        return two(id, expectation).covers(Feature.SEND_INVALIDATE).run(bed -> {
            Pair pair = bed.pair();
            End binder = whose == 2 ? bed.pair().b() : pair.b();
            Bound bound = new Bound(bed, binder, whose == 1 ? Opening.WINDOW_1 : Opening.WINDOW_2);
            pair.b().postReceive(100, 0, 64);
            pair.a()
                    .post(SendWithInvalidate.of(1, bound.key, pair.a().slice(0, 64))
                            .signaled());
            WorkCompletion received = pair.b().nextReceived();
            assertEquals(100, received.workRequestId());
            if (whose == 0) {
                assertEquals(SUCCESS, received.status());
                assertEquals(bound.key, received.invalidatedKey());
                pair.a().expectSent(1);
                bound.read(pair.a(), 2, bound.key, REM_ACCESS_ERR);
                return;
            }
            assertNotEquals(SUCCESS, received.status());
            pair.b().expectState(QueuePairState.ERR);
            WorkCompletion[] sent = WorkCompletion.array(1);
            if (bed.await(() -> pair.a().sends().poll(sent) == 1, bed.patience().dividedBy(10))) {
                assertEquals(REM_ACCESS_ERR, sent[0].status(), () -> sent[0].toString());
            }
            ContractBed.expectRefused(ErrorCode.EBUSY, bound.region::close);
        });
    }

    /** What happens to the window while READs are in flight. */
    private enum Event {
        NOTHING(SUCCESS),
        REBIND(RETRY_EXC_ERR),
        INVALIDATE(REM_ACCESS_ERR),
        DEALLOCATE(REM_ACCESS_ERR);

        /** What the first READ that fails ends with; a queue pair that fails with its bind is silent from then on. */
        final WorkCompletionStatus first;

        Event(WorkCompletionStatus first) {
            this.first = first;
        }

        void happen(Pair pair, Bound bound) {
            switch (this) {
                case NOTHING -> {
                    // The READs alone.
                }
                case REBIND -> {
                    int key = RemoteKeys.increment(bound.key);
                    pair.b().post(BindMemoryWindow.of(1, bound.window, bound.part(0), key));
                    pair.b().expectSent(1, MW_BIND_ERR);
                }
                case INVALIDATE -> {
                    pair.b().post(LocalInvalidate.of(1, bound.key).signaled());
                    pair.b().expectSent(1);
                }
                case DEALLOCATE -> bound.window.close();
            }
        }
    }

    private static void inFlight(ContractBed bed, Event event) {
        Pair pair = bed.pair(PairPlan.RELIABLE
                .shape(config -> config.maxSendWorkRequests(READS + 1))
                .options(ConnectOptions.DEFAULT.timeout(12).retryCount(1)));
        End a = pair.a();
        Bound bound = new Bound(bed, pair.b(), Opening.WINDOW_2);
        for (int id = 0; id < READS; id++) {
            a.post(READ.request(id, a.slice(0, BYTES), bound.region.address(), bound.key));
        }
        for (int id = 0; id < 10; id++) {
            a.expectSent(id);
        }
        event.happen(pair, bound);
        a.post(READ.request(READS, a.slice(0, BYTES), bound.region.address(), bound.key));
        boolean failed = false;
        for (int id = 10; id <= READS; id++) {
            WorkCompletion done = a.nextSent();
            assertEquals(id, done.workRequestId());
            assertTrue(expected(event, failed).contains(done.status()), done::toString);
            failed |= !done.isSuccess();
        }
        assertEquals(event != Event.NOTHING, failed);
        assertFalse(a.sends().poll(WorkCompletion.array(1)) > 0);
    }

    private static Set<WorkCompletionStatus> expected(Event event, boolean failed) {
        return failed ? EnumSet.of(WR_FLUSH_ERR) : EnumSet.of(SUCCESS, event.first);
    }
}
