package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendBatch;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The way of posting that builds requests in place: the same requests, all at once or not at all. */
@DisplayName("send batches (§19)")
class SendBatchTest {
    private static final long THERE = 0x7000;
    private static final int KEY = 0x4711;
    private static final int INLINE = 32;

    /** Every operation as a request, and as a batch builds it; both with an id and with flags. */
    private enum Operation {
        SEND(
                (tape, id) -> Send.of(id, tape.at(0, 300), tape.at(1000, 5)).solicited(),
                (batch, region) ->
                        batch.solicited().send().element(region, 0, 300).element(region, 1000, 5)),
        EMPTY_SEND((tape, id) -> Send.of(id), (batch, region) -> batch.send()),
        SEND_WITH_IMMEDIATE(
                (tape, id) -> SendWithImmediate.of(id, 0xCAFE, tape.at(8, 8)),
                (batch, region) -> batch.sendWithImmediate(0xCAFE).element(region.address() + 8, 8, region.localKey())),
        SEND_WITH_INVALIDATE(
                (tape, id) -> SendWithInvalidate.of(id, 0x1234, tape.at(8, 8)),
                (batch, region) -> batch.sendWithInvalidate(0x1234).elements(List.of(region.slice(8, 8)))),
        INLINE_SEND(
                (tape, id) -> Send.inline(id, new byte[] {1, 2, 3}),
                (batch, region) -> batch.send().inlineData(new byte[] {0, 1, 2, 3}, 1, 3)),
        EMPTY_INLINE_SEND(
                (tape, id) -> Send.inline(id, new byte[0]),
                (batch, region) -> batch.send().inlineData(ByteBuffer.allocate(0))),
        INLINE_LIST(
                (tape, id) ->
                        RdmaWrite.inline(id, bytes(1, 2), bytes(), bytes(3)).to(THERE, KEY),
                (batch, region) -> batch.rdmaWrite(THERE, KEY)
                        .inlineDataList(List.of(bytes(1), bytes(2), bytes()))
                        .inlineData(bytes(3))),
        RDMA_WRITE(
                (tape, id) -> RdmaWrite.of(id, tape.at(0, 9000)).to(THERE, KEY),
                (batch, region) -> batch.rdmaWrite(THERE, KEY).element(region, 0, 9000)),
        RDMA_WRITE_WITH_IMMEDIATE(
                (tape, id) -> RdmaWriteWithImmediate.of(id, -2, tape.at(0, 9)).to(THERE, KEY),
                (batch, region) -> batch.rdmaWriteWithImmediate(THERE, KEY, -2).element(region, 0, 9)),
        RDMA_READ(
                (tape, id) -> RdmaRead.of(id, tape.at(0, 100)).from(THERE, KEY),
                (batch, region) -> batch.rdmaRead(THERE, KEY).element(region, 0, 100)),
        COMPARE_AND_SWAP(
                (tape, id) -> CompareAndSwap.of(id, tape.at(0, 8), 5, 6).at(THERE, KEY),
                (batch, region) -> batch.compareAndSwap(THERE, KEY, 5, 6).element(region, 0, 8)),
        FETCH_AND_ADD(
                (tape, id) -> FetchAndAdd.of(id, tape.at(0, 8), 7).at(THERE, KEY),
                (batch, region) -> batch.fetchAndAdd(THERE, KEY, 7).element(region, 0, 8));

        private final BiFunction<Tape, Long, SendRequest> request;
        private final BiFunction<SendBatch, MemoryRegion, SendBatch> build;

        Operation(BiFunction<Tape, Long, SendRequest> request, BiFunction<SendBatch, MemoryRegion, SendBatch> build) {
            this.request = request;
            this.build = build;
        }
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private static Tape tape() {
        Tape tape = new TapeSetup().inlineData(INLINE).start();
        for (int i = 0; i < 9000; i++) {
            tape.bytes.put(i, (byte) i);
        }
        return tape;
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    @DisplayName("what a batch builds is what the request of that operation is, bit by bit")
    void sameAsTheRequest(Operation operation) {
        try (Tape one = tape();
                Tape other = tape()) {
            one.post(operation.request.apply(one, 8L), operation.request.apply(one, 9L));
            SendBatch batch = other.qp.startSends();
            operation.build.apply(batch.workRequestId(8), other.region);
            operation.build.apply(batch.workRequestId(9), other.region).complete();
            other.run();
            List<String> expected = one.sent();
            assertThat(other.sent()).isEqualTo(expected).isNotEmpty();
            for (int back = 0; back < expected.size(); back++) {
                assertThat(other.frame(back)).isEqualTo(one.frame(back));
            }
            // The completions, with their ids: neither is answered, both are flushed.
            for (Tape tape : List.of(one, other)) {
                tape.qp.modify(state(QueuePairState.ERR));
                tape.run().sendDone("8 WR_FLUSH_ERR", "9 WR_FLUSH_ERR");
            }
        }
    }

    @Test
    @DisplayName("nothing is posted before complete, and what is posted meanwhile comes first")
    void nothingBeforeComplete() {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends();
            batch.workRequestId(1).send().inlineData(bytes(1));
            batch.workRequestId(2).signaled().send().inlineData(bytes(2));
            tape.run().out();
            tape.post(Send.inline(3, new byte[] {3}).signaled());
            batch.complete();
            tape.run();
            assertThat(tape.sent()).hasSize(3);
            assertThat(List.of(tape.payload(2)[0], tape.payload(1)[0], tape.payload(0)[0]))
                    .containsExactly((byte) 3, (byte) 1, (byte) 2);
            tape.in("ACK psn=102 syn=0x1f msn=3").sendDone("3 SUCCESS SEND 1", "2 SUCCESS SEND 1");
        }
    }

    @Test
    @DisplayName("id and flags hold for one request")
    void oneRequestEach() {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends();
            batch.workRequestId(1).signaled().solicited().send();
            batch.send();
            batch.workRequestId(3).add(Send.of(7).signaled()).signaled().send();
            batch.complete();
            tape.run()
                    .out("SEND_ONLY psn=100 A SE", "SEND_ONLY psn=101 A", "SEND_ONLY psn=102 A", "SEND_ONLY psn=103 A");
            tape.in("ACK psn=103 syn=0x1f msn=4").sendDone("1 SUCCESS SEND 0", "7 SUCCESS SEND 0", "3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("inline data is copied when it is given, elements' bytes are read when they are sent")
    void inlineIsCopied() {
        try (Tape tape = tape()) {
            ByteBuffer own = bytes(1, 2, 3);
            SendBatch batch = tape.qp.startSends();
            batch.send().inlineData(own);
            batch.send().element(tape.region, 0, 1);
            own.put(0, (byte) 9);
            tape.bytes.put(0, (byte) 9);
            assertThat(own.remaining()).isEqualTo(3);
            batch.complete();
            tape.run();
            assertThat(tape.payload(1)).startsWith(1, 2, 3);
            assertThat(tape.payload(0)[0]).isEqualTo((byte) 9);
            tape.sent();
        }
    }

    @Test
    @DisplayName("§6.2: a batch that finds not enough room posts nothing; one that fits exactly goes")
    void room() {
        try (Tape tape = new TapeSetup().sendRequests(4).start()) {
            tape.post(Send.of(1).signaled());
            SendBatch batch = tape.qp.startSends();
            batch.send().send().send().send();
            refused(ErrorCode.ENOMEM, batch::complete, "all 4 work requests");
            tape.out("SEND_ONLY psn=100 A");
            tape.qp.startSends().send().send().send().complete();
            tape.run().out("SEND_ONLY psn=101 A", "SEND_ONLY psn=102 A", "SEND_ONLY psn=103 A");
            batch = tape.qp.startSends();
            batch.send().send().send().send().send();
            refused(ErrorCode.ENOMEM, batch::complete, "request 4 of the batch");
            tape.in("ACK psn=103 syn=0x1f msn=4").sendDone("1 SUCCESS SEND 0");
            // One place is free again, since the others' completions are still to come.
            tape.qp.startSends().signaled().send().complete();
            tape.run().out("SEND_ONLY psn=104 A").in("ACK psn=104 syn=0x1f msn=5");
            tape.sendDone("0 SUCCESS SEND 0");
            // The slots have changed places many times by now.
            for (int round = 0; round < 9; round++) {
                batch = tape.qp.startSends();
                for (int i = 0; i < 3; i++) {
                    batch.workRequestId(10 * round + i).signaled().send();
                }
                batch.complete();
                int last = 105 + 3 * round + 2;
                tape.run().sent();
                tape.in("ACK psn=" + last + " syn=0x1f msn=" + (last - 99));
                tape.sendDone(
                        10 * round + " SUCCESS SEND 0",
                        10 * round + 1 + " SUCCESS SEND 0",
                        10 * round + 2 + " SUCCESS SEND 0");
            }
        }
    }

    @Test
    @DisplayName("abort and close forget everything; an empty batch is nothing")
    void abort() {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends();
            batch.send().element(0, -1, 0).abort();
            try (SendBatch second = tape.qp.startSends()) {
                second.signaled().send();
            }
            tape.qp.startSends().complete();
            tape.run().out();
            tape.qp.startSends().send().complete();
            tape.run().out("SEND_ONLY psn=100 A");
        }
    }

    @Test
    @DisplayName("after complete or abort every call is refused with words, but close, which does nothing")
    void endedBatch() {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends();
            batch.complete();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    batch::send,
                    batch::signaled,
                    batch::size,
                    batch::complete,
                    batch::abort,
                    () -> batch.element(0, 1, 1),
                    () -> batch.inlineData(bytes(1)),
                    () -> batch.add(Send.of(1)))) {
                refused(ErrorCode.EINVAL, call, "not started");
            }
            batch.close();
            assertThat(tape.qp.startSends()).isSameAs(batch);
            assertThat(tape.qp.startSends()).isNotSameAs(batch);
            tape.run().out();
        }
    }

    @Test
    @DisplayName("a thread that starts twice has two batches; one that is forgotten holds up nobody")
    void twoBatches() {
        try (Tape tape = tape()) {
            SendBatch outer = tape.qp.startSends();
            outer.send().inlineData(bytes(1));
            tape.qp.startSends().send(); // forgotten
            SendBatch inner = tape.qp.startSends();
            inner.send().inlineData(bytes(2));
            outer.send().inlineData(bytes(3));
            inner.complete();
            outer.complete();
            tape.run();
            assertThat(tape.sent()).hasSize(3);
            assertThat(List.of(tape.payload(2)[0], tape.payload(1)[0], tape.payload(0)[0]))
                    .containsExactly((byte) 2, (byte) 1, (byte) 3);
            tape.qp.modify(state(QueuePairState.RESET));
        }
    }

    @Test
    @DisplayName("another thread is refused the batch, and gets one of its own without waiting")
    void twoThreads() {
        try (Tape tape = tape()) {
            SendBatch mine = tape.qp.startSends();
            mine.send();
            CompletableFuture.runAsync(() -> {
                        refused(ErrorCode.EINVAL, mine::send, "belongs to thread");
                        refused(ErrorCode.EINVAL, mine::complete, "belongs to thread");
                        refused(ErrorCode.EINVAL, mine::abort, "belongs to thread");
                        mine.close();
                        SendBatch theirs = tape.qp.startSends();
                        assertThat(theirs).isNotSameAs(mine);
                        theirs.send().send().complete();
                    })
                    .join();
            mine.send().complete();
            tape.run();
            assertThat(tape.sent()).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairState.class,
            names = {"RESET", "INIT", "RTR"})
    @DisplayName("§9: completing a batch before RTS is EINVAL")
    void tooEarly(QueuePairState state) {
        try (Tape tape = new TapeSetup().upTo(state).start()) {
            SendBatch batch = tape.qp.startSends().send();
            refused(ErrorCode.EINVAL, batch::complete, "it must be in RTS");
            tape.run().out();
        }
    }

    @Test
    @DisplayName("§8.5: in ERR a batch is flushed, and on a closed queue pair it is EBADF")
    void afterTheEnd() {
        Tape tape = tape();
        SendBatch late = tape.qp.startSends();
        late.workRequestId(3).send();
        tape.qp.modify(state(QueuePairState.ERR));
        tape.qp.startSends().workRequestId(1).send().workRequestId(2).send().complete();
        tape.run().sendDone("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
        tape.close();
        refused(ErrorCode.EBADF, late::complete, "closed");
        refused(ErrorCode.EBADF, tape.qp::startSends, "closed");
    }

    private static QueuePairAttributes state(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String words) {
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(call)
                .withMessageContaining(words)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
