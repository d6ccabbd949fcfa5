package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_LEN_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_INV_REQ_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;

/** Receives of reliable connections that are missing, too small or bad. */
final class RcReceiveCases {
    private static final ConnectOptions FEW_RETRIES =
            ConnectOptions.DEFAULT.rnrRetry(1).minRnrTimer(1);

    private RcReceiveCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("rc/SendWithTooSmallRecv", "L REM_INV_REQ_ERR, R LOC_LEN_ERR, both in ERR")
                        .covers(Feature.ERROR_TABLE)
                        .run(RcReceiveCases::tooSmall),
                ContractCase.of("rc/SendRnr", "L RNR_RETRY_EXC_ERR when no receive is posted")
                        .covers(Feature.RNR, Feature.ERROR_TABLE)
                        .run(bed -> noReceive(bed, Operation.SEND)),
                ContractCase.of("rc/WriteImmDataRnR", "L RNR_RETRY_EXC_ERR when no receive is posted")
                        .covers(Feature.RNR, Feature.ERROR_TABLE)
                        .run(bed -> noReceive(bed, Operation.WRITE_IMMEDIATE)),
                ContractCase.of(
                                "rc/SendRnrInfiniteRetries",
                                "with rnr_retry 7 nothing completes until a receive is posted")
                        .covers(Feature.RNR)
                        .run(RcReceiveCases::retriesWithoutEnd),
                ContractCase.of("rc/BadRecvAddr", "L REM_OP_ERR, R LOC_PROT_ERR")
                        .covers(Feature.ERROR_TABLE, Feature.RANGE_CHECK)
                        .run(RcReceiveCases::badAddress),
                ContractCase.of("rc/BadRecvLkey", "L REM_OP_ERR, R LOC_PROT_ERR")
                        .covers(Feature.ERROR_TABLE, Feature.KEYS)
                        .run(bed -> bad(bed, bed.pair(), 64)),
                ContractCase.of("rc/RecvOnDeregisteredRegion", "L REM_OP_ERR, R LOC_PROT_ERR; no data are placed")
                        .covers(Feature.ERROR_TABLE, Feature.DEREGISTER)
                        .run(RcReceiveCases::deregistered),
                ContractCase.of("rc/RecvPayloadExceedMr", "L REM_OP_ERR, R LOC_PROT_ERR")
                        .covers(Feature.ERROR_TABLE, Feature.RANGE_CHECK)
                        .run(RcReceiveCases::payloadExceedsRegion),
                ContractCase.of(
                                "rc/RecvBufferExceedMr",
                                "a receive longer than its region, a message that fits: both S, or both error")
                        .covers(Feature.RANGE_CHECK)
                        .run(RcReceiveCases::bufferExceedsRegion));
    }

    private static void tooSmall(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 63);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_INV_REQ_ERR);
        pair.b().expectReceived(100, LOC_LEN_ERR);
        pair.expectState(ERR);
        pair.b().expectUntouchedBut(0, 63);
    }

    private static void noReceive(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(FEW_RETRIES));
        pair.a().post(operation.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1, RNR_RETRY_EXC_ERR);
        pair.a().expectState(ERR);
        pair.b().expectState(RTS);
    }

    private static void retriesWithoutEnd(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectNothing();
        pair.expectState(RTS);
        pair.b().postReceive(100, 0, 64);
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 64);
    }

    private static void badAddress(ContractBed bed) {
        Pair pair = bed.pair();
        long beyond = pair.b().address(pair.b().region().length());
        ScatterGatherElement element =
                new ScatterGatherElement(beyond, 64, pair.b().region().localKey());
        bad(pair, element);
    }

    private static void bad(ContractBed bed, Pair pair, int length) {
        bad(pair, pair.b().badSlice(0, length));
        bed.expectNoEvents();
    }

    private static void bad(Pair pair, ScatterGatherElement element) {
        pair.b().queuePair().postReceive(ReceiveRequest.of(100, element));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        pair.expectState(ERR);
        pair.b().expectUntouched();
    }

    private static void deregistered(ContractBed bed) {
        Pair pair = bed.pair();
        ByteBuffer memory = HostMemory.allocate(64);
        MemoryRegion region = pair.b().domain().registerMemory(memory, AccessFlag.LOCAL_WRITE);
        ScatterGatherElement element = region.all();
        pair.b().queuePair().postReceive(ReceiveRequest.of(100, element));
        region.close();
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        byte[] now = new byte[64];
        memory.get(0, now);
        assertArrayEquals(new byte[64], now, "what is no longer registered");
    }

    private static void payloadExceedsRegion(ContractBed bed) {
        Pair pair = bed.pair();
        long end = pair.b().region().length();
        pair.b()
                .queuePair()
                .postReceive(ReceiveRequest.of(
                        100,
                        new ScatterGatherElement(
                                pair.b().address(end - 32),
                                64,
                                pair.b().region().localKey())));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        pair.expectState(ERR);
    }

    private static void bufferExceedsRegion(ContractBed bed) {
        Pair pair = bed.pair();
        long end = pair.b().region().length();
        pair.b()
                .queuePair()
                .postReceive(ReceiveRequest.of(
                        100,
                        new ScatterGatherElement(
                                pair.b().address(end - 64),
                                128,
                                pair.b().region().localKey())));
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        WorkCompletion sent = pair.a().nextSent();
        WorkCompletion received = pair.b().nextReceived();
        assertEquals(sent.status() == SUCCESS, received.status() == SUCCESS, () -> sent + " and " + received);
        if (sent.status() == SUCCESS) {
            Pair.expectSame(pair.a(), 0, pair.b(), (int) end - 64, 64);
        }
        pair.b().expectUntouchedBut((int) end - 64, 64);
    }
}
