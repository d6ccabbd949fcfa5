package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;

/** Datagrams that are dropped, and those that cannot be sent. */
final class UdErrorCases {
    private static final int ROUTE = Datagrams.ROUTE;
    private static final int QKEY = Datagrams.QKEY;
    private static final int BATCH = 20;

    private UdErrorCases() {}

    static List<ContractCase> cases() {
        List<ContractCase> all = new ArrayList<>(dropped());
        all.addAll(refused());
        return all;
    }

    private static List<ContractCase> dropped() {
        return List.of(
                ContractCase.of(
                                "ud/SendRnr",
                                "L S; nothing at the receiver, whose later receive gets the next datagram")
                        .covers(Feature.UD_ERRORS, Feature.COUNTERS)
                        .run(UdErrorCases::noReceive),
                ContractCase.of("ud/SendRnrUnsignaledBatch", "L S for the signaled last one; nothing at the receiver")
                        .covers(Feature.UD_ERRORS, Feature.SIGNALING)
                        .run(UdErrorCases::unsignaledBatch),
                ContractCase.of("ud/SendWithTooSmallRecv", "L S; R LOC_LEN_ERR without a byte; both queue pairs go on")
                        .covers(Feature.UD_ERRORS)
                        .each(List.of(0, 39, 40, 103), UdErrorCases::tooSmall),
                ContractCase.of(
                                "bug/38",
                                "receives of 39, 40 and 50 bytes do not end the queue pair; one of 200 is filled")
                        .covers(Feature.UD_ERRORS)
                        .run(UdErrorCases::tooSmallThenLargeEnough),
                ContractCase.of("ud/SendInvalidQpn", "L S; nothing at the receiver")
                        .covers(Feature.UD_ERRORS)
                        .run(UdErrorCases::wrongNumber),
                ContractCase.of("ud/SendInvalidQKey", "L S; nothing at the receiver, which counts")
                        .covers(Feature.UD_ERRORS, Feature.COUNTERS)
                        .run(UdErrorCases::wrongQkey),
                ContractCase.of("ud/ToAConnection", "a datagram to an RC queue pair is dropped and does it no harm")
                        .covers(Feature.TYPES_APART)
                        .run(UdErrorCases::toAConnection),
                ContractCase.of("ud/FromAConnection", "packets of RC to a UD queue pair are dropped: RETRY_EXC_ERR")
                        .covers(Feature.TYPES_APART)
                        .run(UdErrorCases::fromAConnection));
    }

    private static List<ContractCase> refused() {
        return List.of(
                ContractCase.of("ud/SendLargerThanMtu", "LOC_LEN_ERR, and SQE; nothing at the receiver")
                        .covers(Feature.UD_TOO_LONG, Feature.SQE)
                        .run(UdErrorCases::tooLong),
                ContractCase.of("ud/NotASend", "Read, Write, FetchAdd, CompareSwap: LOC_QP_OP_ERR, and SQE")
                        .covers(Feature.ERROR_TABLE, Feature.SQE)
                        .each(
                                List.of(
                                        Operation.READ,
                                        Operation.WRITE,
                                        Operation.WRITE_IMMEDIATE,
                                        Operation.FETCH_ADD,
                                        Operation.COMPARE_SWAP),
                                UdErrorCases::otherOperation),
                ContractCase.of("ud/SendInvalidLkey", "LOC_PROT_ERR, and SQE")
                        .covers(Feature.ERROR_TABLE, Feature.SQE)
                        .run(UdErrorCases::badKey),
                ContractCase.of("pd/SendAhOnOtherPd", "LOC_QP_OP_ERR")
                        .covers(Feature.ADDRESS_HANDLE_PD, Feature.PD_ISOLATION)
                        .run(UdErrorCases::handleOfAnotherDomain),
                ContractCase.of("ud/BadRecvLkey", "L S; R LOC_PROT_ERR, and ERR: the receive is the program's own")
                        .covers(Feature.ERROR_TABLE)
                        .run(UdErrorCases::badReceiveKey),
                ContractCase.of("ud/SendQueueError", "SQE flushes sends and takes datagrams; RTS sends again")
                        .covers(Feature.SQE, Feature.FLUSH)
                        .run(UdErrorCases::sendQueueError),
                ContractCase.of("ud/WithoutDestination", "refused when posted, in words")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(UdErrorCases::withoutDestination));
    }

    private static void noReceive(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.send(1, 64);
        ud.a().expectSent(1);
        ud.expectCounted("dropped_no_receiver", 1);
        ud.b().postReceive(100, 0, 200);
        ud.send(2, 8);
        ud.a().expectSent(2);
        assertEquals(ROUTE + 8, ud.b().expectReceived(100).byteLength());
    }

    private static void unsignaledBatch(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        for (int i = 1; i < BATCH; i++) {
            ud.a()
                    .post(Send.of(i, ud.a().slice(0, 64))
                            .to(ud.way(), ud.b().queuePair().number(), QKEY));
        }
        ud.send(BATCH, 64);
        ud.a().expectSent(BATCH);
        ud.expectCounted("dropped_no_receiver", BATCH);
        ud.b().expectNothing();
    }

    private static void tooSmall(ContractBed bed, int bytes) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, bytes);
        ud.send(1, 64);
        ud.a().expectSent(1);
        ud.b().expectReceived(100, WorkCompletionStatus.LOC_LEN_ERR);
        ud.b().expectUntouched();
        ud.a().expectState(QueuePairState.RTS);
        ud.b().expectState(QueuePairState.RTS);
    }

    private static void tooSmallThenLargeEnough(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        for (int bytes : new int[] {39, 40, 50}) {
            ud.b().postReceive(bytes, 0, bytes);
            ud.send(bytes, 100);
            ud.a().expectSent(bytes);
            ud.b().expectReceived(bytes, WorkCompletionStatus.LOC_LEN_ERR);
        }
        ud.b().postReceive(200, 0, 200);
        ud.send(200, 100);
        ud.a().expectSent(200);
        assertEquals(140, ud.b().expectReceived(200).byteLength());
        ud.b().expectState(QueuePairState.RTS);
    }

    private static void wrongNumber(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1, ud.a().slice(0, 64))
                        .to(ud.way(), ud.b().queuePair().number() ^ 0x400000, QKEY)
                        .signaled());
        ud.a().expectSent(1);
        ud.expectCounted("dropped_unknown_qp", 1);
        ud.b().expectNothing();
    }

    private static void wrongQkey(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1, ud.a().slice(0, 64))
                        .to(ud.way(), ud.b().queuePair().number(), QKEY + 1)
                        .signaled());
        ud.a().expectSent(1);
        ud.expectCounted("dropped_bad_qkey", 1);
        ud.b().expectNothing();
    }

    private static void toAConnection(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        Pair connected = bed.pair();
        connected.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1, ud.a().slice(0, 64))
                        .to(ud.way(), connected.b().queuePair().number(), QKEY)
                        .signaled());
        ud.a().expectSent(1);
        ud.expectCounted("dropped_wrong_transport", 1);
        connected.a().post(Send.of(2, connected.a().slice(0, 8)).signaled());
        connected.a().expectSent(2);
        assertEquals(8, connected.b().expectReceived(100).byteLength());
    }

    private static void fromAConnection(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        Pair connected = bed.pair(PairPlan.RELIABLE.unconnected());
        connected
                .a()
                .queuePair()
                .connect(
                        ud.b().queuePair().localAddress(),
                        PairPlan.RELIABLE.options().timeout(8).retryCount(1));
        ud.b().postReceive(100, 0, 200);
        connected.a().post(Send.of(1, connected.a().slice(0, 64)).signaled());
        connected.a().expectSent(1, WorkCompletionStatus.RETRY_EXC_ERR);
        ud.b().expectNothing();
        ud.b().expectState(QueuePairState.RTS);
    }

    private static void tooLong(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 16 << 10);
        ud.send(1, ud.a().device().port().activeMtu().bytes() + 1);
        ud.a().expectSent(1, WorkCompletionStatus.LOC_LEN_ERR);
        ud.a().expectState(QueuePairState.SQE);
        ud.b().expectNothing();
    }

    private static void otherOperation(ContractBed bed, Operation operation) {
        Datagrams ud = new Datagrams(bed);
        ud.a().post(operation.between(1, ud.a(), ud.b()));
        ud.a().expectSent(1, WorkCompletionStatus.LOC_QP_OP_ERR);
        ud.a().expectState(QueuePairState.SQE);
        ud.b().expectUntouched();
    }

    private static void badKey(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.a()
                .post(Send.of(1, ud.a().badSlice(0, 64))
                        .to(ud.way(), ud.b().queuePair().number(), QKEY));
        ud.a().expectSent(1, WorkCompletionStatus.LOC_PROT_ERR);
        ud.a().expectState(QueuePairState.SQE);
        ud.b().expectNothing();
    }

    private static void handleOfAnotherDomain(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ProtectionDomain other = bed.closing(bed.device(0).allocateProtectionDomain());
        AddressHandle way = bed.closing(
                other.createAddressHandle(AddressVector.of(bed.device(1).gid())));
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1, ud.a().slice(0, 64))
                        .to(way, ud.b().queuePair().number(), QKEY)
                        .signaled());
        ud.a().expectSent(1, WorkCompletionStatus.LOC_QP_OP_ERR);
        ud.b().expectNothing();
    }

    private static void badReceiveKey(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().queuePair().postReceive(ReceiveRequest.of(100, ud.b().badSlice(0, 200)));
        ud.send(1, 64);
        ud.a().expectSent(1);
        ud.b().expectReceived(100, WorkCompletionStatus.LOC_PROT_ERR);
        ud.b().expectState(QueuePairState.ERR);
        ud.b().expectUntouched();
    }

    private static void sendQueueError(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        AddressHandle back = ud.way(ud.b(), ud.a());
        int here = ud.a().queuePair().number();
        ud.a().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1, ud.a().badSlice(0, 64))
                        .to(ud.way(), ud.b().queuePair().number(), QKEY));
        ud.a().expectSent(1, WorkCompletionStatus.LOC_PROT_ERR);
        ud.send(2, 64);
        ud.a().expectSent(2, WorkCompletionStatus.WR_FLUSH_ERR);
        ud.b().post(Send.of(3, ud.b().slice(0, 64)).to(back, here, QKEY).signaled());
        ud.b().expectSent(3);
        assertEquals(ROUTE + 64, ud.a().expectReceived(100).byteLength());

        ud.a().move(QueuePairState.RTS);
        ud.b().postReceive(101, 0, 200);
        ud.send(4, 64);
        ud.a().expectSent(4);
        ud.b().expectReceived(101);
    }

    private static void withoutDestination(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        RdmaException refusal =
                expectRefused(ErrorCode.EINVAL, () -> ud.a().post(Send.of(1).signaled()));
        assertTrue(String.valueOf(refusal.getMessage()).contains("destination"), "it says what is missing");
        ud.a().expectNothing();
        ud.a().expectState(QueuePairState.RTS);
    }
}
