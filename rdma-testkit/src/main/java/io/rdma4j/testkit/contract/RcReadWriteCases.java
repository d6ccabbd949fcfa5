package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Operation.IMMEDIATE;
import static io.rdma4j.testkit.contract.Operation.READ_WRITE;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionOpcode.RDMA_READ;
import static io.rdma4j.verbs.WorkCompletionOpcode.RDMA_WRITE;
import static io.rdma4j.verbs.WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.List;

/** READs and WRITEs of reliable connections that succeed. */
final class RcReadWriteCases {
    private static final int LARGE = (1 << 20) + 1;
    private static final int MAX_INLINE = 64;

    private RcReadWriteCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("rc/BasicRead", "L S with opcode RDMA_READ and the length; the bytes are there")
                        .covers(Feature.READ, Feature.ROCE)
                        .run(RcReadWriteCases::read),
                ContractCase.of("rc/BasicReadLargePayload", "L S; a long READ arrives to the byte")
                        .covers(Feature.READ, Feature.LONG_MESSAGES, Feature.MTUS)
                        .each(PathMtu.class, (bed, mtu) -> large(bed, mtu, Operation.READ)),
                ContractCase.of("rc/ReadMultipleSge", "L S; the bytes are scattered in order")
                        .covers(Feature.READ)
                        .run(RcReadWriteCases::readIntoSeveral),
                ContractCase.of("rc/UnsignaledRead", "the bytes are there; L nothing")
                        .covers(Feature.READ, Feature.SIGNALING)
                        .run(bed -> unsignaled(bed, Operation.READ)),
                ContractCase.of("rc/QpSigAll", "a queue pair that signals all completes an unsignaled request")
                        .covers(Feature.SIGNALING)
                        .each(READ_WRITE, RcReadWriteCases::signalAll),
                ContractCase.of("rc/BasicWrite", "L S with opcode RDMA_WRITE; the bytes are there, R nothing")
                        .covers(Feature.WRITE, Feature.ROCE)
                        .run(RcReadWriteCases::write),
                ContractCase.of("rc/BasicWriteLargePayload", "L S; a long WRITE arrives to the byte")
                        .covers(Feature.WRITE, Feature.LONG_MESSAGES, Feature.MTUS)
                        .each(PathMtu.class, (bed, mtu) -> large(bed, mtu, Operation.WRITE)),
                ContractCase.of("rc/UnsignaledWrite", "the bytes are there; L nothing")
                        .covers(Feature.WRITE, Feature.SIGNALING)
                        .run(bed -> unsignaled(bed, Operation.WRITE)),
                ContractCase.of("rc/WriteInlineData", "L S; the bytes are there as they were when posted")
                        .covers(Feature.WRITE, Feature.INLINE)
                        .run(RcReadWriteCases::inlineWrite),
                ContractCase.of(
                                "rc/WriteImmData",
                                "L S with opcode RDMA_WRITE; R S with RECV_RDMA_WITH_IMM, WITH_IMM, the length; its memory untouched")
                        .covers(Feature.WRITE)
                        .each(List.of(8, 4_096, 10_000), RcReadWriteCases::writeImmediate),
                ContractCase.of("rc/WriteZeroByteWithImmData", "L S; R S with 0 bytes and the immediate data")
                        .covers(Feature.WRITE, Feature.ZERO_LENGTH)
                        .run(RcReadWriteCases::emptyWriteImmediate));
    }

    private static void read(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a()
                .post(RdmaRead.of(1, pair.a().slice(64, 512))
                        .from(pair.b().address(128), pair.b().key())
                        .signaled());
        WorkCompletion done = pair.a().expectSent(1);
        assertEquals(RDMA_READ, done.opcode());
        assertEquals(512, done.byteLength());
        Pair.expectSame(pair.b(), 128, pair.a(), 64, 512);
        pair.a().expectUntouchedBut(64, 512);
        pair.b().expectUntouched();
    }

    private static void write(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a()
                .post(RdmaWrite.of(1, pair.a().slice(64, 512))
                        .to(pair.b().address(128), pair.b().key())
                        .signaled());
        assertEquals(RDMA_WRITE, pair.a().expectSent(1).opcode());
        Pair.expectSame(pair.a(), 64, pair.b(), 128, 512);
        pair.b().expectUntouchedBut(128, 512);
        pair.b().expectNothing();
    }

    private static void large(ContractBed bed, PathMtu mtu, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.memory(LARGE + 4).options(ConnectOptions.DEFAULT.pathMtu(mtu)));
        pair.a()
                .post(operation.request(
                        1,
                        pair.a().slice(1, LARGE),
                        pair.b().address(3),
                        pair.b().key()));
        pair.a().expectSent(1);
        Pair.expectSame(pair.a(), 1, pair.b(), 3, LARGE);
        End changed = operation == Operation.READ ? pair.a() : pair.b();
        changed.expectUntouchedBut(changed == pair.a() ? 1 : 3, LARGE);
    }

    private static void readIntoSeveral(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        a.post(RdmaRead.of(1, a.slice(9_000, 1), a.slice(0, 4_095), a.slice(8_000, 0), a.slice(5_000, 3_000))
                .from(pair.b().address(77), pair.b().key())
                .signaled());
        assertEquals(7_096, a.expectSent(1).byteLength());
        Pair.expectSame(pair.b(), 77, a, 9_000, 1);
        Pair.expectSame(pair.b(), 78, a, 0, 4_095);
        Pair.expectSame(pair.b(), 78 + 4_095, a, 5_000, 3_000);
    }

    private static void unsignaled(ContractBed bed, Operation operation) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        if (operation == Operation.READ) {
            a.post(RdmaRead.of(1, a.slice(0, 512)).from(b.address(0), b.key()));
        } else {
            a.post(RdmaWrite.of(1, a.slice(0, 512)).to(b.address(0), b.key()));
        }
        End sink = operation == Operation.READ ? a : b;
        byte[] wanted = (operation == Operation.READ ? b : a).pattern(0, 512);
        bed.expect("the bytes", () -> Arrays.equals(wanted, sink.bytes(0, 512)));
        a.expectNothing();
    }

    private static void signalAll(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.signalAll()));
        End a = pair.a();
        End b = pair.b();
        if (operation == Operation.READ) {
            a.post(RdmaRead.of(1, a.slice(0, 512)).from(b.address(0), b.key()));
        } else {
            a.post(RdmaWrite.of(1, a.slice(0, 512)).to(b.address(0), b.key()));
        }
        a.expectSent(1);
        Pair.expectSame(a, 0, b, 0, 512);
    }

    private static void inlineWrite(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxInlineData(MAX_INLINE)));
        byte[] data = pair.a().bytes(0, MAX_INLINE);
        byte[] kept = data.clone();
        pair.a()
                .post(RdmaWrite.inline(1, data)
                        .to(pair.b().address(8), pair.b().key())
                        .signaled());
        Arrays.fill(data, (byte) 0);
        assertEquals(RDMA_WRITE, pair.a().expectSent(1).opcode());
        assertArrayEquals(kept, pair.b().bytes(8, MAX_INLINE));
        pair.b().expectUntouchedBut(8, MAX_INLINE);
    }

    private static void writeImmediate(ContractBed bed, int length) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 32 << 10, 64);
        pair.a()
                .post(Operation.WRITE_IMMEDIATE.request(
                        1,
                        pair.a().slice(0, length),
                        pair.b().address(128),
                        pair.b().key()));
        assertEquals(RDMA_WRITE, pair.a().expectSent(1).opcode());
        expectImmediate(pair.b(), length);
        Pair.expectSame(pair.a(), 0, pair.b(), 128, length);
        pair.b().expectUntouchedBut(128, length);
        pair.expectState(RTS);
    }

    private static void expectImmediate(End end, int length) {
        WorkCompletion received = end.expectReceived(100);
        assertEquals(RECV_RDMA_WITH_IMM, received.opcode());
        assertEquals(WorkCompletion.FLAG_WITH_IMMEDIATE, received.flags());
        assertEquals(IMMEDIATE, received.immediateData());
        assertEquals(length, received.byteLength());
    }

    private static void emptyWriteImmediate(ContractBed bed) {
        Pair pair = bed.pair();
        pair.b().postReceive(100, 0, 64);
        pair.a()
                .post(RdmaWriteWithImmediate.of(1, IMMEDIATE)
                        .to(pair.b().address(0), pair.b().key())
                        .signaled());
        assertEquals(RDMA_WRITE, pair.a().expectSent(1).opcode());
        expectImmediate(pair.b(), 0);
        pair.b().expectUntouched();
    }
}
