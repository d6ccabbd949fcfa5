package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §5, §6.3: answers that tell that an earlier answer was lost. */
class ImpliedNakTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;
    private static final long TIMEOUT = 4096L << 14;
    private static final String READ_AGAIN = "READ_REQUEST psn=102 va=0x8000 key=0xabcd dma=300 A";

    /** SEND 100, WRITE 101, READ 102 and 103, SEND 104, FETCH&ADD 105. */
    private static Tape mixture(int retries) {
        Tape tape = new TapeSetup().retries(retries, 7).signalAll().start();
        tape.post(
                Send.of(1),
                RdmaWrite.of(2, tape.at(0, 1)).to(VA, KEY),
                RdmaRead.of(3, tape.at(0, 300)).from(VA, KEY),
                Send.of(4),
                FetchAndAdd.of(5, tape.at(512, 8), 1).at(VA, KEY));
        assertThat(tape.sent()).hasSize(5);
        return tape;
    }

    @ParameterizedTest
    @DisplayName("§6.3: what comes before the missing response completes first, then the READ is asked for again")
    @ValueSource(
            strings = {
                "ACK psn=102",
                "ACK psn=103",
                "ACK psn=104",
                "READ_RESPONSE_LAST psn=103 len=44",
                "ATOMIC_ACK psn=105 orig=1",
                "ACK psn=104 syn=0x60",
                "ACK psn=104 syn=0x2c"
            })
    void completesAndAsksAgain(String line) {
        try (Tape tape = mixture(7)) {
            tape.in(line).sendDone("1 SUCCESS SEND 0", "2 SUCCESS RDMA_WRITE 1");
            tape.out(READ_AGAIN, "SEND_ONLY psn=104 A", "FETCH_ADD psn=105 va=0x8000 key=0xabcd add=1 A");
            assertThat(tape.count(Counter.IMPLIED_NAK_SEQUENCE_ERROR)).isEqualTo(1);
            tape.in(line, line).out();
            tape.in("READ_RESPONSE_FIRST psn=102 len=256", "READ_RESPONSE_LAST psn=103 len=44");
            tape.in("ATOMIC_ACK psn=105 orig=1");
            tape.sendDone("3 SUCCESS RDMA_READ 300", "4 SUCCESS SEND 0", "5 SUCCESS FETCH_ADD 8");
        }
    }

    @Test
    @DisplayName("§6.3: an implied NAK charges retry_cnt; without retries left it is RETRY_EXC_ERR")
    void isCharged() {
        try (Tape tape = mixture(0)) {
            tape.in("ACK psn=104");
            tape.sendDone(
                    "1 SUCCESS SEND 0",
                    "2 SUCCESS RDMA_WRITE 1",
                    "3 RETRY_EXC_ERR",
                    "4 WR_FLUSH_ERR",
                    "5 WR_FLUSH_ERR");
        }
        try (Tape tape = mixture(1)) {
            tape.in("READ_RESPONSE_FIRST psn=102 len=256").sendDone("1 SUCCESS SEND 0", "2 SUCCESS RDMA_WRITE 1");
            tape.in("ACK psn=104").state(QueuePairState.RTS).elapse(TIMEOUT);
            assertThat(tape.sent()).hasSize(3);
            tape.sendDone("3 RETRY_EXC_ERR", "4 WR_FLUSH_ERR", "5 WR_FLUSH_ERR");
        }
    }

    @Test
    @DisplayName("§6.3: once per restart, and again after progress")
    void oncePerRestart() {
        try (Tape tape = mixture(7)) {
            tape.in("ATOMIC_ACK psn=105 orig=1");
            assertThat(tape.sent()).hasSize(3);
            tape.in("ATOMIC_ACK psn=105 orig=1", "READ_RESPONSE_LAST psn=103 len=44")
                    .out();
            tape.in("READ_RESPONSE_FIRST psn=102 len=256", "ATOMIC_ACK psn=105 orig=1");
            tape.out(
                    "READ_REQUEST psn=103 va=0x8100 key=0xabcd dma=44 A",
                    "SEND_ONLY psn=104 A",
                    "FETCH_ADD psn=105 va=0x8000 key=0xabcd add=1 A");
            assertThat(tape.count(Counter.IMPLIED_NAK_SEQUENCE_ERROR)).isEqualTo(2);
            tape.in("READ_RESPONSE_ONLY psn=103 len=44", "ATOMIC_ACK psn=105 orig=1");
            tape.forget();
        }
    }

    @Test
    @DisplayName("§6.3: one rollback for each started retry: none while the resending has still to begin")
    void notWhileResendingHasToBegin() {
        try (Tape tape = mixture(7)) {
            tape.linkTakes(0).in("ACK psn=104");
            assertThat(tape.count(Counter.IMPLIED_NAK_SEQUENCE_ERROR)).isEqualTo(1);
            tape.in("ACK psn=100", "ACK psn=104", "ACK psn=102 syn=0x60")
                    .linkTakes(9)
                    .run();
            assertThat(tape.sent()).hasSize(3);
            assertThat(tape.count(Counter.IMPLIED_NAK_SEQUENCE_ERROR)).isEqualTo(1);
            tape.forget();
        }
        try (Tape tape = new TapeSetup().retries(0, 7).start()) {
            tape.post(Send.of(1).signaled()).in("ACK psn=100 syn=0x21").out("SEND_ONLY psn=100 A");
            tape.linkTakes(0).elapse(10 * Tape.US).in("ACK psn=100 syn=0x60").state(QueuePairState.RTS);
            tape.linkTakes(9).run().out("SEND_ONLY psn=100 A").in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5: an ACK never completes a READ or atomic; its response does")
    void acknowledgementDoesNotComplete() {
        try (Tape tape = new Tape()) {
            tape.post(FetchAndAdd.of(1, tape.at(0, 8), 1).at(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(1);
            tape.in("ACK psn=100").sendDone();
            tape.out("FETCH_ADD psn=100 va=0x8000 key=0xabcd add=1 A");
            tape.in("ATOMIC_ACK psn=100 orig=3").sendDone("1 SUCCESS FETCH_ADD 8");
        }
    }

    @Test
    @DisplayName("§8.5(1), §5: a fatal NAK behind a missing response: the READ is asked for, in vain, and tells why")
    void fatalNakBehindMissingResponse() {
        try (Tape tape = mixture(2)) {
            tape.in("ACK psn=104 syn=0x62").sendDone("1 SUCCESS SEND 0", "2 SUCCESS RDMA_WRITE 1");
            tape.out(READ_AGAIN, "SEND_ONLY psn=104 A", "FETCH_ADD psn=105 va=0x8000 key=0xabcd add=1 A");
            tape.elapse(2 * TIMEOUT).sendDone("3 RETRY_EXC_ERR", "4 WR_FLUSH_ERR", "5 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(2).cause())
                    .contains("PSN 0x000066 not acknowledged")
                    .endsWith("the peer failed with a NAK REM_ACCESS_ERR at PSN 0x000068");
            tape.forget();
        }
    }

    @ParameterizedTest
    @DisplayName("§4.1: a response with data and a reserved syndrome is dropped and counted")
    @ValueSource(strings = {"0x40", "0x65", "0x80", "0xff"})
    void reservedSyndromeWithData(String syndrome) {
        try (Tape tape = mixture(7)) {
            tape.in("READ_RESPONSE_FIRST psn=102 len=256 syn=" + syndrome, "ATOMIC_ACK psn=105 syn=" + syndrome);
            assertThat(tape.count(DropReason.RESERVED_SYNDROME)).isEqualTo(2);
            tape.state(QueuePairState.RTS).nothingMore();
            tape.in("READ_RESPONSE_FIRST psn=102 len=256").sendDone("1 SUCCESS SEND 0", "2 SUCCESS RDMA_WRITE 1");
        }
    }

    @ParameterizedTest
    @DisplayName("§8.2: a response with data whose syndrome is a NAK is malformed: BAD_RESP_ERR")
    @ValueSource(strings = {"0x20", "0x60", "0x62"})
    void nakWithData(String syndrome) {
        try (Tape tape = mixture(7)) {
            tape.in("READ_RESPONSE_FIRST psn=102 len=256 syn=" + syndrome);
            tape.sendDone(
                    "1 SUCCESS SEND 0", "2 SUCCESS RDMA_WRITE 1", "3 BAD_RESP_ERR", "4 WR_FLUSH_ERR", "5 WR_FLUSH_ERR");
        }
    }
}
