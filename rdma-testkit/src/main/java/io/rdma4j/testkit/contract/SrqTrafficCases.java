package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.time.Duration;
import java.util.List;

/** Messages into shared receive queues. */
final class SrqTrafficCases {
    private static final int LENGTH = 64;
    private static final int LONG = 6_000;
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration SHORT_QUIET = Duration.ofMillis(100);

    private SrqTrafficCases() {}

    static List<ContractCase> cases() {
        return List.of(
                of("srq/Send", "S on both sides, the completion has the number of the queue pair")
                        .run(SrqTrafficCases::send),
                of("srq/SendManyWithOneOutstanding", "many messages through a queue with one receive at a time")
                        .run(SrqTrafficCases::oneOutstanding),
                of("srq/SendRnr", "L RNR_RETRY_EXC_ERR when the queue is empty")
                        .covers(Feature.RNR)
                        .run(SrqTrafficCases::receiverNotReady),
                of("srq/QpFlush", "a queue pair in ERR leaves what is posted; another uses it")
                        .covers(Feature.SRQ_SURVIVES, Feature.LAST_WQE, Feature.FLUSH)
                        .run(SrqTrafficCases::flush),
                of("srq/SrqLimit", "limit 50 of 100: nothing for 10 s after 50, the 51st is SRQ_LIMIT_REACHED, once")
                        .covers(Feature.ASYNC_EVENTS)
                        .run(SrqTrafficCases::limit),
                of("srq/Limit7Of10", "after 4 sends the limit of 7 is reached; the query tells what is armed")
                        .covers(Feature.ASYNC_EVENTS)
                        .run(SrqTrafficCases::limitOfSeven),
                of("srq/MultiplexSend", "each queue pair gets its messages, with its number")
                        .run(SrqTrafficCases::multiplexSends),
                of("srq/MultiplexWriteWithImm", "each queue pair gets its messages, with its number")
                        .covers(Feature.WRITE)
                        .run(SrqTrafficCases::multiplexWrites),
                of("srq/MultiplexRdmaReset", "RESET in the middle of a message: its receive is there for another")
                        .covers(Feature.SRQ_SURVIVES)
                        .needs(Need.FRAME_RULES)
                        .run(SrqTrafficCases::reset),
                of("bug/9", "destroyed in the middle of a message: queue EBUSY, others go on, each receive used once")
                        .covers(Feature.QP_DESTROY, Feature.SRQ_BUSY, Feature.SRQ_SURVIVES)
                        .needs(Need.FRAME_RULES)
                        .run(SrqTrafficCases::destroy),
                of(
                                "bug/15",
                                "5 begun messages: each ERR flushes its receive, then LAST_WQE_REACHED, once; nothing later")
                        .covers(Feature.LAST_WQE, Feature.ASYNC_EVENTS)
                        .needs(Need.FRAME_RULES)
                        .run(SrqTrafficCases::lastReached));
    }

    private static ContractCase.Builder of(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.SRQ);
    }

    private static void post(SharedPairs shared, int pair, long id, int length) {
        End sender = shared.pair(pair).a();
        sender.post(Send.of(id, sender.slice(0, length)).signaled());
    }

    private static void send(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 4, 1, PairPlan.RELIABLE);
        shared.post(100, LENGTH);
        post(shared, 0, 1, LENGTH);
        shared.pair(0).a().expectSent(1);
        assertEquals(LENGTH, shared.pair(0).b().expectReceived(100).byteLength());
        Pair.expectSame(shared.pair(0).a(), 0, shared.pair(0).b(), shared.offset(100, LENGTH), LENGTH);
    }

    private static void oneOutstanding(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 1, 2, PairPlan.RELIABLE);
        int rounds = bed.scaled("rounds", 1_000, 200);
        for (int i = 0; i < rounds; i++) {
            shared.post(i, LENGTH);
            post(shared, i % 2, i, LENGTH);
            shared.pair(i % 2).a().expectSent(i);
            shared.pair(i % 2).b().expectReceived(i);
        }
    }

    private static void receiverNotReady(ContractBed bed) {
        PairPlan plan =
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.rnrRetry(1).minRnrTimer(1));
        SharedPairs shared = new SharedPairs(bed, 4, 2, plan);
        post(shared, 0, 1, LENGTH);
        shared.pair(0).a().expectSent(1, RNR_RETRY_EXC_ERR);
        shared.pair(0).a().expectState(ERR);
        shared.pair(0).b().expectState(RTS);
        shared.post(100, LENGTH);
        post(shared, 1, 2, LENGTH);
        shared.pair(1).a().expectSent(2);
        shared.pair(1).b().expectReceived(100);
    }

    private static void flush(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 8, 2, PairPlan.RELIABLE);
        shared.postMany(100, 3, LENGTH);
        End failed = shared.pair(0).b();
        failed.move(ERR);
        bed.expectEvent(
                failed.device(),
                AsyncEventType.QP_LAST_WQE_REACHED,
                failed.queuePair().number());
        failed.expectNothing();
        for (int i = 0; i < 3; i++) {
            post(shared, 1, i, LENGTH);
            shared.pair(1).a().expectSent(i);
            shared.pair(1).b().expectReceived(100 + i);
        }
        bed.expectNoEvents();
    }

    private static void sendMany(SharedPairs shared, int from, int to) {
        for (int i = from; i < to; i++) {
            post(shared, 0, i, LENGTH);
            shared.pair(0).a().expectSent(i);
            shared.pair(0).b().expectReceived(i);
        }
    }

    private static void limit(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 100, 1, PairPlan.RELIABLE);
        RdmaDevice receiver = bed.device(1);
        shared.postMany(0, 100, LENGTH);
        shared.queue().armLimit(50);
        sendMany(shared, 0, 50);
        bed.advance(QUIET, SHORT_QUIET);
        bed.expectNoEvents();
        sendMany(shared, 50, 51);
        bed.expectEvent(
                receiver, AsyncEventType.SRQ_LIMIT_REACHED, shared.queue().number());
        assertEquals(0, shared.queue().query().limit());
        sendMany(shared, 51, 60);
        bed.expectNoEvents();
    }

    private static void limitOfSeven(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 10, 1, PairPlan.RELIABLE);
        shared.postMany(0, 10, LENGTH);
        shared.queue().armLimit(7);
        assertEquals(7, shared.queue().query().limit());
        sendMany(shared, 0, 4);
        bed.expectEvent(
                bed.device(1), AsyncEventType.SRQ_LIMIT_REACHED, shared.queue().number());
        bed.expectNoEvents();
    }

    /** The ids of receives are those of a round; which pair takes which is not known beforehand. */
    private static void expectEach(SharedPairs shared, int perPair, WorkCompletionOpcode opcode) {
        boolean[] used = new boolean[shared.count() * perPair];
        for (int pair = 0; pair < shared.count(); pair++) {
            for (int i = 0; i < perPair; i++) {
                shared.pair(pair).a().expectSent(i);
                WorkCompletion done = shared.pair(pair).b().nextReceived();
                assertEquals(shared.pair(pair).b().queuePair().number(), done.queuePairNumber(), done::toString);
                assertEquals(opcode, done.opcode(), done::toString);
                int id = (int) done.workRequestId();
                assertEquals(false, used[id], () -> "used twice: " + done);
                used[id] = true;
                if (done.hasImmediate()) {
                    assertEquals(pair << 8 | i, done.immediateData(), done::toString);
                }
            }
        }
    }

    private static void multiplexSends(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 256, 16, PairPlan.RELIABLE);
        shared.postMany(0, 16 * 10, LENGTH);
        for (int i = 0; i < 10; i++) {
            for (int pair = 0; pair < shared.count(); pair++) {
                post(shared, pair, i, LENGTH);
            }
        }
        expectEach(shared, 10, WorkCompletionOpcode.RECV);
    }

    private static void multiplexWrites(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, 256, 16, PairPlan.RELIABLE);
        shared.postMany(0, 16 * 10, LENGTH);
        for (int i = 0; i < 10; i++) {
            for (int index = 0; index < shared.count(); index++) {
                Pair pair = shared.pair(index);
                pair.a()
                        .post(RdmaWriteWithImmediate.of(
                                        i, index << 8 | i, pair.a().slice((long) LENGTH * i, LENGTH))
                                .to(
                                        pair.b().address(32_000 + (long) LENGTH * i),
                                        pair.b().key())
                                .signaled());
            }
        }
        expectEach(shared, 10, WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
        for (int index = 0; index < shared.count(); index++) {
            Pair.expectSame(shared.pair(index).a(), 0, shared.pair(index).b(), 32_000, 10 * LENGTH);
        }
    }

    /** Every sender is in the middle of a message; the receive of each has its index as its id. */
    private static SharedPairs begunMessages(ContractBed bed, int pairs) {
        PairPlan plan =
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.timeout(8).retryCount(2));
        SharedPairs shared = new SharedPairs(bed, 16, pairs, plan);
        for (int i = 0; i < pairs; i++) {
            bed.fabric()
                    .addRule(FrameRule.drop()
                            .opcode(Opcode.RC_SEND_LAST)
                            .queuePair(shared.pair(i).b().queuePair()));
            shared.post(i, LONG);
            post(shared, i, i, LONG);
            bed.advance(Duration.ofNanos(100_000));
        }
        return shared;
    }

    private static void lastReached(ContractBed bed) {
        SharedPairs shared = begunMessages(bed, 5);
        shared.postMany(100, 3, LONG);
        for (int i = 0; i < 5; i++) {
            End end = shared.pair(i).b();
            end.move(ERR);
            end.expectReceived(i, WR_FLUSH_ERR);
            bed.expectEvent(
                    end.device(),
                    AsyncEventType.QP_LAST_WQE_REACHED,
                    end.queuePair().number());
            end.move(ERR);
        }
        bed.fabric().clearRules();
        for (int i = 0; i < 5; i++) {
            shared.pair(i).a().expectSent(i, RETRY_EXC_ERR);
            shared.pair(i).b().expectNothing();
        }
        bed.expectNoEvents();
    }

    private static void destroy(ContractBed bed) {
        SharedPairs shared = begunMessages(bed, 1);
        shared.add(PairPlan.RELIABLE);
        shared.add(PairPlan.RELIABLE);
        shared.post(1, LONG);
        shared.pair(0).b().queuePair().close();
        expectRefused(ErrorCode.EBUSY, () -> shared.queue().close());
        post(shared, 1, 1, LENGTH);
        shared.pair(1).a().expectSent(1);
        shared.pair(1).b().expectReceived(0);
        post(shared, 2, 2, LENGTH);
        shared.pair(2).a().expectSent(2);
        shared.pair(2).b().expectReceived(1);
        shared.pair(0).a().expectSent(0, RETRY_EXC_ERR);
        bed.expectNoEvents();
    }

    private static void reset(ContractBed bed) {
        SharedPairs shared = begunMessages(bed, 1);
        shared.add(PairPlan.RELIABLE);
        shared.post(1, LONG);
        shared.pair(0).b().move(RESET);
        post(shared, 1, 1, LENGTH);
        shared.pair(1).a().expectSent(1);
        shared.pair(1).b().expectReceived(0);
        shared.pair(0).a().expectSent(0, RETRY_EXC_ERR);
        bed.expectNoEvents();
    }
}
