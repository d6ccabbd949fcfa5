package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Operation.COMPARE_SWAP;
import static io.rdma4j.testkit.contract.Operation.FETCH_ADD;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_LEN_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_INV_REQ_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Atomics of reliable connections. */
final class RcAtomicCases {
    /** Where the word is that the atomics work on. */
    private static final int TARGET = 64;

    private static final long BEFORE = 0x1122_3344_5566_7788L;

    private RcAtomicCases() {}

    static List<ContractCase> cases() {
        return List.of(
                fetchAndAdd("rc/FetchAddNoOp", 0),
                fetchAndAdd("rc/FetchAddSmallSingleOp", 1),
                fetchAndAdd("rc/FetchAddLargeSingleOp", 0xFEDC_BA98_7654_3210L),
                ContractCase.of("rc/CompareSwapNotEqualNoSwap", "L S and the former value; the word stays")
                        .covers(Feature.ATOMICS)
                        .run(bed -> compareAndSwap(bed, BEFORE + 1, BEFORE)),
                ContractCase.of("rc/CompareSwapEqualWithSwap", "L S and the former value; the word is replaced")
                        .covers(Feature.ATOMICS)
                        .run(bed -> compareAndSwap(bed, BEFORE, 7)),
                unsignaled("rc/UnsignaledFetchAdd", FETCH_ADD),
                unsignaled("rc/UnsignaledCompareSwap", COMPARE_SWAP),
                invalidSize("rc/FetchAddInvalidSize", FETCH_ADD),
                invalidSize("rc/CompareSwapInvalidSize", COMPARE_SWAP),
                unaligned("rc/FetchAddUnaligned", FETCH_ADD),
                unaligned("rc/CompareSwapUnaligned", COMPARE_SWAP),
                invalidLocalKey("rc/FetchAddInvalidLKey", FETCH_ADD),
                invalidLocalKey("rc/CompareSwapInvalidLKey", COMPARE_SWAP),
                invalidRemoteKey("rc/FetchAddInvalidRKey", FETCH_ADD, false),
                invalidRemoteKey("rc/CompareSwapInvalidRKey", COMPARE_SWAP, false),
                invalidRemoteKey("rc/FetchAddInvalidLKeyAndInvalidRKey", FETCH_ADD, true),
                invalidRemoteKey("rc/CompareSwapInvalidRKeyAndInvalidLKey", COMPARE_SWAP, true),
                ContractCase.of(
                                "rc/AtomicsCompete",
                                "adds of two queue pairs to one word are all there, each former value once")
                        .covers(Feature.ATOMICS)
                        .run(RcAtomicCases::compete),
                ContractCase.of(
                                "rc/RemoteFatalError",
                                "an unaligned atomic: L REM_INV_REQ_ERR, both in ERR; a later WRITE is flushed and not executed")
                        .covers(Feature.ATOMICS, Feature.ERROR_TABLE, Feature.FLUSH)
                        .run(RcAtomicCases::fatal));
    }

    private static ContractCase fetchAndAdd(String id, long add) {
        return ContractCase.of(id, "L S and the former value; the word has the sum")
                .covers(Feature.ATOMICS)
                .run(bed -> {
                    Pair pair = pair(bed);
                    pair.a()
                            .post(FetchAndAdd.of(1, pair.a().slice(0, 8), add)
                                    .at(pair.b().address(TARGET), pair.b().key())
                                    .signaled());
                    expectFetched(pair, WorkCompletionOpcode.FETCH_ADD, BEFORE + add);
                });
    }

    private static void compareAndSwap(ContractBed bed, long compare, long after) {
        Pair pair = pair(bed);
        pair.a()
                .post(CompareAndSwap.of(1, pair.a().slice(0, 8), compare, 7)
                        .at(pair.b().address(TARGET), pair.b().key())
                        .signaled());
        expectFetched(pair, WorkCompletionOpcode.COMP_SWAP, after);
    }

    private static Pair pair(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().memory().putLong(TARGET, BEFORE);
        return pair;
    }

    private static void expectFetched(Pair pair, WorkCompletionOpcode opcode, long after) {
        WorkCompletion done = pair.a().expectSent(1);
        assertEquals(opcode, done.opcode());
        assertEquals(8, done.byteLength());
        assertEquals(BEFORE, pair.a().memory().getLong(0), "the former value, in the order of the host");
        assertEquals(after, pair.b().memory().getLong(TARGET), "the word");
        pair.a().expectUntouchedBut(0, 8);
        pair.b().expectUntouchedBut(TARGET, 8);
    }

    private static SendRequest atomic(Operation operation, Pair pair, int offset) {
        return operation == FETCH_ADD
                ? FetchAndAdd.of(1, pair.a().slice(0, 8), 1)
                        .at(pair.b().address(offset), pair.b().key())
                : CompareAndSwap.of(1, pair.a().slice(0, 8), BEFORE, BEFORE + 1)
                        .at(pair.b().address(offset), pair.b().key());
    }

    private static ContractCase unsignaled(String id, Operation operation) {
        return ContractCase.of(id, "executed; L nothing")
                .covers(Feature.ATOMICS, Feature.SIGNALING)
                .run(bed -> {
                    Pair pair = pair(bed);
                    pair.a().post(atomic(operation, pair, TARGET));
                    bed.expect("executed", () -> pair.b().memory().getLong(TARGET) == BEFORE + 1);
                    pair.a().expectNothing();
                    assertEquals(BEFORE, pair.a().memory().getLong(0));
                });
    }

    private static ContractCase invalidSize(String id, Operation operation) {
        return ContractCase.of(id, "L LOC_LEN_ERR or REM_ACCESS_ERR; nothing is executed")
                .covers(Feature.ATOMICS, Feature.ERROR_TABLE)
                .each(List.of(1, 7, 9), (bed, size) -> {
                    Pair pair = pair(bed);
                    pair.a()
                            .post(operation.request(
                                    1,
                                    pair.a().slice(0, size),
                                    pair.b().address(TARGET),
                                    pair.b().key()));
                    WorkCompletionStatus status = pair.a().nextSent().status();
                    assertTrue(Set.of(LOC_LEN_ERR, REM_ACCESS_ERR).contains(status), status::toString);
                    pair.a().expectUntouched();
                    assertEquals(BEFORE, pair.b().memory().getLong(TARGET));
                });
    }

    private static ContractCase unaligned(String id, Operation operation) {
        return ContractCase.of(id, "L REM_INV_REQ_ERR; nothing is changed")
                .covers(Feature.ATOMICS, Feature.ERROR_TABLE)
                .each(List.of(1, 4, 7), (bed, off) -> {
                    Pair pair = pair(bed);
                    pair.a().post(atomic(operation, pair, TARGET + off));
                    pair.a().expectSent(1, REM_INV_REQ_ERR);
                    pair.expectState(ERR);
                    pair.a().expectUntouched();
                    assertEquals(BEFORE, pair.b().memory().getLong(TARGET));
                    pair.b().expectUntouchedBut(TARGET, 8);
                });
    }

    private static ContractCase invalidLocalKey(String id, Operation operation) {
        return ContractCase.of(id, "L LOC_PROT_ERR; the word may have been changed as defined")
                .covers(Feature.ATOMICS, Feature.ERROR_TABLE)
                .run(bed -> {
                    Pair pair = pair(bed);
                    SendRequest request = operation == FETCH_ADD
                            ? FetchAndAdd.of(1, pair.a().badSlice(0, 8), 1)
                                    .at(pair.b().address(TARGET), pair.b().key())
                            : CompareAndSwap.of(1, pair.a().badSlice(0, 8), BEFORE, BEFORE + 1)
                                    .at(pair.b().address(TARGET), pair.b().key());
                    pair.a().post(request);
                    pair.a().expectSent(1, LOC_PROT_ERR);
                    pair.a().expectState(ERR);
                    pair.a().expectUntouched();
                    long word = pair.b().memory().getLong(TARGET);
                    assertTrue(word == BEFORE || word == BEFORE + 1, () -> Long.toHexString(word));
                });
    }

    private static ContractCase invalidRemoteKey(String id, Operation operation, boolean alsoLocal) {
        return ContractCase.of(id, "L REM_ACCESS_ERR; nothing is changed")
                .covers(Feature.ATOMICS, Feature.ERROR_TABLE, Feature.KEYS)
                .run(bed -> {
                    Pair pair = pair(bed);
                    pair.a()
                            .post(operation.request(
                                    1,
                                    alsoLocal
                                            ? pair.a().badSlice(0, 8)
                                            : pair.a().slice(0, 8),
                                    pair.b().address(TARGET),
                                    pair.b().badKey()));
                    pair.a().expectSent(1, REM_ACCESS_ERR);
                    pair.expectState(ERR);
                    pair.a().expectUntouched();
                    assertEquals(BEFORE, pair.b().memory().getLong(TARGET));
                });
    }

    /** Both ends add to the same word, the one that has it through a connection with itself as the peer sees it. */
    private static void compete(ContractBed bed) {
        int adds = bed.scaled("adds", 500, 200);
        Pair one = bed.pair();
        Pair other = bed.pair(PairPlan.RELIABLE.devices(1, 1));
        End target = one.b();
        target.memory().putLong(TARGET, 0);
        BitSet seen = new BitSet();
        for (int i = 0; i < adds; i++) {
            one.a()
                    .post(FetchAndAdd.of(i, one.a().slice(0, 8), 1)
                            .at(target.address(TARGET), target.key())
                            .signaled());
            other.a()
                    .post(FetchAndAdd.of(i, other.a().slice(0, 8), 1)
                            .at(target.address(TARGET), target.key())
                            .signaled());
            one.a().expectSent(i);
            other.a().expectSent(i);
            seen.set((int) one.a().memory().getLong(0));
            seen.set((int) other.a().memory().getLong(0));
        }
        assertEquals(2L * adds, target.memory().getLong(TARGET));
        assertEquals(2 * adds, seen.nextClearBit(0), "each former value once");
    }

    private static void fatal(ContractBed bed) {
        Pair pair = pair(bed);
        End a = pair.a();
        a.post(CompareAndSwap.of(1, a.slice(0, 8), BEFORE, 7)
                .at(pair.b().address(TARGET + 1), pair.b().key())
                .signaled());
        a.expectSent(1, REM_INV_REQ_ERR);
        pair.expectState(ERR);
        a.post(RdmaWrite.of(2, a.slice(0, 64))
                .to(pair.b().address(1_024), pair.b().key())
                .signaled());
        a.expectSent(2, WR_FLUSH_ERR);
        pair.b().expectUntouchedBut(TARGET, 8);
        assertEquals(BEFORE, pair.b().memory().getLong(TARGET));
    }
}
