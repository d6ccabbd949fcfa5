package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FENCE and SIGNALED on every kind of request (§6.1(5), §6.2). */
class FlagsTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    static Stream<SendRequest> fenced() {
        try (Tape tape = new Tape()) {
            return Stream.of(
                    Send.of(2).fenced().signaled(),
                    SendWithImmediate.of(2, 5).fenced().signaled(),
                    SendWithInvalidate.of(2, 5).fenced().signaled(),
                    RdmaWrite.of(2).to(VA, KEY).fenced().signaled(),
                    RdmaWriteWithImmediate.of(2, 5).to(VA, KEY).fenced().signaled(),
                    RdmaRead.of(2).from(VA, KEY).fenced().signaled(),
                    FetchAndAdd.of(2, tape.at(8, 8), 1).at(VA, KEY).fenced().signaled(),
                    CompareAndSwap.of(2, tape.at(8, 8), 1, 2)
                            .at(VA, KEY)
                            .fenced()
                            .signaled());
        }
    }

    private static String answer(SendRequest request, int psn) {
        return switch (request.opcode()) {
            case RDMA_READ -> "READ_RESPONSE_ONLY psn=" + psn;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> "ATOMIC_ACK psn=" + psn;
            default -> "ACK psn=" + psn;
        };
    }

    @ParameterizedTest
    @DisplayName("§6.1(5): with FENCE every kind of request waits for the last byte of an earlier READ")
    @MethodSource("fenced")
    void afterRead(SendRequest request) {
        try (Tape tape = new Tape()) {
            tape.post(RdmaRead.of(1, tape.at(0, 300)).from(VA, KEY), request, Send.of(3));
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=300 A");
            tape.in("READ_RESPONSE_FIRST psn=100 len=256").out();
            tape.in("READ_RESPONSE_LAST psn=101 len=44");
            assertThat(tape.sent())
                    .hasSize(2)
                    .allMatch(line -> line.contains(" psn=102 ") || line.contains(" psn=103 "));
            tape.in(answer(request, 102), "ACK psn=103");
            assertThat(tape.history(tape.sendQueue)).isEmpty();
            tape.forget();
            assertThat(tape.history(tape.sendQueue))
                    .singleElement()
                    .matches(done -> done.isSuccess() && done.workRequestId() == 2);
        }
    }

    @ParameterizedTest
    @DisplayName(
            "§6.1(5): with FENCE every kind of request waits for each of several atomics, lost and repeated ones too")
    @MethodSource("fenced")
    void afterAtomics(SendRequest request) {
        try (Tape tape = new Tape()) {
            tape.post(
                    FetchAndAdd.of(1, tape.at(0, 8), 1).at(VA, KEY),
                    CompareAndSwap.of(1, tape.at(16, 8), 1, 2).at(VA, KEY),
                    request);
            assertThat(tape.sent()).hasSize(2);
            tape.in("ATOMIC_ACK psn=101"); // of the second: the first one's was lost
            tape.out(
                    "FETCH_ADD psn=100 va=0x8000 key=0xabcd add=1 A",
                    "COMPARE_SWAP psn=101 va=0x8000 key=0xabcd swap=2 cmp=1 A");
            tape.in("ATOMIC_ACK psn=100").out().in("ATOMIC_ACK psn=101");
            assertThat(tape.sent()).singleElement().asString().contains(" psn=102 ");
            tape.in(answer(request, 102));
            tape.forget();
        }
    }

    @ParameterizedTest
    @DisplayName("§6.1(5): FENCE waits neither for SENDs nor for WRITEs")
    @MethodSource("fenced")
    void afterSends(SendRequest request) {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1),
                    RdmaWrite.of(1).to(VA, KEY),
                    RdmaWriteWithImmediate.of(1, 5).to(VA, KEY),
                    request);
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=102", answer(request, 103));
            tape.forget();
        }
    }

    @Test
    @DisplayName("bug/26: FENCE waits for earlier READs and atomics, not for a SEND whose ACK is withheld")
    void fenceIsNotTooStrong() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2).fenced()).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.post(RdmaRead.of(3, tape.at(0, 8)).from(VA, KEY), Send.of(4).fenced());
            tape.out("READ_REQUEST psn=102 va=0x8000 key=0xabcd dma=8 A");
            tape.in("ACK psn=101").out().in("READ_RESPONSE_ONLY psn=102 len=8").out("SEND_ONLY psn=103 A");
            tape.in("ACK psn=103");
        }
    }

    @Test
    @DisplayName("§6.1(5): a fence that was waited for is not waited for again when its request is repeated")
    void repeatedFence() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaRead.of(1, tape.at(0, 8)).from(VA, KEY),
                    Send.of(2).fenced(),
                    RdmaRead.of(3, tape.at(0, 8)).from(VA, KEY));
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=8 A").in("READ_RESPONSE_ONLY psn=100 len=8");
            tape.out("SEND_ONLY psn=101 A", "READ_REQUEST psn=102 va=0x8000 key=0xabcd dma=8 A");
            tape.in("ACK psn=101 syn=0x60");
            tape.out("SEND_ONLY psn=101 A", "READ_REQUEST psn=102 va=0x8000 key=0xabcd dma=8 A");
            tape.in("ACK psn=101", "READ_RESPONSE_ONLY psn=102 len=8");
        }
    }

    private static List<SendRequest> oneOfEach(Tape tape) {
        return List.of(
                Send.of(1),
                SendWithImmediate.of(2, 5),
                SendWithInvalidate.of(3, 5),
                RdmaWrite.of(4).to(VA, KEY),
                RdmaWriteWithImmediate.of(5, 5).to(VA, KEY),
                RdmaRead.of(6).from(VA, KEY),
                FetchAndAdd.of(7, tape.at(0, 8), 1).at(VA, KEY),
                CompareAndSwap.of(8, tape.at(8, 8), 1, 2).at(VA, KEY));
    }

    private static void answerAll(Tape tape) {
        assertThat(tape.sent()).hasSize(8);
        tape.in("READ_RESPONSE_ONLY psn=105", "ATOMIC_ACK psn=106", "ATOMIC_ACK psn=107");
    }

    @Test
    @DisplayName("§6.2: without SIGNALED no kind of request completes when it succeeds")
    void unsignaled() {
        try (Tape tape = new Tape()) {
            tape.post(oneOfEach(tape).toArray(SendRequest[]::new));
            answerAll(tape);
            tape.sendDone();
        }
    }

    @Test
    @DisplayName("§6.2: with sq_sig_all every kind of request completes, in order")
    void signalAll() {
        try (Tape tape = new TapeSetup().signalAll().start()) {
            tape.post(oneOfEach(tape).toArray(SendRequest[]::new));
            answerAll(tape);
            tape.sendDone(
                    "1 SUCCESS SEND 0",
                    "2 SUCCESS SEND 0",
                    "3 SUCCESS SEND 0",
                    "4 SUCCESS RDMA_WRITE 0",
                    "5 SUCCESS RDMA_WRITE 0",
                    "6 SUCCESS RDMA_READ 0",
                    "7 SUCCESS FETCH_ADD 8",
                    "8 SUCCESS COMP_SWAP 8");
        }
    }

    @Test
    @DisplayName("§6.2: a request that fails completes, unsignaled as it is, and so do all after it")
    void unsignaledFailure() {
        try (Tape tape = new Tape()) {
            tape.post(oneOfEach(tape).toArray(SendRequest[]::new));
            assertThat(tape.sent()).hasSize(8);
            tape.in("ACK psn=103 syn=0x62")
                    .sendDone(
                            "4 REM_ACCESS_ERR", "5 WR_FLUSH_ERR", "6 WR_FLUSH_ERR", "7 WR_FLUSH_ERR", "8 WR_FLUSH_ERR");
        }
    }
}
