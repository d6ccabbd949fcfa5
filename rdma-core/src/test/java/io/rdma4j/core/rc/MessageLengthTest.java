package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of about 2^31 bytes, from memory that is one small buffer many times over (§6.1(11), §7.2(4), §8.2). */
class MessageLengthTest {
    private static final long LIMIT = 1L << 31;
    private static final long BIG = 0x10_0000_0000L;
    private static final int PIECE = 1 << 20;
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    /** An operation, by what makes its request, and the opcode of its first packet. */
    private record Kind(String firstOpcode, BiFunction<Long, ScatterGatherElement[], SendRequest> request) {
        @Override
        public String toString() {
            return firstOpcode;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("SEND_FIRST", (id, from) -> Send.of(id, from).signaled()),
            new Kind("SEND_FIRST", (id, from) -> SendWithImmediate.of(id, 5, from)),
            new Kind("SEND_FIRST", (id, from) -> SendWithInvalidate.of(id, KEY, from)),
            new Kind("WRITE_FIRST", (id, from) -> RdmaWrite.of(id, from).to(VA, KEY)),
            new Kind(
                    "WRITE_FIRST",
                    (id, from) -> RdmaWriteWithImmediate.of(id, 5, from).to(VA, KEY)),
            new Kind("READ_REQUEST", (id, from) -> RdmaRead.of(id, from).from(VA, KEY)));

    static Stream<Arguments> kindsAndLengths() {
        return KINDS.stream()
                .flatMap(kind -> Stream.of(LIMIT - 1, LIMIT, LIMIT + 1).map(length -> Arguments.of(kind, length)));
    }

    private static MemoryRegion big(Tape tape) {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        ByteBuffer[] pieces =
                Collections.nCopies((int) (LIMIT / PIECE) + 1, piece).toArray(ByteBuffer[]::new);
        return tape.register(
                "big",
                MemoryRegionConfig.of(pieces)
                        .iova(BIG)
                        .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
    }

    @ParameterizedTest
    @DisplayName("§6.1(11), §8.2: up to 2^31 bytes go out; one more is LOC_LEN_ERR, and not a packet is sent")
    @MethodSource("kindsAndLengths")
    void requester(Kind kind, long length) {
        try (Tape tape = new TapeSetup().mtu(PathMtu.MTU_4096).start()) {
            MemoryRegion big = big(tape);
            ScatterGatherElement[] halves = {big.slice(3, LIMIT / 2), big.slice(LIMIT / 2, length - LIMIT / 2)};
            tape.linkTakes(1).post(kind.request.apply(1L, halves));
            if (length > LIMIT) {
                tape.out().sendDone("1 LOC_LEN_ERR").state(QueuePairState.ERR);
            } else {
                assertThat(tape.sent()).singleElement().asString().startsWith(kind.firstOpcode + " psn=100");
                tape.state(QueuePairState.RTS);
            }
            big.close();
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4): a responder takes a WRITE and a READ of 2^31 bytes")
    @ValueSource(longs = {LIMIT - 1, LIMIT})
    void responder(long length) {
        try (Tape tape = new TapeSetup().mtu(PathMtu.MTU_4096).start()) {
            MemoryRegion big = big(tape);
            tape.linkTakes(1).in("READ_REQUEST psn=500 va=0x1000000001 key=big A dma=" + length);
            tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=4096");
            // A READ of that length uses 2^19 PSNs.
            int next = 500 + (1 << 19);
            tape.in("WRITE_FIRST psn=" + next + " va=0x1000000001 key=big len=4096 dma=" + length);
            tape.in("WRITE_MIDDLE psn=" + (next + 1) + " len=4096").state(QueuePairState.RTS);
            big.close();
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4): one byte more than 2^31 is an invalid request, though the memory is there")
    @CsvSource({"WRITE_FIRST, len=4096", "READ_REQUEST, A", "WRITE_ONLY_WITH_IMMEDIATE, len=1"})
    void responderRefuses(String opcode, String rest) {
        try (Tape tape = new TapeSetup().mtu(PathMtu.MTU_4096).start()) {
            MemoryRegion big = big(tape);
            tape.receive(1).in(opcode + " psn=500 va=0x1000000000 key=big dma=0x80000001 " + rest);
            tape.out("ACK psn=500 syn=0x61 msn=0").state(QueuePairState.ERR);
            tape.forget();
            big.close();
        }
    }
}
