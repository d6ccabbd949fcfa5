package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.contract.Traffic.Mix;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Traffic of reliable connections, in quantity. */
final class TrafficCases {
    private static final List<Operation> ALL = List.of(Operation.values());
    private static final int WINDOW = 16;

    private TrafficCases() {}

    static List<ContractCase> cases() {
        List<ContractCase> cases = new ArrayList<>(List.of(
                simple("traffic/Write", Mix.of(Operation.WRITE, 1_024), Feature.WRITE),
                simple("traffic/Read", Mix.of(Operation.READ, 1_024), Feature.READ),
                simple("traffic/RcSend", Mix.of(Operation.SEND, 1_024), Feature.SEND_RECEIVE),
                simple("traffic/FetchAdd", Mix.of(Operation.FETCH_ADD, 8), Feature.ATOMICS),
                simple("traffic/CompareSwap", Mix.of(Operation.COMPARE_SWAP, 8), Feature.ATOMICS),
                simple("traffic/MixedOpType", new Mix(ALL, 64, 64), Feature.WRITE),
                simple("traffic/MixedOpSize", new Mix(List.of(Operation.WRITE), 0, 20_000), Feature.LONG_MESSAGES)));
        cases.addAll(List.of(
                ContractCase.of("traffic/Batching", "batches of all sizes to a full queue complete, and are verified")
                        .covers(Feature.WRITE)
                        .each(List.of(1, 2, 7, 64, 128), TrafficCases::batches),
                ContractCase.of(
                                "traffic/ConstantRcOp",
                                "10 queue pairs, one operation each, all complete and are verified")
                        .covers(Feature.SHARED_CQ, Feature.READ, Feature.WRITE)
                        .each(Operation.class, TrafficCases::constant),
                ContractCase.of(
                                "traffic/MixedRcOps",
                                "10 queue pairs, all operations of mixed sizes, all complete and are verified")
                        .covers(Feature.READ, Feature.WRITE, Feature.SEND_RECEIVE, Feature.ATOMICS)
                        .run(bed -> traffic(bed, PairPlan.RELIABLE, 10, new Mix(ALL, 8, 10_000), scaled(bed, 500, 60))),
                ContractCase.of("traffic/VaryMtu", "all operations of mixed sizes complete at each path MTU")
                        .covers(Feature.MTUS)
                        .each(
                                PathMtu.class,
                                (bed, mtu) -> traffic(
                                        bed,
                                        PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.pathMtu(mtu)),
                                        2,
                                        new Mix(ALL, 8, 10_000),
                                        scaled(bed, 200, 50))),
                ContractCase.of("traffic/EventDrivenOne", "one queue pair, all completions through a channel")
                        .covers(Feature.CHANNEL)
                        .run(bed -> eventDriven(bed, 1)),
                ContractCase.of("traffic/EventDrivenMany", "20 queue pairs, all completions through one channel")
                        .covers(Feature.CHANNEL)
                        .run(bed -> eventDriven(bed, 20)),
                ContractCase.of("traffic/QpOversubscription", "very many queue pairs at once, all complete")
                        .covers(Feature.QP_NUMBERS, Feature.WRITE)
                        .run(bed -> traffic(
                                bed,
                                PairPlan.RELIABLE,
                                bed.scaled("queue pairs", 500, 100),
                                Mix.of(Operation.WRITE, 64),
                                10)),
                ContractCase.of(
                                "traffic/RnrNackRetryFailure",
                                "16 receives: 16 sends S, the next RNR_RETRY_EXC_ERR; the peer gets no more")
                        .covers(Feature.RNR)
                        .run(TrafficCases::receiverNotReady),
                ContractCase.of("traffic/RnrNackRetrySuccess", "receives posted late, but within the retries: all S")
                        .covers(Feature.RNR)
                        .run(TrafficCases::receiverReadyLate),
                ContractCase.of(
                                "traffic/CqOverrun",
                                "one pair overruns its queue and gets CQ_ERR; another pair has all its completions")
                        .covers(Feature.CQ_OVERRUN)
                        .run(TrafficCases::overrun),
                ContractCase.of("traffic/StabilityDuration", "mixed traffic for long: no error, no event")
                        .covers(Feature.NO_LEAKS)
                        .run(bed ->
                                traffic(bed, PairPlan.RELIABLE, 4, new Mix(ALL, 8, 4_096), scaled(bed, 5_000, 200))),
                ContractCase.of("traffic/StabilityResource", "pairs made, used and destroyed over and over")
                        .covers(Feature.NO_LEAKS, Feature.QP_DESTROY)
                        .run(TrafficCases::resources),
                ContractCase.of(
                                "traffic/Stress",
                                "100 queue pairs, 100,000 WRITEs of 32 bytes in a closed loop, all verified")
                        .covers(Feature.WRITE, Feature.NO_LEAKS)
                        .run(bed -> traffic(
                                bed,
                                PairPlan.RELIABLE,
                                100,
                                Mix.of(Operation.WRITE, 32),
                                bed.scaled("writes of each", 1_000, 50)))));
        return cases;
    }

    private static int scaled(ContractBed bed, int full, int reduced) {
        return bed.scaled("operations of each", full, reduced);
    }

    private static ContractCase simple(String id, Mix mix, Feature feature) {
        return ContractCase.of(id, "all complete, are verified, without events and without retransmission")
                .covers(feature, Feature.CQ)
                .run(bed -> {
                    traffic(bed, PairPlan.RELIABLE, 1, mix, scaled(bed, 1_000, 200));
                    bed.expectNoRetransmission();
                });
    }

    private static void traffic(ContractBed bed, PairPlan plan, int pairs, Mix mix, int each) {
        new Traffic(bed, plan, pairs, mix, WINDOW).run(each);
        bed.expectNoEvents();
    }

    private static void batches(ContractBed bed, int size) {
        Traffic traffic = new Traffic(bed, PairPlan.RELIABLE, 1, Mix.of(Operation.WRITE, 128), size);
        for (int round = 0; round < 5; round++) {
            traffic.run(size);
        }
        bed.expectNoEvents();
    }

    private static void constant(ContractBed bed, Operation operation) {
        traffic(bed, PairPlan.RELIABLE, 10, Mix.of(operation, 512), scaled(bed, 200, 40));
    }

    private static void eventDriven(ContractBed bed, int pairs) {
        int rounds = bed.scaled("rounds", 200, 30);
        CompletionChannel channel = bed.closing(bed.device(0).createCompletionChannel());
        List<QueuePair> queuePairs = new ArrayList<>();
        List<CompletionQueue> queues = new ArrayList<>();
        End peer = bed.pair(PairPlan.RELIABLE).b();
        for (int i = 0; i < pairs; i++) {
            CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(16, channel));
            QueuePair local = bed.closing(bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue)));
            QueuePair remote = bed.closing(bed.domain(1).createQueuePair(QueuePairConfig.reliable(peer.receives())));
            local.connect(remote.localAddress());
            remote.connect(local.localAddress());
            queues.add(queue);
            queuePairs.add(local);
        }
        WorkCompletion[] done = WorkCompletion.array(1);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < pairs; i++) {
                queues.get(i).arm(false);
                queuePairs
                        .get(i)
                        .postSend(RdmaWrite.inline(round, new byte[] {1, 2, 3})
                                .to(peer.address(0), peer.key())
                                .signaled());
            }
            for (int i = 0; i < pairs; i++) {
                CompletionQueue[] ready = new CompletionQueue[1];
                bed.expect("an event", () -> (ready[0] = channel.await(Duration.ZERO)) != null);
                ready[0].acknowledgeEvents(1);
                assertEquals(1, ready[0].poll(done));
                assertTrue(done[0].isSuccess(), done[0]::toString);
                assertEquals(round, done[0].workRequestId());
            }
        }
    }

    private static void receiverNotReady(ContractBed bed) {
        Pair pair = bed.pair(
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.rnrRetry(2).minRnrTimer(1)));
        for (int i = 0; i < 16; i++) {
            pair.b().postReceive(100 + i, 0, 64);
        }
        for (int i = 0; i < 17; i++) {
            pair.a().post(Send.of(i, pair.a().slice(0, 64)).signaled());
        }
        for (int i = 0; i < 16; i++) {
            pair.a().expectSent(i);
            pair.b().expectReceived(100 + i);
        }
        pair.a().expectSent(16, RNR_RETRY_EXC_ERR);
        pair.a().expectState(ERR);
        pair.b().expectState(RTS);
        pair.b().expectNothing();
    }

    /** 81.92 ms for each of six retries. */
    private static void receiverReadyLate(ContractBed bed) {
        Pair pair = bed.pair(
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.rnrRetry(6).minRnrTimer(26)));
        for (int i = 0; i < 17; i++) {
            pair.a().post(Send.of(i, pair.a().slice(0, 64)).signaled());
        }
        bed.advance(Duration.ofMillis(30));
        for (int i = 0; i < 17; i++) {
            pair.b().postReceive(100 + i, 0, 64);
        }
        for (int i = 0; i < 17; i++) {
            pair.a().expectSent(i);
            pair.b().expectReceived(100 + i);
        }
        pair.expectState(RTS);
    }

    private static void overrun(ContractBed bed) {
        Pair good = bed.pair();
        Pair bad = bed.pair(PairPlan.RELIABLE.completions(10));
        int capacity = bad.a().sends().capacity();
        for (int i = 0; i < 100; i++) {
            good.a().post(Operation.WRITE.between(i, good.a(), good.b()));
            bad.a().post(Operation.WRITE.between(i, bad.a(), bad.b()));
        }
        bed.expectEvent(bad.a().device(), AsyncEventType.CQ_ERR, bad.a().sends().number());
        for (int i = 0; i < 100; i++) {
            good.a().expectSent(i);
        }
        WorkCompletion[] all = WorkCompletion.array(200);
        assertEquals(capacity, bad.a().sends().poll(all), "what fitted");
        good.expectState(RTS);
        good.a().post(Operation.READ.between(1, good.a(), good.b()));
        good.a().expectSent(1);
    }

    private static void resources(ContractBed bed) {
        int rounds = bed.scaled("rounds", 500, 100);
        CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(64));
        End peer = bed.pair().b();
        WorkCompletion[] done = WorkCompletion.array(1);
        for (int i = 0; i < rounds; i++) {
            try (QueuePair local = bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue));
                    QueuePair remote = bed.domain(1).createQueuePair(QueuePairConfig.reliable(peer.receives()))) {
                local.connect(remote.localAddress());
                remote.connect(local.localAddress());
                local.postSend(RdmaWrite.inline(i, new byte[] {1, 2, 3})
                        .to(peer.address(0), peer.key())
                        .signaled());
                bed.expect("the write", () -> queue.poll(done) == 1);
                assertTrue(done[0].isSuccess(), done[0]::toString);
            }
        }
        bed.expectNoEvents();
    }
}
