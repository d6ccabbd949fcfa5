package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.List;

/** Datagrams. */
final class UdCases {
    private static final int ROUTE = Datagrams.ROUTE;
    private static final int QKEY = Datagrams.QKEY;
    private static final int BATCH = 20;

    private UdCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("ud/Send", "L S; R S with the GRH flag, 40 bytes more, and the sender's number")
                        .covers(Feature.UD_SEND, Feature.ROCE)
                        .each(List.of(0, 1, 63, 1_024), UdCases::send),
                ContractCase.of("ud/SendEmptySgl", "no elements: L S; R S with the 40 bytes of the route alone")
                        .covers(Feature.UD_SEND, Feature.ZERO_LENGTH)
                        .run(UdCases::emptyList),
                ContractCase.of("ud/RecvBufferExceedMr", "a receive longer than its region takes what fits the region")
                        .covers(Feature.UD_SEND)
                        .run(UdCases::beyondTheRegion),
                ContractCase.of("ud/PollMultipleCqe", "many datagrams, each complete once, in order")
                        .covers(Feature.UD_SEND)
                        .run(UdCases::pollMany),
                ContractCase.of("ud/SendImmData", "R S with immediate data and both flags")
                        .covers(Feature.UD_SEND, Feature.SEND_IMMEDIATE)
                        .run(UdCases::immediate),
                ContractCase.of("ud/SendInlineData", "inline data is sent as it was when posted")
                        .covers(Feature.UD_SEND, Feature.INLINE)
                        .run(UdCases::inline),
                ContractCase.of("ud/SendOwnQKey", "a remote Q_Key with the top bit set is the sender's own")
                        .covers(Feature.UD_SEND)
                        .run(UdCases::ownQkey),
                ContractCase.of("ud/Loopback", "a queue pair and its neighbour get what is sent to their own device")
                        .covers(Feature.UD_SEND, Feature.LOOPBACK)
                        .run(UdCases::loopback),
                ContractCase.of("ud/SeveralElements", "route and payload run over the elements of the receive as one")
                        .covers(Feature.UD_SEND)
                        .run(UdCases::severalElements),
                ContractCase.of(
                                "ud/SendInvalidAh",
                                "a handle closed after the post does no harm; before, it is refused")
                        .covers(Feature.ADDRESS_HANDLE, Feature.BAD_ARGUMENTS)
                        .run(UdCases::closedHandle),
                ContractCase.of(
                                "bug/10",
                                "a datagram is on the wire when it is complete, though its queue pair goes at once")
                        .covers(Feature.UD_SEND, Feature.QP_DESTROY)
                        .run(UdCases::destroyedAtOnce));
    }

    private static void send(ContractBed bed, int length) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, ROUTE + 1_024);
        ud.send(1, length);
        assertEquals(WorkCompletionOpcode.SEND, ud.a().expectSent(1).opcode());
        WorkCompletion received = ud.b().expectReceived(100);
        assertEquals(WorkCompletionOpcode.RECV, received.opcode());
        assertEquals(ROUTE + length, received.byteLength());
        assertEquals(WorkCompletion.FLAG_GRH, received.flags());
        assertEquals(ud.a().queuePair().number(), received.sourceQueuePair());
        Pair.expectSame(ud.a(), 0, ud.b(), ROUTE, length);
        ud.b().expectUntouchedBut(0, ROUTE + length);
    }

    private static void emptyList(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, ROUTE);
        ud.a().post(Send.of(1).to(ud.way(), ud.b().queuePair().number(), QKEY).signaled());
        ud.a().expectSent(1);
        assertEquals(ROUTE, ud.b().expectReceived(100).byteLength());
        ud.b().expectUntouchedBut(0, ROUTE);
    }

    private static void beyondTheRegion(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        End b = ud.b();
        int last = b.memory().capacity() - 200;
        b.queuePair()
                .postReceive(ReceiveRequest.of(
                        100,
                        new ScatterGatherElement(
                                b.address(last), 400, b.region().localKey())));
        ud.send(1, 64);
        ud.a().expectSent(1);
        assertEquals(ROUTE + 64, b.expectReceived(100).byteLength());
        Pair.expectSame(ud.a(), 0, b, last + ROUTE, 64);
    }

    private static void pollMany(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        for (int i = 0; i < BATCH; i++) {
            ud.b().postReceive(i, 1_000L * i, 1_000);
        }
        for (int i = 0; i < BATCH; i++) {
            ud.send(i, i);
        }
        for (int i = 0; i < BATCH; i++) {
            ud.a().expectSent(i);
            assertEquals(ROUTE + i, ud.b().expectReceived(i).byteLength());
        }
    }

    private static void immediate(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(SendWithImmediate.of(1, Operation.IMMEDIATE, ud.a().slice(0, 64))
                        .to(ud.way(), ud.b().queuePair().number(), QKEY)
                        .signaled());
        ud.a().expectSent(1);
        WorkCompletion received = ud.b().expectReceived(100);
        assertEquals(Operation.IMMEDIATE, received.immediateData());
        assertEquals(WorkCompletion.FLAG_GRH | WorkCompletion.FLAG_WITH_IMMEDIATE, received.flags());
        Pair.expectSame(ud.a(), 0, ud.b(), ROUTE, 64);
    }

    private static void inline(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        byte[] data = {1, 2, 3, 4, 5};
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.inline(1, data)
                        .to(ud.way(), ud.b().queuePair().number(), QKEY)
                        .signaled());
        data[0] = 9;
        ud.a().expectSent(1);
        assertEquals(ROUTE + 5, ud.b().expectReceived(100).byteLength());
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, ud.b().bytes(ROUTE, 5));
    }

    private static void ownQkey(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.a()
                .post(Send.of(1)
                        .to(ud.way(), ud.b().queuePair().number(), 0x80000000)
                        .signaled());
        ud.a().expectSent(1);
        assertEquals(ROUTE, ud.b().expectReceived(100).byteLength());
    }

    private static void loopback(ContractBed bed) {
        Datagrams ud = new Datagrams(bed, PairPlan.of(QueuePairType.UD).devices(0, 0));
        ud.a().postReceive(100, 0, 200);
        ud.b().postReceive(101, 0, 200);
        ud.a()
                .post(
                        Send.of(1, ud.a().slice(500, 64))
                                .to(ud.way(), ud.a().queuePair().number(), QKEY)
                                .signaled(),
                        Send.of(2, ud.a().slice(600, 64))
                                .to(ud.way(), ud.b().queuePair().number(), QKEY)
                                .signaled());
        ud.a().expectSent(1);
        ud.a().expectSent(2);
        ud.a().expectReceived(100);
        ud.b().expectReceived(101);
        Pair.expectSame(ud.a(), 500, ud.a(), ROUTE, 64);
        Pair.expectSame(ud.a(), 600, ud.b(), ROUTE, 64);
    }

    private static void severalElements(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        End b = ud.b();
        b.queuePair()
                .postReceive(ReceiveRequest.of(
                        100, b.slice(1_000, 30), b.slice(2_000, 20), b.slice(3_000, 0), b.slice(4_000, 100)));
        ud.send(1, 64);
        ud.a().expectSent(1);
        assertEquals(ROUTE + 64, b.expectReceived(100).byteLength());
        Pair.expectSame(ud.a(), 0, b, 2_010, 10);
        Pair.expectSame(ud.a(), 10, b, 4_000, 54);
        assertArrayEquals(b.pattern(4_054, 46), b.bytes(4_054, 46));
    }

    private static void closedHandle(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.send(1, 64);
        ud.way().close();
        ud.a().expectSent(1);
        ud.b().expectReceived(100);
        expectRefused(ErrorCode.EINVAL, () -> ud.send(2, 64));
        ud.a().expectState(QueuePairState.RTS);
    }

    private static void destroyedAtOnce(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.send(1, 64);
        ud.a().expectSent(1);
        ud.a().queuePair().close();
        ud.b().expectReceived(100);
        Pair.expectSame(ud.a(), 0, ud.b(), ROUTE, 64);
    }
}
