package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Posting in each state, and what becomes of it. */
final class QpPostCases {
    private static final int BATCH = 100;

    private QpPostCases() {}

    static List<ContractCase> cases() {
        return Stream.of(posting(), progress()).flatMap(List::stream).toList();
    }

    private static List<ContractCase> posting() {
        return List.of(
                postSend("qp/PostSendReset", RESET),
                postSend("qp/PostSendInit", INIT),
                postSend("qp/PostSendRtr", RTR),
                ContractCase.of(
                                "qp/PostRecvReset",
                                "refused, or dropped: a later SEND ends with RNR_RETRY_EXC_ERR or RETRY_EXC_ERR")
                        .covers(Feature.POST_STATES)
                        .run(QpPostCases::postReceiveInReset),
                ContractCase.of("qp/PostRecvInit", "accepted, and used after RTR")
                        .covers(Feature.POST_STATES)
                        .run(bed -> postReceive(bed, INIT)),
                ContractCase.of("qp/PostRecvRtr", "accepted and used")
                        .covers(Feature.POST_STATES)
                        .run(bed -> postReceive(bed, RTR)),
                ContractCase.of("qp/PostSendErr", "WR_FLUSH_ERR, in order, signaled or not")
                        .covers(Feature.POST_STATES, Feature.FLUSH)
                        .run(QpPostCases::sendInError),
                ContractCase.of("qp/PostRecvErr", "WR_FLUSH_ERR, in order")
                        .covers(Feature.POST_STATES, Feature.FLUSH)
                        .run(QpPostCases::receiveInError),
                ContractCase.of(
                                "qp/PostSendErrConcurrent",
                                "sends posted while the queue pair goes to ERR: S, then WR_FLUSH_ERR, none lost")
                        .covers(Feature.FLUSH, Feature.THREADS)
                        .run(bed -> concurrent(bed, true)),
                ContractCase.of(
                                "qp/PostRecvErrConcurrent",
                                "receives posted while the queue pair goes to ERR: each flushed once, in order")
                        .covers(Feature.FLUSH, Feature.THREADS)
                        .run(bed -> concurrent(bed, false)),
                ContractCase.of("qp/PostSendErrDelayed", "ERR a while after a batch: S, then WR_FLUSH_ERR, none lost")
                        .covers(Feature.FLUSH)
                        .each(List.of(0, 1, 10, 100, 1_000), QpPostCases::sendDelayed),
                ContractCase.of(
                                "qp/PostRecvErrDelayed",
                                "ERR a while after a batch of receives: each flushed once, in order")
                        .covers(Feature.FLUSH)
                        .each(List.of(0, 1, 100), QpPostCases::receiveDelayed),
                ContractCase.of("qp/RtsSendToRtr", "a queue pair in RTS reaches one in RTR, in all operations")
                        .covers(Feature.QP_STATES, Feature.COMM_EST)
                        .each(Operation.class, QpPostCases::sendToReadyToReceive),
                ContractCase.of(
                                "qp/OverflowSendWr",
                                "a list one longer than the queue: ENOMEM, naming the last; the others are done")
                        .covers(Feature.SQ_OVERFLOW, Feature.LISTS)
                        .run(QpPostCases::overflow),
                ContractCase.of(
                                "qp/OverflowRecvWr",
                                "a list one longer than the queue: ENOMEM, naming the last; too many elements: EINVAL")
                        .covers(Feature.LISTS, Feature.POST_STATES)
                        .run(QpPostCases::receiveOverflow));
    }

    private static List<ContractCase> progress() {
        return List.of(
                ContractCase.of(
                                "qp/SlotsAreFreedByPolling",
                                "unsignaled requests keep their places until a later completion is polled")
                        .covers(Feature.SQ_OVERFLOW, Feature.SIGNALING)
                        .run(QpPostCases::slots),
                ContractCase.of(
                                "qp/ResponderNotReadyToReceive",
                                "peer in RESET, INIT or ERR: RETRY_EXC_ERR after 5 retries of 1 s; in RTR: S")
                        .covers(Feature.RETRY, Feature.ERROR_TABLE)
                        .each(notReady(), QpPostCases::responderNotReady));
    }

    private static ContractCase postSend(String id, QueuePairState state) {
        return ContractCase.of(id, "refused with EINVAL, or dropped; never completes; later traffic is normal")
                .covers(Feature.POST_STATES)
                .run(bed -> {
                    Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
                    ConnectionEnd a = pair.a().steps();
                    if (state == INIT) {
                        pair.a().queuePair().modify(RcStateCases.init());
                    } else if (state == RTR) {
                        a.prepare(pair.b().steps(), ConnectOptions.DEFAULT);
                    }
                    refuseOrDrop(() -> pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b())));
                    pair.a().expectNothing();
                    pair.a().move(RESET);
                    pair.connect();
                    pair.a().post(Operation.WRITE.between(2, pair.a(), pair.b()));
                    pair.a().expectSent(2);
                });
    }

    private static void refuseOrDrop(Runnable post) {
        try {
            post.run();
        } catch (RdmaException e) {
            assertEquals(ErrorCode.EINVAL, e.code(), e::getMessage);
        }
    }

    private static void postReceiveInReset(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE
                .options(ConnectOptions.DEFAULT.rnrRetry(0).minRnrTimer(1))
                .unconnected());
        refuseOrDrop(() -> pair.b().postReceive(100, 0, 64));
        pair.connect();
        pair.a().post(Operation.SEND.between(1, pair.a(), pair.b()));
        WorkCompletion done = pair.a().nextSent();
        assertTrue(done.status() == RNR_RETRY_EXC_ERR || done.status() == RETRY_EXC_ERR, done::toString);
    }

    private static void postReceive(ContractBed bed, QueuePairState state) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        ConnectionEnd a = pair.a().steps();
        ConnectionEnd b = pair.b().steps();
        if (state == INIT) {
            pair.b().queuePair().modify(RcStateCases.init());
        } else {
            b.prepare(a, ConnectOptions.DEFAULT);
        }
        pair.b().postReceive(100, 0, 64);
        if (state == INIT) {
            b.prepare(a, ConnectOptions.DEFAULT);
        }
        b.start(ConnectOptions.DEFAULT);
        pair.a().connect(pair.b(), ConnectOptions.DEFAULT);
        pair.a().post(Operation.SEND.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 8);
    }

    private static void sendInError(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a().move(ERR);
        for (int i = 0; i < 10; i++) {
            pair.a()
                    .post(
                            i % 2 == 0
                                    ? Operation.SEND.between(i, pair.a(), pair.b())
                                    : Send.of(i, pair.a().slice(0, 8)));
        }
        for (int i = 0; i < 10; i++) {
            pair.a().expectSent(i, WR_FLUSH_ERR);
        }
    }

    private static void receiveInError(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a().postReceive(100);
        pair.a().postReceive(101);
        pair.a().move(ERR);
        pair.a().postReceive(102, 0, 64);
        for (int i = 100; i < 103; i++) {
            pair.a().expectReceived(i, WR_FLUSH_ERR);
        }
    }

    private static void concurrent(ContractBed bed, boolean isSend) {
        for (int round = 0; round < bed.scaled("rounds", 20, 5); round++) {
            Pair pair = bed.pair(PairPlan.RELIABLE.completions(2 * BATCH));
            int breakAt = 10 + round;
            int[] next = new int[1];
            Worker poster = () -> {
                int i = next[0]++;
                if (isSend) {
                    pair.a().post(Operation.WRITE.between(i, pair.a(), pair.b()));
                } else {
                    pair.a().postReceive(i, 0, 64);
                }
                return next[0] < BATCH;
            };
            int[] waits = new int[1];
            Worker breaker = () -> {
                boolean isTime = ++waits[0] >= breakAt;
                if (isTime) {
                    pair.a().move(ERR);
                }
                return !isTime;
            };
            bed.run(List.of(poster, breaker));
            expectOrder(pair.a(), isSend, BATCH);
        }
    }

    /** Each of the requests completes once, in order, and no success stands behind a flush. */
    private static void expectOrder(End end, boolean isSend, int count) {
        boolean isFlushed = false;
        for (int i = 0; i < count; i++) {
            WorkCompletion done = isSend ? end.nextSent() : end.nextReceived();
            assertEquals(i, done.workRequestId());
            assertTrue(
                    done.status() == WR_FLUSH_ERR || (isSend && !isFlushed && done.status() == SUCCESS),
                    done::toString);
            isFlushed = done.status() == WR_FLUSH_ERR;
        }
    }

    private static void sendDelayed(ContractBed bed, int micros) {
        Pair pair = bed.pair(PairPlan.RELIABLE.completions(2 * BATCH));
        for (int i = 0; i < BATCH; i++) {
            pair.a()
                    .post(Operation.WRITE.request(
                            i,
                            pair.a().slice(0, 8_192),
                            pair.b().address(0),
                            pair.b().key()));
        }
        bed.advance(Duration.ofNanos(micros * 1_000L));
        pair.a().move(ERR);
        expectOrder(pair.a(), true, BATCH);
    }

    private static void receiveDelayed(ContractBed bed, int micros) {
        Pair pair = bed.pair(PairPlan.RELIABLE.completions(2 * BATCH));
        for (int i = 0; i < BATCH; i++) {
            pair.a().postReceive(i, 0, 64);
        }
        bed.advance(Duration.ofNanos(micros * 1_000L));
        pair.a().move(ERR);
        expectOrder(pair.a(), false, BATCH);
    }

    private static void sendToReadyToReceive(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        RcStateCases.prepare(pair, RTR, ConnectOptions.DEFAULT);
        pair.b().postReceive(100, 64, 64);
        pair.a().post(operation.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
        if (operation.needsReceive()) {
            pair.b().expectReceived(100);
        }
        bed.expectEvent(
                pair.b().device(), AsyncEventType.COMM_EST, pair.b().queuePair().number());
        bed.expectNoEvents();
        pair.b().expectState(RTR);
    }

    private static void overflow(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxSendWorkRequests(16)));
        int room = pair.a().queuePair().capabilities().maxSendWorkRequests();
        List<SendRequest> list = new ArrayList<>();
        for (int i = 0; i <= room; i++) {
            list.add(Operation.READ.between(i, pair.a(), pair.b()));
        }
        PostException refusal =
                assertThrows(PostException.class, () -> pair.a().queuePair().postSend(list));
        assertEquals(ErrorCode.ENOMEM, refusal.code());
        assertEquals(room, refusal.index());
        for (int i = 0; i < room; i++) {
            pair.a().expectSent(i);
        }
    }

    private static void receiveOverflow(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxReceiveWorkRequests(16)));
        int room = pair.b().queuePair().capabilities().maxReceiveWorkRequests();
        int elements = pair.b().queuePair().capabilities().maxReceiveScatterGather();
        List<ScatterGatherElement> many = new ArrayList<>();
        for (int i = 0; i <= elements; i++) {
            many.add(pair.b().slice(0, 8));
        }
        expectRefused(ErrorCode.EINVAL, () -> pair.b().queuePair().postReceive(new ReceiveRequest(1, many)));
        List<ReceiveRequest> list = new ArrayList<>();
        for (int i = 0; i <= room; i++) {
            list.add(ReceiveRequest.of(i));
        }
        PostException refusal =
                assertThrows(PostException.class, () -> pair.b().queuePair().postReceive(list));
        assertEquals(ErrorCode.ENOMEM, refusal.code());
        assertEquals(room, refusal.index());
        for (int i = 0; i < room; i++) {
            pair.a().post(Send.of(i).signaled());
            pair.a().expectSent(i);
            pair.b().expectReceived(i);
        }
    }

    private static void slots(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxSendWorkRequests(16)));
        int room = pair.a().queuePair().capabilities().maxSendWorkRequests();
        for (int i = 0; i < room - 1; i++) {
            pair.b().postReceive(100 + i, 0, 8);
            pair.a().post(Send.of(i, pair.a().slice(0, 8)));
        }
        pair.a().post(Operation.WRITE.between(1_000, pair.a(), pair.b()));
        for (int i = 0; i < room - 1; i++) {
            pair.b().expectReceived(100 + i);
        }
        expectRefused(ErrorCode.ENOMEM, () -> pair.a().post(Operation.WRITE.between(1_001, pair.a(), pair.b())));
        pair.a().expectSent(1_000);
        for (int i = 0; i < room; i++) {
            pair.a().post(Operation.WRITE.between(2_000 + i, pair.a(), pair.b()));
        }
        for (int i = 0; i < room; i++) {
            pair.a().expectSent(2_000 + i);
        }
    }

    private record NotReady(QueuePairState state, Operation operation) {
        @Override
        public String toString() {
            return state.name() + ", " + operation;
        }
    }

    private static List<NotReady> notReady() {
        List<NotReady> all = new ArrayList<>();
        for (QueuePairState state : List.of(RESET, INIT, RTR, ERR)) {
            for (Operation operation : List.of(Operation.READ, Operation.WRITE, Operation.SEND)) {
                all.add(new NotReady(state, operation));
            }
        }
        return all;
    }

    private static void responderNotReady(ContractBed bed, NotReady what) {
        int timeout = what.state == RTR ? 18 : bed.scaled("as the timeout", 18, 12);
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        RcStateCases.prepare(
                pair, what.state, ConnectOptions.DEFAULT.timeout(timeout).retryCount(5));
        if (what.state != RESET) {
            pair.b().postReceive(100, 64, 64);
        }
        pair.a().post(what.operation.between(1, pair.a(), pair.b()));
        if (what.state == RTR) {
            pair.a().expectSent(1);
            pair.a().expectState(RTS);
            if (what.operation == Operation.SEND) {
                pair.b().expectReceived(100);
            }
        } else {
            pair.a().expectSent(1, RETRY_EXC_ERR);
            pair.a().expectState(ERR);
        }
    }
}
