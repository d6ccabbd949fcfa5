package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.List;

/** Unreliable connections: what arrives, and what is dropped without harm. What happens to a sender is in {@link SqeCases}. */
final class UcCases {
    private static final PairPlan PLAN = PairPlan.of(QueuePairType.UC);
    private static final PairPlan SMALL_MTU = PLAN.options(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256));

    /** What an unreliable connection has. */
    private static final List<Operation> OPERATIONS =
            List.of(Operation.SEND, Operation.SEND_IMMEDIATE, Operation.WRITE, Operation.WRITE_IMMEDIATE);

    private UcCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("uc/Operations", "S at both ends; bytes, length and immediate data arrive")
                        .covers(Feature.UC)
                        .each(OPERATIONS, UcCases::operation),
                ContractCase.of("uc/Lengths", "messages of no, one and many packets arrive whole, at an MTU of 256")
                        .covers(Feature.UC, Feature.LONG_MESSAGES, Feature.ZERO_LENGTH)
                        .each(List.of(0, 1, 255, 256, 257, 512, 5_000, 30_000), UcCases::length),
                ContractCase.of("uc/Mtus", "a message of two and a half packets arrives at each path MTU")
                        .covers(Feature.UC, Feature.MTUS)
                        .each(PathMtu.class, UcCases::mtu),
                ContractCase.of("uc/InlineData", "inline data arrive")
                        .covers(Feature.UC, Feature.INLINE)
                        .run(UcCases::inline),
                ContractCase.of("uc/Unsignaled", "no completion unless asked for, or all are signaled")
                        .covers(Feature.UC, Feature.SIGNALING)
                        .each(List.of(false, true), UcCases::unsignaled),
                ContractCase.of("uc/LoopbackQps", "two queue pairs of one device serve all operations")
                        .covers(Feature.UC, Feature.LOOPBACK)
                        .each(OPERATIONS, (bed, operation) -> arrives(bed.pair(PLAN.devices(0, 0)), operation)),
                ContractCase.of("uc/NoReceive", "L S, the message is dropped; the next one arrives")
                        .covers(Feature.UC)
                        .run(UcCases::noReceive),
                ContractCase.of("uc/TooSmallReceive", "L S, the message is dropped, the receive serves the next one")
                        .covers(Feature.UC)
                        .run(UcCases::tooSmall),
                ContractCase.of("uc/InvalidRkey", "L S, nothing is written; both stay in RTS, no event")
                        .covers(Feature.UC)
                        .each(List.of(Operation.WRITE, Operation.WRITE_IMMEDIATE), UcCases::badKey),
                ContractCase.of("uc/WriteNotAllowed", "L S, nothing is written; both stay in RTS, no event")
                        .covers(Feature.UC)
                        .run(UcCases::notAllowed),
                ContractCase.of("uc/BadRecvLkey", "L S; R LOC_PROT_ERR and ERR")
                        .covers(Feature.UC)
                        .run(UcCases::badReceive),
                ContractCase.of("uc/RemoteState", "L S whatever the state of the peer; RTR and RTS take it")
                        .covers(Feature.UC, Feature.QP_STATES)
                        .each(List.of(RESET, INIT, RTR, RTS, ERR), UcCases::remoteState),
                ContractCase.of("uc/CommEst", "the first packet in RTR raises COMM_EST")
                        .covers(Feature.UC, Feature.COMM_EST)
                        .run(UcCases::established),
                ContractCase.of("uc/ReuseQp", "a queue pair that went to ERR works again after RESET")
                        .covers(Feature.UC, Feature.QP_REUSE)
                        .run(UcCases::reuse),
                ContractCase.of("uc/LossDropsTheMessage", "a lost frame costs its message and nothing else")
                        .covers(Feature.UC, Feature.FAULTS)
                        .needs(Need.FRAME_RULES)
                        .each(List.of(Opcode.UC_SEND_FIRST, Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST), UcCases::loss),
                ContractCase.of("uc/Duplicates", "each message arrives once though each frame comes twice")
                        .covers(Feature.UC, Feature.FAULTS)
                        .needs(Need.FRAME_RULES)
                        .run(UcCases::duplicates),
                ContractCase.of("uc/NothingIsAcknowledged", "no frame goes from receiver to sender")
                        .covers(Feature.UC)
                        .needs(Need.FRAME_RULES)
                        .run(UcCases::silence));
    }

    private static void operation(ContractBed bed, Operation operation) {
        arrives(bed.pair(PLAN), operation);
    }

    /** Eight bytes go from the start of one memory to that of the other. */
    private static void arrives(Pair pair, Operation operation) {
        if (operation.needsReceive()) {
            pair.b().postReceive(100, 0, 64);
        }
        pair.a().post(operation.between(1, pair.a(), pair.b()));
        WorkCompletion sent = pair.a().expectSent(1);
        boolean write = operation == Operation.WRITE || operation == Operation.WRITE_IMMEDIATE;
        assertEquals(write ? WorkCompletionOpcode.RDMA_WRITE : WorkCompletionOpcode.SEND, sent.opcode());
        if (operation.needsReceive()) {
            WorkCompletion received = pair.b().expectReceived(100);
            assertEquals(Long.BYTES, received.byteLength());
            assertEquals(
                    write ? WorkCompletionOpcode.RECV_RDMA_WITH_IMM : WorkCompletionOpcode.RECV, received.opcode());
            boolean immediate = operation != Operation.SEND;
            assertEquals(immediate, received.hasImmediate());
            if (immediate) {
                assertEquals(Operation.IMMEDIATE, received.immediateData());
            }
        } else {
            expectWritten(pair);
        }
        Pair.expectSame(pair.a(), 0, pair.b(), 0, Long.BYTES);
        pair.b().expectUntouchedBut(0, Long.BYTES);
    }

    /** What was written before is there: nothing but a message after it tells so. */
    private static void expectWritten(Pair pair) {
        pair.b().postReceive(101);
        pair.a().post(Send.of(2).signaled());
        pair.a().expectSent(2);
        pair.b().expectReceived(101);
    }

    private static void length(ContractBed bed, int length) {
        sendAndWrite(bed.pair(SMALL_MTU), length);
    }

    private static void mtu(ContractBed bed, PathMtu mtu) {
        sendAndWrite(bed.pair(PLAN.options(ConnectOptions.DEFAULT.pathMtu(mtu))), 5 * mtu.bytes() / 2);
    }

    private static void sendAndWrite(Pair pair, int length) {
        End a = pair.a();
        End b = pair.b();
        int half = 32 << 10;
        b.postReceive(100, 0, length);
        b.postReceive(101);
        a.post(
                Send.of(1, a.slice(10, length)).signaled(),
                RdmaWriteWithImmediate.of(2, 7, a.slice(20, length))
                        .to(b.address(half), b.key())
                        .signaled());
        a.expectSent(1);
        a.expectSent(2);
        assertEquals(length, b.expectReceived(100).byteLength());
        assertEquals(length, b.expectReceived(101).byteLength());
        Pair.expectSame(a, 10, b, 0, length);
        Pair.expectSame(a, 20, b, half, length);
    }

    private static void inline(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        byte[] bytes = pair.a().bytes(77, 36);
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.inline(1, bytes).signaled());
        pair.a().expectSent(1);
        assertEquals(bytes.length, pair.b().expectReceived(100).byteLength());
        Pair.expectSame(pair.a(), 77, pair.b(), 0, bytes.length);
        pair.b().expectUntouchedBut(0, bytes.length);
    }

    private static void unsignaled(ContractBed bed, boolean all) {
        Pair pair = bed.pair(all ? PLAN.shape(QueuePairConfig::signalAll) : PLAN);
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)));
        pair.b().expectReceived(100);
        if (all) {
            pair.a().expectSent(1);
        }
        pair.a().expectNothing();
    }

    private static void noReceive(ContractBed bed) {
        Pair pair = bed.pair(SMALL_MTU);
        pair.a().post(Send.of(1, pair.a().slice(0, 1_000)).signaled());
        pair.a().expectSent(1);
        pair.b().expectNothing();
        expectWritten(pair);
        pair.b().expectUntouched();
        pair.expectState(RTS);
    }

    private static void tooSmall(ContractBed bed) {
        Pair pair = bed.pair(SMALL_MTU);
        pair.b().postReceive(100, 0, 300);
        pair.a()
                .post(
                        Send.of(1, pair.a().slice(0, 301)).signaled(),
                        Send.of(2, pair.a().slice(0, 1_000)).signaled(),
                        Send.of(3, pair.a().slice(5, 300)).signaled());
        pair.a().expectSent(1);
        pair.a().expectSent(2);
        pair.a().expectSent(3);
        assertEquals(300, pair.b().expectReceived(100).byteLength());
        Pair.expectSame(pair.a(), 5, pair.b(), 0, 300);
        pair.b().expectUntouchedBut(0, 300);
        pair.expectState(RTS);
    }

    private static void badKey(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PLAN);
        pair.b().postReceive(101);
        pair.a()
                .post(operation.request(
                        1, pair.a().slice(0, 64), pair.b().address(0), pair.b().badKey()));
        pair.a().expectSent(1);
        pair.a().post(Send.of(2).signaled());
        pair.a().expectSent(2);
        // The receive that a WRITE with immediate data would have taken serves the next message.
        pair.b().expectReceived(101);
        pair.b().expectUntouched();
        pair.expectState(RTS);
        bed.expectNoEvents();
    }

    private static void notAllowed(ContractBed bed) {
        Pair pair = bed.pair(PLAN.options(ConnectOptions.DEFAULT.access(AccessFlag.REMOTE_READ)));
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
        expectWritten(pair);
        pair.b().expectUntouched();
        pair.expectState(RTS);
        bed.expectNoEvents();
    }

    private static void badReceive(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        pair.b().queuePair().postReceive(ReceiveRequest.of(100, pair.b().badSlice(0, 64)));
        pair.b().postReceive(101, 0, 64);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        pair.b().expectReceived(101, WR_FLUSH_ERR);
        pair.b().expectState(ERR);
        pair.b().expectUntouched();
        assertEquals(RTS, pair.a().queuePair().state());
    }

    private static void remoteState(ContractBed bed, QueuePairState state) {
        Pair pair = bed.pair(PLAN.unconnected());
        pair.a().connect(pair.b(), ConnectOptions.DEFAULT);
        if (state == INIT) {
            pair.b().queuePair().modify(RcStateCases.init());
        } else if (state == RTR) {
            pair.b().steps().prepare(pair.a().steps(), ConnectOptions.DEFAULT);
        } else if (state != RESET) {
            pair.b().connect(pair.a(), ConnectOptions.DEFAULT);
        }
        if (state != RESET) {
            pair.b().postReceive(100, 0, 64);
        }
        if (state == ERR) {
            pair.b().move(ERR);
            pair.b().expectReceived(100, WR_FLUSH_ERR);
        }
        pair.b().expectState(state);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        pair.a().expectSent(1);
        if (state == RTR || state == RTS) {
            pair.b().expectReceived(100);
            Pair.expectSame(pair.a(), 0, pair.b(), 0, 64);
        } else {
            pair.b().expectNothing();
            pair.b().expectUntouched();
        }
        pair.a().expectState(RTS);
    }

    private static void established(ContractBed bed) {
        Pair pair = bed.pair(PLAN.unconnected());
        pair.a().connect(pair.b(), ConnectOptions.DEFAULT);
        ConnectionEnd b = pair.b().steps();
        b.prepare(pair.a().steps(), ConnectOptions.DEFAULT);
        pair.b().postReceive(100);
        pair.a().post(Send.of(1).signaled());
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        bed.expectEvent(
                pair.b().device(), AsyncEventType.COMM_EST, pair.b().queuePair().number());
        b.start(ConnectOptions.DEFAULT);
        pair.a().postReceive(101);
        pair.b().post(Send.of(2).signaled());
        pair.b().expectSent(2);
        pair.a().expectReceived(101);
    }

    private static void reuse(ContractBed bed) {
        Pair pair = bed.pair(PLAN);
        for (int round = 0; round < 3; round++) {
            expectWritten(pair);
            pair.a().move(ERR);
            pair.b().move(ERR);
            pair.a().move(RESET);
            pair.b().move(RESET);
            pair.expectState(RESET);
            pair.connect();
            pair.expectState(RTS);
        }
    }

    private static void loss(ContractBed bed, Opcode lost) {
        Pair pair = bed.pair(SMALL_MTU);
        bed.fabric().addRule(FrameRule.drop().opcode(lost).nth(2));
        for (int i = 0; i < 3; i++) {
            pair.b().postReceive(100 + i, i * 1_000L, 1_000);
        }
        for (int i = 0; i < 3; i++) {
            pair.a().post(Send.of(i, pair.a().slice(i * 1_000L, 600)).signaled());
            pair.a().expectSent(i);
        }
        // The frame that is lost is one of the second message.
        pair.b().expectReceived(100);
        pair.b().expectReceived(101);
        pair.b().expectNothing();
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 600);
        Pair.expectSame(pair.a(), 2_000, pair.b(), 1_000, 600);
        pair.expectState(RTS);
    }

    private static void duplicates(ContractBed bed) {
        Pair pair = bed.pair(SMALL_MTU);
        bed.fabric().addRule(FrameRule.duplicate(700));
        for (int i = 0; i < 10; i++) {
            pair.b().postReceive(100 + i, i * 1_000L, 1_000);
        }
        for (int i = 0; i < 5; i++) {
            pair.a().post(Send.of(i, pair.a().slice(i * 700L, 700)).signaled());
            pair.a().expectSent(i);
            pair.b().expectReceived(100 + i);
            Pair.expectSame(pair.a(), i * 700, pair.b(), i * 1_000, 700);
        }
        pair.b().expectNothing();
    }

    private static void silence(ContractBed bed) {
        Pair pair = bed.pair(SMALL_MTU);
        pair.b().postReceive(100, 0, 1_000);
        pair.a()
                .post(
                        Send.of(1, pair.a().slice(0, 1_000)).signaled(),
                        Send.of(2).signaled(),
                        RdmaWrite.of(3, pair.a().slice(0, 8))
                                .to(0, pair.b().badKey())
                                .signaled());
        pair.a().expectSent(1);
        pair.a().expectSent(2);
        pair.a().expectSent(3);
        pair.b().expectReceived(100);
        pair.b().expectNothing();
        assertFalse(bed.fabric().trace().entries().isEmpty());
        assertTrue(bed.fabric().trace().entries().stream()
                .allMatch(entry ->
                        entry.frame().queuePair() == pair.b().queuePair().number()
                                && entry.frame().opcode().transport() == Transport.UC));
    }
}
