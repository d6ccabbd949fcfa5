package io.rdma4j.testkit.contract;

import static io.rdma4j.core.wire.Opcode.RC_ACKNOWLEDGE;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_ONLY;
import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.contract.Traffic.Mix;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import java.time.Duration;
import java.util.List;

/** Trouble reports whose situation needs exact time or chosen frames. */
final class TimerBugCases {
    private static final long MICROSECOND = 1_000;

    private TimerBugCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "bug/3",
                                "64 queue pairs of 64 KiB WRITEs into a short queue: loss, but no RETRY_EXC_ERR, all bytes right")
                        .covers(Feature.RETRY, Feature.FAULTS)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::shortQueue),
                ContractCase.of("bug/4", "1 % loss: progress; link cut: idle, then errors")
                        .covers(Feature.FAULTS, Feature.RETRY)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::lossThenCut),
                ContractCase.of(
                                "bug/12",
                                "ping-pong with every 50th ACK lost and receives posted late: all rounds finish")
                        .covers(Feature.DUPLICATES, Feature.RNR)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::pingPong),
                ContractCase.of(
                                "bug/18",
                                "rnr_retry 3, timer 12: RNR_RETRY_EXC_ERR after 4 tries and 3 x 0.64 ms at least")
                        .covers(Feature.RNR)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::receiverNotReady),
                ContractCase.of(
                                "bug/23",
                                "min_rnr_timer 0 waits 655.36 ms, 12 waits 0.64 ms, 13 a millisecond or so; the query shows it")
                        .covers(Feature.RNR, Feature.QUERY_QP)
                        .needs(Need.VIRTUAL_TIME, Need.FRAME_RULES)
                        .each(List.of(0, 12, 13), TimerBugCases::rnrTimer),
                ContractCase.of(
                                "bug/25",
                                "timeout 1 ms, RNR timer 10.24 ms: 10.24 ms between tries, transport retries not charged")
                        .covers(Feature.RNR, Feature.RETRY)
                        .needs(Need.VIRTUAL_TIME, Need.FRAME_RULES)
                        .run(TimerBugCases::bothTimers),
                ContractCase.of("bug/26", "a fence waits for READs and atomics before it, not for acknowledgements")
                        .covers(Feature.FENCE)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::fence),
                ContractCase.of(
                                "bug/42",
                                "active MTU 1024: 4096 is EINVAL and the state stays; the smaller of both works")
                        .covers(Feature.ACTIVE_MTU, Feature.VALUE_CHECKS)
                        .needs(Need.FRAME_RULES)
                        .run(TimerBugCases::smallPort));
    }

    private static void shortQueue(ContractBed bed) {
        int each = bed.limited("requests of each", 128, 8, 4);
        Traffic traffic = new Traffic(bed, PairPlan.RELIABLE, 64, Mix.of(Operation.WRITE, 64 << 10), 4);
        bed.fabric()
                .options(FabricOptions.clean()
                        .delay(1_000)
                        .bandwidth(10_000_000_000L)
                        .queueFrames(64));
        traffic.run(each);
        bed.expectNoEvents();
        assertTrue(
                bed.fabric().trace().entries().stream().anyMatch(entry -> !entry.arrived()),
                "the queue was short enough to lose frames");
    }

    private static void lossThenCut(ContractBed bed) {
        Traffic traffic = new Traffic(
                bed,
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.minRnrTimer(1)),
                3,
                new Mix(List.of(Operation.values()), 8, 10_000),
                16);
        bed.fabric().options(FabricOptions.clean().delay(1_000).loss(0.01));
        traffic.run(500);
        Pair pair = bed.pair(PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.timeout(10)));
        bed.fabric().addRule(FrameRule.drop());
        long framesBefore = bed.fabric().trace().count();
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1, RETRY_EXC_ERR);
        bed.advance(Duration.ofMinutes(5));
        assertEquals(8, bed.fabric().trace().count() - framesBefore, "once and seven retries, then nothing");
    }

    private static void pingPong(ContractBed bed) {
        int rounds = bed.limited("rounds", 100_000, 5_000, 500);
        Pair pair = bed.pair(PairPlan.RELIABLE.options(
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8).minRnrTimer(1)));
        bed.fabric().addRule(FrameRule.drop().opcode(RC_ACKNOWLEDGE).every(50));
        End a = pair.a();
        End b = pair.b();
        for (int i = 0; i < rounds; i++) {
            a.post(Send.of(i, a.slice(0, 64)).signaled());
            if (i % 100 == 99) {
                bed.advance(Duration.ofNanos(50 * MICROSECOND));
            }
            b.postReceive(i, 64, 64);
            b.expectReceived(i);
            b.post(Send.of(i, b.slice(64, 64)).signaled());
            a.postReceive(i, 128, 64);
            a.expectReceived(i);
            a.expectSent(i);
            b.expectSent(i);
        }
        Pair.expectSame(a, 0, a, 128, 64);
        pair.expectState(RTS);
    }

    private static List<TraceEntry> sends(ContractBed bed, Pair pair) {
        int number = pair.b().queuePair().number();
        return bed.fabric().trace().entries(frame -> frame.opcode() == RC_SEND_ONLY && frame.queuePair() == number);
    }

    private static void receiverNotReady(ContractBed bed) {
        Pair pair = bed.pair(
                PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.rnrRetry(3).minRnrTimer(12)));
        long startNs = bed.fabric().nowNs();
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, RNR_RETRY_EXC_ERR);
        assertEquals(4, sends(bed, pair).size());
        assertTrue(bed.fabric().nowNs() - startNs >= 3 * 640 * MICROSECOND);
    }

    private static void rnrTimer(ContractBed bed, int code) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.minRnrTimer(code)));
        assertEquals(code, pair.b().queuePair().query().minRnrTimer());
        long startNs = bed.fabric().nowNs();
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        bed.advance(Duration.ofMillis(1));
        pair.b().postReceive(100, 0, 64);
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        long tookUs = (bed.fabric().nowNs() - startNs) / MICROSECOND;
        long leastUs = code == 0 ? 655_000 : code == 12 ? 640 : 960;
        long mostUs = code == 0 ? 1_000_000 : 5_000;
        assertTrue(tookUs >= leastUs && tookUs <= mostUs, () -> tookUs + " us");
    }

    private static void bothTimers(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(
                ConnectOptions.DEFAULT.timeout(8).retryCount(0).rnrRetry(3).minRnrTimer(20)));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, RNR_RETRY_EXC_ERR);
        List<TraceEntry> sends = sends(bed, pair);
        assertEquals(4, sends.size());
        for (int i = 1; i < sends.size(); i++) {
            long gapNs = sends.get(i).timeNs() - sends.get(i - 1).timeNs();
            assertTrue(gapNs >= 10_240 * MICROSECOND, () -> gapNs + " ns");
        }
    }

    private static void fence(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100);
        pair.b().postReceive(101);
        bed.fabric().addRule(FrameRule.drop().opcode(RC_ACKNOWLEDGE).first(2));
        pair.a().post(Send.of(1).signaled());
        bed.advance(Duration.ofMillis(1));
        pair.a().post(Send.of(2).fenced().signaled());
        bed.advance(Duration.ofMillis(1));
        assertEquals(2, sends(bed, pair).size(), "the fenced one left without the first one's acknowledgement");
        pair.a().expectSent(1);
        pair.a().expectSent(2);
        pair.b().expectReceived(100);
        pair.b().expectReceived(101);

        int before = sends(bed, pair).size();
        pair.b().postReceive(102);
        bed.fabric().addRule(FrameRule.drop().opcode(RC_RDMA_READ_RESPONSE_ONLY).first(1));
        pair.a().post(Operation.READ.between(3, pair.a(), pair.b()));
        pair.a().post(Send.of(4).fenced().signaled());
        bed.advance(Duration.ofMillis(1));
        assertEquals(before, sends(bed, pair).size(), "the fenced one waits for the READ");
        pair.a().expectSent(3);
        pair.a().expectSent(4);
        pair.b().expectReceived(102);
        assertEquals(before + 1, sends(bed, pair).size());
    }

    private static void smallPort(ContractBed bed) {
        RdmaDevice small = bed.fabric()
                .addDevice("small", Gid.parse("192.0.2.100"), PathMtu.MTU_1024)
                .rdma();
        assertEquals(PathMtu.MTU_1024, small.port().activeMtu());
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        QueuePair qp = bed.closing(bed.closing(small.allocateProtectionDomain())
                .createQueuePair(QueuePairConfig.reliable(bed.closing(small.createCompletionQueue(16)))));
        qp.modify(QpModifyCases.required(qp, INIT));
        QueuePairAttributes large = QpModifyCases.required(qp, QueuePairState.RTR).toBuilder()
                .pathMtu(PathMtu.MTU_4096)
                .build();
        ContractBed.expectRefused(ErrorCode.EINVAL, () -> qp.modify(large));
        assertEquals(INIT, qp.state());
        qp.connect(pair.a().queuePair().localAddress());
        pair.a().queuePair().connect(qp.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
        qp.postReceive(ReceiveRequest.of(1));
        pair.a().post(Send.of(1).signaled());
        pair.a().expectSent(1);
    }
}
