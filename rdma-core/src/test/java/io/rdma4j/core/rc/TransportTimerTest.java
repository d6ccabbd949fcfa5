package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** §4.4, §6.3: when the transport timer starts, restarts and stops, and how it goes with RNR waits. */
class TransportTimerTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;
    private static final long TIMEOUT = 4096L << 14;

    static IntStream timeouts() {
        return IntStream.rangeClosed(1, 31);
    }

    static IntStream rnrCodes() {
        return IntStream.rangeClosed(0, 31);
    }

    @ParameterizedTest
    @DisplayName("§4.4: T is 4.096 us * 2^timeout to the nanosecond, for each code, each time")
    @MethodSource("timeouts")
    void exactForEachCode(int code) {
        long timeout = 4096L << code;
        try (Tape tape = new TapeSetup().timeout(code).retries(2, 7).start()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A");
            for (int i = 0; i < 2; i++) {
                tape.elapse(timeout - 1).out().elapse(1).out("SEND_ONLY psn=100 A");
            }
            tape.elapse(timeout - 1).sendDone().elapse(1).sendDone("1 RETRY_EXC_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§4.3: each RNR timer code waits for its time, as the peer says it, whatever this side has set")
    @MethodSource("rnrCodes")
    void eachReceiverNotReadyCode(int code) {
        try (Tape tape = new TapeSetup().timeout(1).retries(0, 7).start()) {
            tape.post(Send.of(1).signaled())
                    .in("ACK psn=100 syn=" + (0x20 | code))
                    .out("SEND_ONLY psn=100 A");
            tape.elapse(RnrTimer.nanos(code) - 1).out().elapse(1).out("SEND_ONLY psn=100 A");
            tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: neither posting, nor sending, nor ghosts, nor ignored NAKs postpone the time-out")
    void isNotPostponed() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).in("ACK psn=100 syn=0x60");
            assertThat(tape.sent()).hasSize(2);
            for (int i = 2; i <= 9; i++) {
                tape.elapse(TIMEOUT / 10).post(Send.of(i));
                tape.in("ACK psn=99", "ACK psn=100 syn=0x60", "ACK psn=4711", "ACK psn=100 syn=0x41");
            }
            assertThat(tape.sent()).hasSize(8);
            tape.elapse(TIMEOUT - 8 * (TIMEOUT / 10) - 1).out().elapse(1).out("SEND_ONLY psn=100 A");
            assertThat(tape.count(Counter.LOCAL_ACK_TIMEOUT_ERROR)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§6.3: part of a message or of a READ is progress and restarts the timer")
    void partialProgress() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaWrite.of(1, tape.at(0, 512)).to(VA, KEY),
                    RdmaRead.of(2, tape.at(0, 512)).from(VA, KEY));
            assertThat(tape.sent()).hasSize(3);
            tape.elapse(TIMEOUT - 1).in("ACK psn=100").elapse(TIMEOUT - 1).in("ACK psn=101");
            tape.elapse(TIMEOUT - 1)
                    .in("READ_RESPONSE_FIRST psn=102 len=256")
                    .elapse(TIMEOUT - 1)
                    .out();
            tape.elapse(1).out("READ_REQUEST psn=103 va=0x8100 key=0xabcd dma=256 A");
        }
    }

    @Test
    @DisplayName("§6.3: a retransmission by NAK restarts the timer")
    void retransmissionRestarts() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).elapse(TIMEOUT - 1).in("ACK psn=100 syn=0x60");
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=100 A")
                    .elapse(TIMEOUT - 1)
                    .out();
            tape.elapse(1).out("SEND_ONLY psn=100 A");
        }
    }

    @Test
    @DisplayName("§6.3: it runs from when the link took the packet")
    void startsWithSending() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0)
                    .post(Send.of(1))
                    .elapse(10 * TIMEOUT)
                    .linkTakes(9)
                    .run()
                    .out("SEND_ONLY psn=100 A");
            assertThat(tape.count(Counter.LOCAL_ACK_TIMEOUT_ERROR)).isZero();
            tape.elapse(TIMEOUT - 1).out().elapse(1).out("SEND_ONLY psn=100 A");
        }
    }

    @ParameterizedTest
    @DisplayName("bug/25: an RNR wait is not ended by the transport timer, nor does it cost a transport retry")
    @ValueSource(ints = {1, 8, 13})
    void receiverNotReadyAgainstTimeout(int timeout) {
        try (Tape tape = new TapeSetup().timeout(timeout).retries(0, 7).start()) {
            tape.post(Send.of(1).signaled()).out("SEND_ONLY psn=100 A");
            for (int i = 0; i < 5; i++) {
                tape.in("ACK psn=100 syn=0x34").elapse(RnrTimer.nanos(20) - 1).out();
                tape.elapse(1).out("SEND_ONLY psn=100 A");
            }
            assertThat(tape.count(Counter.LOCAL_ACK_TIMEOUT_ERROR)).isZero();
            tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("bug/18: no receive posted: RNR_RETRY_EXC_ERR after 4 tries, not before 3 waits of 0.64 ms")
    void nothingEverPosted() {
        try (Tape tape = new TapeSetup().retries(7, 3).start()) {
            tape.post(Send.of(1));
            for (int i = 0; i < 3; i++) {
                tape.in("ACK psn=100 syn=0x2c")
                        .elapse(640 * Tape.US - 1)
                        .in("ACK psn=100 syn=0x2c")
                        .elapse(1);
            }
            assertThat(tape.sent()).hasSize(4);
            assertThat(tape.time()).isEqualTo(3 * 640 * Tape.US);
            tape.in("ACK psn=100 syn=0x2c").sendDone("1 RNR_RETRY_EXC_ERR").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§4.4: transport and RNR counters are separate; either reloads by itself")
    void separateCounters() {
        try (Tape tape = new TapeSetup().retries(1, 1).start()) {
            tape.post(Send.of(1)).elapse(TIMEOUT).in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1));
            tape.state(QueuePairState.RTS).elapse(TIMEOUT).state(QueuePairState.RTS);
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=100 syn=0x21").sendDone("1 RNR_RETRY_EXC_ERR");
        }
        try (Tape tape = new TapeSetup().retries(0, 1).start()) {
            tape.post(Send.of(1), Send.of(2)).in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1));
            tape.in("ACK psn=101 syn=0x21").elapse(RnrTimer.nanos(1)).elapse(TIMEOUT);
            tape.sendDone("2 RETRY_EXC_ERR");
            tape.forget();
        }
    }

    @Test
    @DisplayName("§6.3: the RNR'ed packet and all after it are sent again, the ones before it are done")
    void resendsFromTheRefusedPacket() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1).signaled(),
                    Send.of(2, tape.at(0, 300)).signaled(),
                    Send.of(3).signaled());
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=101 syn=0x21").sendDone("1 SUCCESS SEND 0").elapse(RnrTimer.nanos(1));
            tape.out("SEND_FIRST psn=101 len=256", "SEND_LAST psn=102 len=44 A", "SEND_ONLY psn=103 A");
            tape.in("ACK psn=103").sendDone("2 SUCCESS SEND 300", "3 SUCCESS SEND 0");
        }
    }
}
