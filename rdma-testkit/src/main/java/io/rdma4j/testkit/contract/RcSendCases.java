package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.testkit.contract.Operation.IMMEDIATE;
import static io.rdma4j.verbs.WorkCompletionOpcode.RECV;
import static io.rdma4j.verbs.WorkCompletionOpcode.SEND;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** SENDs of reliable connections. */
final class RcSendCases {
    private static final int LARGE = 2 << 20;
    private static final int MAX_INLINE = 64;

    private RcSendCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("rc/Send", "L S with opcode SEND; R S with opcode RECV, the exact length and no flags")
                        .covers(Feature.SEND_RECEIVE, Feature.MTUS, Feature.ICRC, Feature.ROCE)
                        .each(PathMtu.class, RcSendCases::send),
                ContractCase.of("rc/SendManyWithOneOutstanding", "L S, R S for each of many, in order, to the byte")
                        .covers(Feature.SEND_RECEIVE)
                        .run(RcSendCases::oneOutstanding),
                ContractCase.of("rc/SendLargeChunk", "L S, R S of 2 MiB, to the byte")
                        .covers(Feature.LONG_MESSAGES, Feature.MTUS, Feature.SEND_RECEIVE)
                        .each(PathMtu.class, RcSendCases::largeChunk),
                ContractCase.of(
                                "rc/SendMultipleSge",
                                "elements are gathered and scattered in order, the last as far as needed")
                        .covers(Feature.SEND_RECEIVE)
                        .run(RcSendCases::severalElements),
                ContractCase.of("rc/SendImmData", "L S; R S with opcode RECV, WITH_IMM and the immediate data")
                        .covers(Feature.SEND_IMMEDIATE)
                        .run(RcSendCases::immediate),
                ContractCase.of("rc/SendInlineData", "L S; R S with the bytes as they were when posted")
                        .covers(Feature.INLINE)
                        .run(RcSendCases::inline),
                ContractCase.of("rc/SendEmptySgl", "L S; R S with 0 bytes")
                        .covers(Feature.ZERO_LENGTH, Feature.SEND_RECEIVE)
                        .run(RcSendCases::emptyList),
                ContractCase.of("rc/UnsignaledSend", "R S; L nothing")
                        .covers(Feature.SIGNALING)
                        .run(RcSendCases::unsignaled),
                ContractCase.of("rc/SendExceedMaxInlineData", "refused when posted; nothing completes")
                        .covers(Feature.INLINE, Feature.BAD_ARGUMENTS)
                        .run(RcSendCases::tooMuchInline),
                ContractCase.of("rc/SendInlineDataInvalidOp", "an inline READ is refused when posted, or fails")
                        .covers(Feature.INLINE)
                        .needs(Need.INLINE_READ)
                        .run(bed -> bed.pair().expectState(QueuePairState.RTS)));
    }

    private static void send(ContractBed bed, PathMtu mtu) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.pathMtu(mtu)));
        pair.b().postReceive(100, 128, 128);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)).signaled());
        assertEquals(SEND, pair.a().expectSent(1).opcode());
        expectReceived(pair.b(), 64, 0);
        Pair.expectSame(pair.a(), 0, pair.b(), 128, 64);
        pair.b().expectUntouchedBut(128, 64);
        pair.expectState(QueuePairState.RTS);
    }

    private static void expectReceived(End end, int length, int flags) {
        WorkCompletion received = end.expectReceived(100);
        assertEquals(RECV, received.opcode());
        assertEquals(length, received.byteLength());
        assertEquals(flags, received.flags());
    }

    private static void oneOutstanding(ContractBed bed) {
        int count = bed.scaled("messages", 1_000, 200);
        Pair pair = bed.pair();
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < count; i++) {
            int offset = random.nextInt(32 << 10);
            int length = random.nextInt(8 << 10);
            pair.b().postReceive(100, 0, 32 << 10);
            pair.a().post(Send.of(i, pair.a().slice(offset, length)).signaled());
            pair.a().expectSent(i);
            expectReceived(pair.b(), length, 0);
            Pair.expectSame(pair.a(), offset, pair.b(), 0, length);
        }
        pair.b().expectUntouchedBut(0, 8 << 10);
    }

    private static void largeChunk(ContractBed bed, PathMtu mtu) {
        Pair pair = bed.pair(PairPlan.RELIABLE.memory(LARGE).options(ConnectOptions.DEFAULT.pathMtu(mtu)));
        pair.b().postReceive(100, 0, LARGE);
        pair.a().post(Send.of(1, pair.a().slice(0, LARGE)).signaled());
        pair.a().expectSent(1);
        expectReceived(pair.b(), LARGE, 0);
        Pair.expectSame(pair.a(), 0, pair.b(), 0, LARGE);
    }

    private static void severalElements(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        ScatterGatherElement[] sinks = {b.slice(9_000, 1), b.slice(0, 4_095), b.slice(8_000, 0), b.slice(5_000, 2_000)};
        b.queuePair().postReceive(ReceiveRequest.of(100, sinks));
        a.post(Send.of(1, a.slice(7, 1_000), a.slice(3, 0), a.slice(2_001, 3_500), a.slice(1, 1))
                .signaled());
        a.expectSent(1);
        expectReceived(b, 4_501, 0);
        byte[] sent = new byte[4_501];
        System.arraycopy(a.bytes(7, 1_000), 0, sent, 0, 1_000);
        System.arraycopy(a.bytes(2_001, 3_500), 0, sent, 1_000, 3_500);
        System.arraycopy(a.bytes(1, 1), 0, sent, 4_500, 1);
        byte[] arrived = new byte[4_501];
        System.arraycopy(b.bytes(9_000, 1), 0, arrived, 0, 1);
        System.arraycopy(b.bytes(0, 4_095), 0, arrived, 1, 4_095);
        System.arraycopy(b.bytes(5_000, 405), 0, arrived, 4_096, 405);
        assertArrayEquals(sent, arrived);
        assertArrayEquals(b.pattern(5_405, 3_000), b.bytes(5_405, 3_000), "the rest of the last element");
    }

    private static void immediate(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a().post(SendWithImmediate.of(1, IMMEDIATE, pair.a().slice(0, 64)).signaled());
        assertEquals(SEND, pair.a().expectSent(1).opcode());
        WorkCompletion received = pair.b().expectReceived(100);
        assertEquals(RECV, received.opcode());
        assertEquals(WorkCompletion.FLAG_WITH_IMMEDIATE, received.flags());
        assertTrue(received.hasImmediate());
        assertEquals(IMMEDIATE, received.immediateData());
        assertEquals(64, received.byteLength());
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 64);
    }

    private static void inline(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxInlineData(MAX_INLINE)));
        byte[] data = pair.a().bytes(0, MAX_INLINE);
        byte[] kept = data.clone();
        pair.b().postReceive(100, 0, MAX_INLINE);
        pair.a().post(Send.inline(1, data).signaled());
        Arrays.fill(data, (byte) 0);
        pair.a().expectSent(1);
        expectReceived(pair.b(), MAX_INLINE, 0);
        assertArrayEquals(kept, pair.b().bytes(0, MAX_INLINE));
    }

    private static void emptyList(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.of(1).signaled());
        pair.a().expectSent(1);
        WorkCompletion received = pair.b().expectReceived(100);
        assertEquals(0, received.byteLength());
        assertFalse(received.hasImmediate());
        pair.b().expectUntouched();
    }

    private static void unsignaled(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a().post(Send.of(1, pair.a().slice(0, 64)));
        expectReceived(pair.b(), 64, 0);
        pair.a().expectNothing();
        Pair.expectSame(pair.a(), 0, pair.b(), 0, 64);
    }

    private static void tooMuchInline(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxInlineData(MAX_INLINE)));
        int most = pair.a().queuePair().capabilities().maxInlineData();
        assertTrue(most >= MAX_INLINE);
        pair.b().postReceive(100, 0, 64);
        Set<ErrorCode> codes = EnumSet.of(ErrorCode.EPERM, ErrorCode.ENOMEM, ErrorCode.EINVAL);
        expectRefused(
                codes, () -> pair.a().post(Send.inline(1, new byte[most + 1]).signaled()));
        pair.a().expectNothing();
        pair.b().expectNothing();
        pair.expectState(QueuePairState.RTS);
    }
}
