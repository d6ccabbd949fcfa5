package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Many who post to a shared receive queue, send into it and poll, at the same time. */
final class SrqThreadCases {
    private static final int POSTERS = 4;
    private static final int LENGTH = 64;

    /** Fewer than the posters would like to have there. */
    private static final int ROOM = 16;

    private SrqThreadCases() {}

    static List<ContractCase> cases() {
        return List.of(
                of("srq/MultiThreadedPost", "receives of 4 posters, one queue pair: each is used once")
                        .run(bed -> traffic(bed, 1, false)),
                of("srq/MultiThreadedSend", "4 posters, 4 queue pairs with senders and pollers: each is used once")
                        .run(bed -> traffic(bed, 4, false)),
                of(
                                "srq/MultiThreadedWriteWithImm",
                                "4 posters, 4 queue pairs that write with immediate: each is used once")
                        .run(bed -> traffic(bed, 4, true)));
    }

    private static ContractCase.Builder of(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.SRQ, Feature.THREADS);
    }

    private static void traffic(ContractBed bed, int pairs, boolean writes) {
        PairPlan plan = PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.minRnrTimer(1));
        SharedPairs shared = new SharedPairs(bed, ROOM, pairs, plan);
        int messages = bed.scaled("messages of each queue pair", 1_000, 400);
        AtomicIntegerArray used = new AtomicIntegerArray(messages * pairs);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            workers.add(new Poster(shared, i * used.length() / POSTERS, (i + 1) * used.length() / POSTERS));
        }
        for (int i = 0; i < pairs; i++) {
            workers.add(new Sender(shared.pair(i), messages, writes));
            workers.add(new Receiver(shared.pair(i).b(), messages, used));
        }
        bed.run(workers);
        for (int i = 0; i < used.length(); i++) {
            assertEquals(1, used.get(i), "uses of receive " + i);
        }
    }

    /** Posts the receives of a range of ids. */
    private static final class Poster implements Worker {
        private final SharedPairs shared;
        private final int end;
        private int next;

        Poster(SharedPairs shared, int first, int end) {
            this.shared = shared;
            this.next = first;
            this.end = end;
        }

        @Override
        public boolean step() {
            try {
                shared.post(next, LENGTH);
                next++;
            } catch (RdmaException e) {
                assertEquals(ErrorCode.ENOMEM, e.code(), e::getMessage);
                Thread.onSpinWait();
            }
            return next < end;
        }
    }

    /** Sends so many messages, a few at a time. */
    private static final class Sender implements Worker {
        private static final int OUTSTANDING = 8;

        private final Pair pair;
        private final int messages;
        private final boolean writes;
        private final WorkCompletion[] done = WorkCompletion.array(OUTSTANDING);
        private int sent;
        private int completed;

        Sender(Pair pair, int messages, boolean writes) {
            this.pair = pair;
            this.messages = messages;
            this.writes = writes;
        }

        @Override
        public boolean step() {
            int count = pair.a().sends().poll(done);
            for (int i = 0; i < count; i++) {
                assertTrue(done[i].isSuccess(), done[i].toString());
                assertEquals(completed++, done[i].workRequestId(), done[i].toString());
            }
            if (sent < messages && sent - completed < OUTSTANDING) {
                pair.a().post(message(sent++));
            }
            return completed < messages;
        }

        private SendRequest message(int id) {
            return writes
                    ? RdmaWriteWithImmediate.of(id, id, pair.a().slice(0, LENGTH))
                            .to(pair.b().address(LENGTH), pair.b().key())
                            .signaled()
                    : Send.of(id, pair.a().slice(0, LENGTH)).signaled();
        }
    }

    /** Takes the messages of one queue pair. */
    private static final class Receiver implements Worker {
        private final End end;
        private final int messages;
        private final AtomicIntegerArray used;
        private final WorkCompletion[] done = WorkCompletion.array(8);
        private int received;

        Receiver(End end, int messages, AtomicIntegerArray used) {
            this.end = end;
            this.messages = messages;
            this.used = used;
        }

        @Override
        public boolean step() {
            int count = end.receives().poll(done);
            for (int i = 0; i < count; i++) {
                assertTrue(done[i].isSuccess(), done[i].toString());
                assertEquals(end.queuePair().number(), done[i].queuePairNumber(), done[i].toString());
                used.incrementAndGet((int) done[i].workRequestId());
                received++;
            }
            return received < messages;
        }
    }
}
