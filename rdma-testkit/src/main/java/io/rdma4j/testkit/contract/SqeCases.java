package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.QueuePairState.SQD;
import static io.rdma4j.verbs.QueuePairState.SQE;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_LEN_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_QP_OP_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The send queue error of an unreliable connection: how it is reached, what it does, how it is left. */
final class SqeCases {
    private static final PairPlan PLAN = PairPlan.of(QueuePairType.UC);
    private static final long LIMIT = 1L << 31;
    private static final int PIECE = 1 << 20;

    private SqeCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("uc/OperationNotOffered", "L LOC_QP_OP_ERR and SQE; the peer is untouched")
                        .covers(Feature.SQE, Feature.ERROR_TABLE)
                        .each(
                                List.of(Operation.READ, Operation.FETCH_ADD, Operation.COMPARE_SWAP),
                                (bed, operation) -> {
                                    Pair pair = bed.pair(PLAN);
                                    fails(pair, operation.between(1, pair.a(), pair.b()));
                                }),
                ContractCase.of("uc/SendWithInvalidate", "L LOC_QP_OP_ERR and SQE; nothing arrives")
                        .covers(Feature.SQE, Feature.ERROR_TABLE)
                        .run(bed -> {
                            Pair pair = bed.pair(PLAN);
                            fails(
                                    pair,
                                    SendWithInvalidate.of(
                                            1, pair.b().key(), pair.a().slice(0, 8)));
                        }),
                ContractCase.of("uc/InvalidLkey", "L LOC_PROT_ERR, unsignaled too; later ones are flushed; SQE")
                        .covers(Feature.SQE, Feature.ERROR_TABLE, Feature.FLUSH)
                        .run(SqeCases::badKey),
                ContractCase.of("uc/MessageTooLong", "2^31 bytes and one more: L LOC_LEN_ERR and SQE")
                        .covers(Feature.SQE, Feature.ERROR_TABLE)
                        .run(SqeCases::tooLong),
                ContractCase.of("uc/PostSendSqe", "a request posted in SQE: WR_FLUSH_ERR")
                        .covers(Feature.SQE, Feature.POST_STATES)
                        .run(SqeCases::postInError),
                ContractCase.of("uc/ReceiveInSqe", "receives are posted and served in SQE")
                        .covers(Feature.SQE, Feature.POST_STATES)
                        .run(SqeCases::receiveInError),
                ContractCase.of("uc/SqeToRts", "back in RTS requests are sent again, and arrive")
                        .covers(Feature.SQE)
                        .run(SqeCases::backAgain),
                ContractCase.of("uc/SqeInTheMiddle", "the beginning of a message that failed is dropped by the peer")
                        .covers(Feature.SQE)
                        .run(SqeCases::middle),
                ContractCase.of("uc/SqeMoves", "only RTS, ERR and RESET; another move is refused and changes nothing")
                        .covers(Feature.SQE, Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                        .each(QueuePairState.class, SqeCases::move));
    }

    /** The only request, unsignaled, fails because the type does not have it. */
    private static void fails(Pair pair, SendRequest request) {
        pair.b().postReceive(100, 0, 64);
        pair.a().post(request);
        pair.a().expectSent(1, LOC_QP_OP_ERR);
        pair.a().expectState(SQE);
        pair.b().expectNothing();
        pair.b().expectUntouched();
        assertEquals(RTS, pair.b().queuePair().state());
    }

    private static Pair failed(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        pair.a().post(Send.of(1, pair.a().badSlice(0, 8)));
        pair.a().expectSent(1, LOC_PROT_ERR);
        pair.a().expectState(SQE);
        return pair;
    }

    private static void badKey(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        pair.a().postReceive(50, 0, 64);
        pair.a()
                .post(
                        Send.of(1).signaled(),
                        Send.of(2, pair.a().badSlice(0, 8)),
                        Send.of(3),
                        Operation.WRITE.between(4, pair.a(), pair.b()));
        pair.a().expectSent(1);
        pair.a().expectSent(2, LOC_PROT_ERR);
        pair.a().expectSent(3, WR_FLUSH_ERR);
        pair.a().expectSent(4, WR_FLUSH_ERR);
        pair.a().expectState(SQE);
        assertEquals(SQE, pair.a().queuePair().query().state());
        pair.a().expectNothing();
        pair.b().expectUntouched();
        bed.expectNoEvents();
    }

    private static void tooLong(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        ByteBuffer[] pieces = new ByteBuffer[(int) (LIMIT / PIECE) + 1];
        Arrays.fill(pieces, ByteBuffer.allocateDirect(PIECE));
        MemoryRegion big = bed.closing(
                pair.a().domain().registerMemory(MemoryRegionConfig.of(pieces).access(AccessFlag.LOCAL_WRITE)));
        pair.a()
                .post(RdmaWrite.of(1, big.slice(0, LIMIT + 1))
                        .to(pair.b().address(0), pair.b().key()));
        pair.a().expectSent(1, LOC_LEN_ERR);
        pair.a().expectState(SQE);
        pair.b().expectUntouched();
    }

    private static void postInError(ContractBed bed) {
        Pair pair = failed(bed);
        pair.a().post(Send.of(2), Operation.WRITE.between(3, pair.a(), pair.b()));
        pair.a().expectSent(2, WR_FLUSH_ERR);
        pair.a().expectSent(3, WR_FLUSH_ERR);
        pair.a().expectState(SQE);
        pair.b().expectUntouched();
    }

    private static void receiveInError(ContractBed bed) {
        Pair pair = failed(bed);
        pair.a().postReceive(50, 0, 64);
        pair.b().post(Send.of(9, pair.b().slice(0, 64)).signaled());
        pair.b().expectSent(9);
        assertEquals(64, pair.a().expectReceived(50).byteLength());
        Pair.expectSame(pair.b(), 0, pair.a(), 0, 64);
        pair.a().expectState(SQE);
    }

    private static void backAgain(ContractBed bed) {
        Pair pair = failed(bed);
        for (int round = 0; round < 2; round++) {
            pair.a().move(RTS);
            pair.b().postReceive(100, 0, 64);
            pair.a().post(Send.of(2, pair.a().slice(8, 64)).signaled());
            pair.a().expectSent(2);
            pair.b().expectReceived(100);
            Pair.expectSame(pair.a(), 8, pair.b(), 0, 64);
            pair.a().post(Send.of(3, pair.a().badSlice(0, 8)));
            pair.a().expectSent(3, LOC_PROT_ERR);
            pair.a().expectState(SQE);
        }
    }

    private static void middle(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        int mtu = pair.a().device().port().activeMtu().bytes();
        pair.b().postReceive(100, 0, 2L * mtu);
        pair.a().post(Send.of(1, pair.a().slice(0, mtu), pair.a().badSlice(0, 8)));
        pair.a().expectSent(1, LOC_PROT_ERR);
        pair.a().expectState(SQE);
        pair.a().move(RTS);
        pair.a().post(Send.of(2, pair.a().slice(8, mtu + 8L)).signaled());
        pair.a().expectSent(2);
        assertEquals(mtu + 8, pair.b().expectReceived(100).byteLength());
        Pair.expectSame(pair.a(), 8, pair.b(), 0, mtu + 8);
    }

    private static void move(ContractBed bed, QueuePairState to) {
        Pair pair = failed(bed);
        QueuePairAttributes attributes = QueuePairAttributes.builder().state(to).build();
        if (to == RTS || to == ERR || to == RESET) {
            pair.a().queuePair().modify(attributes);
            pair.a().expectState(to);
        } else {
            expectRefused(ErrorCode.EINVAL, () -> pair.a().queuePair().modify(attributes));
            assertEquals(SQE, pair.a().queuePair().state());
        }
        if (to == SQD) {
            pair.a().move(RTS); // the refusal has changed nothing
            pair.a().expectState(RTS);
        }
    }
}
