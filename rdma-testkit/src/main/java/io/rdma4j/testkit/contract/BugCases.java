package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_INV_REQ_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Situations in which users of software RDMA devices met trouble. */
final class BugCases {
    private static final int MEGABYTE = 1 << 20;

    private BugCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "bug/1",
                                "messages around multiples of the MTU, from one and several elements: to the byte, one completion")
                        .covers(Feature.LONG_MESSAGES, Feature.SEND_RECEIVE, Feature.READ, Feature.WRITE)
                        .each(List.of(1_023, 1_024, 1_025, 2_047, 2_048, 2_049, MEGABYTE + 1), BugCases::odd),
                ContractCase.of(
                                "bug/2",
                                "10,000 rounds of 4 KiB ping-pong, then 4 READs of 8 MiB with max_rd_atomic 1: complete")
                        .covers(Feature.READ_ATOMIC_LIMITS, Feature.LONG_MESSAGES)
                        .run(BugCases::pingPongAndReads),
                ContractCase.of(
                                "bug/14",
                                "3 queue pairs on one queue go to ERR: each flushed request has the right number and id")
                        .covers(Feature.FLUSH, Feature.SHARED_CQ)
                        .run(BugCases::flushNumbers),
                ContractCase.of("bug/16", "READ with a bad key: REM_ACCESS_ERR (10), right id and queue pair number")
                        .covers(Feature.ERROR_TABLE)
                        .run(BugCases::identityOnError),
                ContractCase.of(
                                "bug/17",
                                "100 sends and 100 receives outstanding, then ERR: all complete in order, a later one last")
                        .covers(Feature.FLUSH)
                        .run(BugCases::flushAll),
                ContractCase.of("bug/19", "two activities poll an empty queue: a message is seen")
                        .covers(Feature.CQ, Feature.THREADS)
                        .run(BugCases::pollers),
                ContractCase.of("bug/21", "compare before swap, host order in memory and results")
                        .covers(Feature.ATOMICS)
                        .run(BugCases::atomicOrder),
                ContractCase.of(
                                "bug/27",
                                "errors that use no receive are NAKed at once: without a time-out the request fails")
                        .covers(Feature.ERROR_TABLE)
                        .run(BugCases::immediateNak),
                ContractCase.of("bug/31", "a bad local key, unsignaled: LOC_PROT_ERR, ERR, those behind flushed")
                        .covers(Feature.ERROR_TABLE, Feature.FLUSH)
                        .run(BugCases::badLocalKey),
                ContractCase.of(
                                "bug/32",
                                "a region goes between the responses of a READ: complete data or REM_ACCESS_ERR, never stale bytes")
                        .covers(Feature.DEREGISTER)
                        .each(List.of(0, 5, 20, 50, 100, 200, 400), BugCases::regionGoes));
    }

    /** The elements of a buffer in so many parts of odd lengths. */
    static ScatterGatherElement[] parts(End end, int offset, int length, int count) {
        ScatterGatherElement[] parts = new ScatterGatherElement[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            int mine = i == count - 1 ? length - at : Math.min(length - at, length / count / 2 * 2 + 1);
            parts[i] = end.slice(offset + at, mine);
            at += mine;
        }
        return parts;
    }

    private static void odd(ContractBed bed, int length) {
        Pair pair = bed.pair(
                PairPlan.RELIABLE.memory(2 * length + 64).options(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024)));
        End a = pair.a();
        End b = pair.b();
        for (int count = 1; count <= 4; count++) {
            a.post(RdmaWrite.of(1, parts(a, 0, length, count))
                    .to(b.address(1), b.key())
                    .signaled());
            a.expectSent(1);
            Pair.expectSame(a, 0, b, 1, length);
            a.post(RdmaRead.of(2, parts(a, length, length, count))
                    .from(b.address(length), b.key())
                    .signaled());
            a.expectSent(2);
            Pair.expectSame(b, length, a, length, length);
            b.queuePair().postReceive(ReceiveRequest.of(100, parts(b, 3, length, count)));
            a.post(Send.of(3, parts(a, length, length, 5 - count)).signaled());
            a.expectSent(3);
            assertEquals(length, b.expectReceived(100).byteLength());
            Pair.expectSame(a, length, b, 3, length);
        }
    }

    private static void pingPongAndReads(ContractBed bed) {
        int rounds = bed.scaled("rounds", 10_000, 300);
        int bytes = bed.scaled("bytes of each READ", 8 * MEGABYTE, MEGABYTE);
        Pair pair = bed.pair(PairPlan.RELIABLE.memory(bytes).options(ConnectOptions.DEFAULT.maxReadAtomic(1)));
        End a = pair.a();
        End b = pair.b();
        for (int i = 0; i < rounds; i++) {
            b.postReceive(i, 0, 4_096);
            a.post(Send.of(i, a.slice(0, 4_096)).signaled());
            a.expectSent(i);
            b.expectReceived(i);
            a.postReceive(i, 8_192, 4_096);
            b.post(Send.of(i, b.slice(0, 4_096)).signaled());
            b.expectSent(i);
            a.expectReceived(i);
        }
        Pair.expectSame(a, 0, a, 8_192, 4_096);
        for (int i = 0; i < 4; i++) {
            a.post(RdmaRead.of(i, a.slice(0, bytes)).from(b.address(0), b.key()).signaled());
        }
        for (int i = 0; i < 4; i++) {
            a.expectSent(i);
        }
        Pair.expectSame(b, 0, a, 0, bytes);
    }

    private static void flushNumbers(ContractBed bed) {
        CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(256));
        List<QueuePair> queuePairs = new ArrayList<>();
        Map<Integer, Long> next = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            QueuePair qp = bed.closing(bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue)));
            qp.modify(QpModifyCases.required(qp, INIT));
            queuePairs.add(qp);
            next.put(qp.number(), i * 1_000L);
            for (int n = 0; n < 20; n++) {
                qp.postReceive(ReceiveRequest.of(i * 1_000L + n));
            }
        }
        queuePairs.forEach(
                qp -> qp.modify(QueuePairAttributes.builder().state(ERR).build()));
        WorkCompletion[] done = WorkCompletion.array(1);
        for (int n = 0; n < 60; n++) {
            bed.expect("a flushed receive", () -> queue.poll(done) == 1);
            assertEquals(WR_FLUSH_ERR, done[0].status());
            long wanted = next.getOrDefault(done[0].queuePairNumber(), -1L);
            assertEquals(wanted, done[0].workRequestId());
            next.put(done[0].queuePairNumber(), wanted + 1);
        }
    }

    private static void identityOnError(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a()
                .post(RdmaRead.of(0x1234_5678_9ABC_DEFL, pair.a().slice(0, 8))
                        .from(pair.b().address(0), pair.b().badKey()));
        WorkCompletion done = pair.a().expectSent(0x1234_5678_9ABC_DEFL, REM_ACCESS_ERR);
        assertEquals(10, done.status().code());
        assertTrue(!done.cause().isEmpty(), "a cause in words");
    }

    /** The peer has no receives, so that the sends stay. */
    private static void flushAll(ContractBed bed) {
        Pair pair = bed.pair();
        for (int i = 0; i < 100; i++) {
            pair.a().postReceive(i, 0, 64);
            Send send = Send.of(1_000 + i, pair.a().slice(0, 64));
            pair.a().post(i % 2 == 0 ? send : send.signaled());
        }
        pair.a().move(ERR);
        pair.a().post(Send.of(2_000).signaled());
        for (int i = 0; i < 100; i++) {
            pair.a().expectReceived(i, WR_FLUSH_ERR);
            pair.a().expectSent(1_000 + i, WR_FLUSH_ERR);
        }
        pair.a().expectSent(2_000, WR_FLUSH_ERR);
    }

    private static void pollers(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        AtomicInteger seen = new AtomicInteger();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            WorkCompletion[] done = WorkCompletion.array(1);
            workers.add(() -> {
                seen.addAndGet(pair.b().receives().poll(done));
                return seen.get() == 0;
            });
        }
        int[] waits = new int[1];
        workers.add(() -> {
            if (++waits[0] == 100) {
                pair.a().post(Send.of(1, pair.a().slice(0, 64)));
            }
            return waits[0] < 100;
        });
        bed.run(workers);
        assertEquals(1, seen.get());
    }

    private static void atomicOrder(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        b.memory().putLong(64, 516);
        a.post(CompareAndSwap.of(1, a.slice(0, 8), 516, 7)
                .at(b.address(64), b.key())
                .signaled());
        a.expectSent(1);
        assertEquals(516, a.memory().getLong(0));
        assertEquals(7, b.memory().get(64), "the lowest byte comes first");
        assertEquals(7, b.memory().getLong(64));
        a.post(CompareAndSwap.of(2, a.slice(8, 8), 1, 99)
                .at(b.address(64), b.key())
                .signaled());
        a.expectSent(2);
        assertEquals(7, a.memory().getLong(8));
        assertEquals(7, b.memory().getLong(64));
        a.post(FetchAndAdd.of(3, a.slice(16, 8), 1).at(b.address(64), b.key()).signaled());
        a.expectSent(3);
        assertEquals(7, a.memory().getLong(16));
        assertEquals(8, b.memory().getLong(64));
    }

    /** Timeout code 0 waits for ever: only a NAK ends these. */
    private static void immediateNak(ContractBed bed) {
        PairPlan plan = PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.timeout(0));
        Pair write = bed.pair(plan);
        write.a()
                .post(RdmaWrite.of(1, write.a().slice(0, 64))
                        .to(write.b().address(0), write.b().badKey()));
        write.a().expectSent(1, REM_ACCESS_ERR);
        Pair read = bed.pair(plan);
        long beyond = read.b().address(read.b().region().length());
        read.a()
                .post(RdmaRead.of(1, read.a().slice(0, 64))
                        .from(beyond, read.b().key()));
        read.a().expectSent(1, REM_ACCESS_ERR);
        Pair atomic = bed.pair(plan);
        atomic.a()
                .post(FetchAndAdd.of(1, atomic.a().slice(0, 8), 1)
                        .at(atomic.b().address(4), atomic.b().key()));
        atomic.a().expectSent(1, REM_INV_REQ_ERR);
    }

    private static void badLocalKey(ContractBed bed) {
        Pair pair = bed.pair();
        ScatterGatherElement bad = new ScatterGatherElement(
                pair.a().address(0), 64, pair.a().region().localKey() + 1);
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.of(1, bad), Send.of(2), Send.of(3).signaled());
        pair.a().expectSent(1, LOC_PROT_ERR);
        pair.a().expectSent(2, WR_FLUSH_ERR);
        pair.a().expectSent(3, WR_FLUSH_ERR);
        pair.a().expectState(ERR);
        pair.b().expectUntouched();
    }

    private static void regionGoes(ContractBed bed, int micros) {
        int bytes = 1_000 * 256;
        Pair pair = bed.pair(PairPlan.RELIABLE.memory(bytes).options(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256)));
        ByteBuffer memory = HostMemory.allocate(bytes);
        memory.put(0, pair.b().pattern(0, bytes));
        MemoryRegion region = pair.b().domain().registerMemory(memory, AccessFlag.REMOTE_READ);
        pair.a()
                .post(RdmaRead.of(1, pair.a().slice(0, bytes))
                        .from(region.address(), region.remoteKey())
                        .signaled());
        bed.advance(Duration.ofNanos(micros * 1_000L));
        region.close();
        memory.put(0, new byte[bytes]);
        WorkCompletion done = pair.a().nextSent();
        byte[] read = pair.a().bytes(0, bytes);
        byte[] whole = pair.b().pattern(0, bytes);
        byte[] before = pair.a().pattern(0, bytes);
        if (done.status() == SUCCESS) {
            assertEquals(-1, Arrays.mismatch(read, whole));
            return;
        }
        assertEquals(REM_ACCESS_ERR, done.status(), done::toString);
        int arrived = Math.max(0, Arrays.mismatch(read, whole));
        assertEquals(0, arrived % 256, "whole packets");
        assertTrue(
                Arrays.equals(read, arrived, bytes, before, arrived, bytes),
                "nothing behind what had arrived was written");
    }
}
