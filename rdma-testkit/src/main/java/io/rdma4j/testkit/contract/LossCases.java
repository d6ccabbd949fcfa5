package io.rdma4j.testkit.contract;

import static io.rdma4j.core.wire.Opcode.RC_ACKNOWLEDGE;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.contract.Traffic.Mix;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.RuleInForce;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;
import java.util.function.UnaryOperator;

/** Reliable connections on a network that loses, repeats, damages and disorders. */
final class LossCases {
    private static final ConnectOptions SMALL = ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256);

    /** Of each operation: several packets at the smallest MTU. */
    private static final int BYTES = 1_000;

    private LossCases() {}

    static List<ContractCase> cases() {
        return List.of(
                frames(
                        "loss/LostRequest",
                        "the first request packet is lost: S, executed once",
                        FrameRule.drop(),
                        true),
                frames(
                        "loss/LostResponse",
                        "the first response packet is lost: S, executed once",
                        FrameRule.drop(),
                        false),
                frames(
                        "loss/DuplicateRequest",
                        "request packets arrive twice: S, executed once",
                        FrameRule.duplicate(5_000),
                        true),
                frames(
                        "loss/DuplicateResponse",
                        "response packets arrive twice: S, one completion",
                        FrameRule.duplicate(5_000),
                        false),
                frames(
                        "loss/CorruptRequest",
                        "the first request packet is damaged: dropped by its ICRC; S",
                        FrameRule.corrupt(),
                        true),
                frames(
                        "loss/CorruptResponse",
                        "the first response packet is damaged: dropped by its ICRC; S",
                        FrameRule.corrupt(),
                        false),
                frames(
                        "loss/ReorderedRequest",
                        "the first request packet is overtaken: S, executed once",
                        FrameRule.reorder(2),
                        true));
    }

    static List<ContractCase> moreCases() {
        return List.of(
                frames(
                        "loss/ReorderedResponse",
                        "the first response packet is overtaken: S, one completion",
                        FrameRule.reorder(2),
                        false),
                ContractCase.of(
                                "loss/Everything",
                                "all operations with loss, duplicates, reordering and damage by chance: S, verified")
                        .covers(Feature.FAULTS, Feature.GO_BACK_N, Feature.DUPLICATES)
                        .needs(Need.FRAME_RULES)
                        .each(PathMtu.class, LossCases::everything),
                ContractCase.of("loss/PsnWrap", "PSNs wrap at 2^24 under loss: S, verified")
                        .covers(Feature.GO_BACK_N, Feature.FAULTS)
                        .needs(Need.FRAME_RULES)
                        .run(LossCases::wrap),
                ContractCase.of("loss/OneNakForAGap", "one NAK 0x60 for a gap, however many packets follow it")
                        .covers(Feature.ONE_NAK, Feature.GO_BACK_N)
                        .needs(Need.FRAME_RULES)
                        .run(LossCases::oneNak),
                ContractCase.of(
                                "loss/LostReadResponse",
                                "a READ response in the middle is lost: the rest is read again, S")
                        .covers(Feature.DUPLICATES, Feature.GHOSTS, Feature.READ)
                        .needs(Need.FRAME_RULES)
                        .run(LossCases::lostReadResponse),
                ContractCase.of(
                                "loss/RetryExceeded",
                                "nothing arrives: sent once and retry_cnt times, then RETRY_EXC_ERR")
                        .covers(Feature.RETRY, Feature.ERROR_TABLE)
                        .needs(Need.FRAME_RULES)
                        .each(List.of(0, 1, 5, 7), LossCases::retryExceeded),
                ContractCase.of("bug/5", "packets with MigReq 0 and 1 are accepted; ours carry 1")
                        .covers(Feature.MIGREQ)
                        .needs(Need.FRAME_RULES)
                        .each(Operation.class, LossCases::eitherMigration));
    }

    private static ContractCase frames(String id, String expectation, FrameRule fault, boolean toResponder) {
        return ContractCase.of(id, expectation)
                .covers(Feature.FAULTS, Feature.DUPLICATES, Feature.ICRC)
                .needs(Need.FRAME_RULES)
                .each(Operation.class, (bed, operation) -> fault(bed, operation, fault, toResponder));
    }

    private static void fault(ContractBed bed, Operation operation, FrameRule fault, boolean toResponder) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(SMALL));
        End a = pair.a();
        End b = pair.b();
        b.memory().putLong(0, 0);
        if (operation.needsReceive()) {
            b.postReceive(100, 8_000, BYTES);
        }
        QueuePair target = (toResponder ? b : a).queuePair();
        RuleInForce rule = bed.fabric().addRule(fault.queuePair(target).first(1));
        boolean isAtomic = Operation.ATOMICS.contains(operation);
        int bytes = isAtomic ? Long.BYTES : BYTES;
        a.post(operation.request(1, a.slice(0, bytes), b.address(0), b.key()));
        a.expectSent(1);
        assertEquals(1, rule.acted());
        if (isAtomic) {
            assertEquals(0, a.memory().getLong(0), "the former value");
            assertEquals(1, b.memory().getLong(0), "executed once");
        } else {
            boolean isSend = operation == Operation.SEND || operation == Operation.SEND_IMMEDIATE;
            Pair.expectSame(a, 0, b, isSend ? 8_000 : 0, bytes);
        }
        if (operation.needsReceive()) {
            assertEquals(BYTES, b.expectReceived(100).byteLength());
        }
        bed.expectNoEvents();
    }

    private static void everything(ContractBed bed, PathMtu mtu) {
        Traffic traffic = new Traffic(
                bed,
                PairPlan.RELIABLE.options(
                        ConnectOptions.DEFAULT.pathMtu(mtu).timeout(8).minRnrTimer(1)),
                3,
                new Mix(List.of(Operation.values()), 8, 6_000),
                16);
        bed.fabric()
                .options(FabricOptions.clean()
                        .delay(1_000)
                        .loss(0.01)
                        .duplicate(0.01)
                        .reorder(0.01)
                        .corrupt(0.01));
        traffic.run(200);
        bed.expectNoEvents();
    }

    private static void wrap(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        new ConnectionEnd(pair.a().queuePair(), 0xFFFFF0)
                .connect(new ConnectionEnd(pair.b().queuePair(), 0xFFFFFE), SMALL);
        bed.fabric().addRule(FrameRule.drop().every(7));
        for (int i = 0; i < 20; i++) {
            int at = i * 1_000;
            pair.a()
                    .post(Operation.WRITE.request(
                            i,
                            pair.a().slice(at, 1_000),
                            pair.b().address(at),
                            pair.b().key()));
            pair.b()
                    .post(Operation.READ.request(
                            100 + i,
                            pair.b().slice(30_000, 1_000),
                            pair.a().address(at),
                            pair.a().key()));
            pair.a().expectSent(i);
            pair.b().expectSent(100 + i);
            Pair.expectSame(pair.a(), at, pair.b(), at, 1_000);
            Pair.expectSame(pair.a(), at, pair.b(), 30_000, 1_000);
        }
    }

    private static void oneNak(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(SMALL));
        RuleInForce lost = bed.fabric()
                .addRule(FrameRule.drop().queuePair(pair.b().queuePair()).nth(5));
        pair.a()
                .post(Operation.WRITE.request(
                        1,
                        pair.a().slice(0, 10_000),
                        pair.b().address(0),
                        pair.b().key()));
        pair.a().expectSent(1);
        assertEquals(1, lost.acted());
        int number = pair.a().queuePair().number();
        assertEquals(
                1,
                bed.fabric()
                        .trace()
                        .entries(frame -> frame.opcode() == RC_ACKNOWLEDGE
                                && frame.queuePair() == number
                                && frame.syndrome() == Syndrome.NAK_SEQUENCE_ERROR)
                        .size());
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 10_000);
    }

    private static void lostReadResponse(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(SMALL));
        bed.fabric()
                .addRule(FrameRule.drop().opcode(RC_RDMA_READ_RESPONSE_MIDDLE).nth(3));
        pair.a()
                .post(Operation.READ.request(
                        1,
                        pair.a().slice(0, 10_000),
                        pair.b().address(20_000),
                        pair.b().key()));
        pair.a()
                .post(Operation.WRITE.request(
                        2,
                        pair.a().slice(20_000, 8),
                        pair.b().address(0),
                        pair.b().key()));
        assertEquals(10_000, pair.a().expectSent(1).byteLength());
        pair.a().expectSent(2);
        Pair.expectSame(pair.b(), 20_000, pair.a(), 0, 10_000);
        pair.a().expectUntouchedBut(0, 10_000);
    }

    /** Requests and responses come as a peer sends them that knows of no migration; before that, as we send them. */
    private static void eitherMigration(ContractBed bed, Operation operation) {
        RuleInForce not = bed.fabric().addRule(FrameRule.drop().when("MigReq 0", frame -> !frame.migrated()));
        RuleInForce cleared = bed.fabric().addRule(FrameRule.migrated(false));
        Pair pair = bed.pair(PairPlan.RELIABLE.options(SMALL));
        if (operation.needsReceive()) {
            pair.b().postReceive(100, 8_000, BYTES);
        }
        int bytes = Operation.ATOMICS.contains(operation) ? Long.BYTES : BYTES;
        pair.a()
                .post(operation.request(
                        1,
                        pair.a().slice(0, bytes),
                        pair.b().address(0),
                        pair.b().key()));
        pair.a().expectSent(1);
        if (operation.needsReceive()) {
            pair.b().expectReceived(100);
        }
        assertEquals(0, not.acted(), "frames of ours with MigReq 0");
        assertTrue(cleared.acted() >= 2, "a request and its answer");
        bed.expectNoEvents();
    }

    private static void retryExceeded(ContractBed bed, int retries) {
        UnaryOperator<ConnectOptions> few = options -> options.timeout(10).retryCount(retries);
        Pair pair = bed.pair(PairPlan.RELIABLE.options(few.apply(ConnectOptions.DEFAULT)));
        RuleInForce lost =
                bed.fabric().addRule(FrameRule.drop().queuePair(pair.b().queuePair()));
        long startNs = bed.fabric().nowNs();
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        WorkCompletion done = pair.a().expectSent(1, RETRY_EXC_ERR);
        assertEquals(retries + 1, lost.acted(), done::toString);
        long timeoutNs = 4_096L << 10;
        long tookNs = bed.fabric().nowNs() - startNs;
        assertTrue(tookNs >= (retries + 1L) * timeoutNs, () -> tookNs + " ns");
        assertTrue(tookNs <= 4 * (retries + 1L) * timeoutNs, () -> tookNs + " ns");
        pair.a().expectState(ERR);
    }
}
