package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §6.3: timers, retries and RNR waits of a requester. */
class RetryTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    /** §4.4: timeout code 14. */
    private static final long TIMEOUT = 4096L << 14;

    @Test
    @DisplayName("§6.3, §4.4: the timer expires after T, not before; everything unacknowledged is sent again")
    void timeout() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2).signaled()).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.elapse(TIMEOUT - 1).out();
            tape.elapse(1).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            assertThat(tape.count(Counter.LOCAL_ACK_TIMEOUT_ERROR)).isEqualTo(1);
            assertThat(tape.count(Counter.RETRANSMITTED_PACKETS)).isEqualTo(2);
            tape.in("ACK psn=101").sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: the timer stops when nothing is outstanding")
    void timerStops() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").in("ACK psn=100").elapse(10 * TIMEOUT);
            assertThat(tape.engine.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    @DisplayName("§6.3: progress restarts the timer, sending more does not")
    void timerRestarts() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).elapse(TIMEOUT / 2).post(Send.of(2)).elapse(TIMEOUT / 2);
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A", "SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.elapse(TIMEOUT - 1).in("ACK psn=100").elapse(TIMEOUT - 1).out();
            tape.elapse(1).out("SEND_ONLY psn=101 A");
        }
    }

    @Test
    @DisplayName("§4.4: timeout 0 waits for ever")
    void noTimeout() {
        try (Tape tape = new TapeSetup().timeout(0).start()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").elapse(1000 * TIMEOUT);
        }
    }

    @ParameterizedTest
    @DisplayName("§4.4: retry_cnt retransmissions follow the first try, 7 means seven; then RETRY_EXC_ERR")
    @ValueSource(ints = {0, 1, 7})
    void retryCount(int count) {
        try (Tape tape = new TapeSetup().retries(count, 7).start()) {
            tape.post(Send.of(1), Send.of(2)).receive(3).elapse((count + 1) * TIMEOUT - 1);
            assertThat(tape.sent()).hasSize(2 * (count + 1));
            tape.sendDone().state(QueuePairState.RTS).elapse(1);
            tape.sendDone("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR").receiveDone("3 WR_FLUSH_ERR");
            tape.out().state(QueuePairState.ERR).elapse(100 * TIMEOUT);
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("after " + count + " retries");
        }
    }

    @Test
    @DisplayName("§4.4: real progress reloads the retry counter")
    void counterReloads() {
        try (Tape tape = new TapeSetup().retries(1, 7).start()) {
            tape.post(Send.of(1), Send.of(2).signaled())
                    .elapse(TIMEOUT)
                    .in("ACK psn=100")
                    .elapse(TIMEOUT);
            assertThat(tape.sent()).hasSize(5).last().isEqualTo("SEND_ONLY psn=101 A");
            tape.elapse(TIMEOUT).sendDone("2 RETRY_EXC_ERR");
        }
    }

    @Test
    @DisplayName("§6.3: a NAK 0x60 rolls back once; the same again is ignored until there is progress")
    void sequenceNak() {
        try (Tape tape = new TapeSetup().retries(2, 7).start()) {
            tape.post(Send.of(1), Send.of(2), Send.of(3).signaled());
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=101 syn=0x60").out("SEND_ONLY psn=101 A", "SEND_ONLY psn=102 A");
            tape.in("ACK psn=101 syn=0x60", "ACK psn=101 syn=0x60").out();
            assertThat(tape.count(Counter.PACKET_SEQUENCE_ERROR)).isEqualTo(1);
            tape.in("ACK psn=102 syn=0x60").out("SEND_ONLY psn=102 A");
            tape.in("ACK psn=102").sendDone("3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: a NAK 0x60 without retries left is RETRY_EXC_ERR")
    void sequenceNakExhausted() {
        try (Tape tape = new TapeSetup().retries(0, 7).start()) {
            tape.post(Send.of(1), Send.of(2)).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.in("ACK psn=100 syn=0x60")
                    .sendDone("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR")
                    .state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§6.3: a message is resumed at the missing packet, a WRITE then without RETH")
    void resumesWithinMessage() {
        try (Tape tape = new Tape()) {
            tape.post(RdmaWrite.of(1, tape.at(0, 800)).to(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=102 syn=0x60").out("WRITE_MIDDLE psn=102 len=256", "WRITE_LAST psn=103 len=32 A");
            tape.elapse(TIMEOUT).out("WRITE_MIDDLE psn=102 len=256", "WRITE_LAST psn=103 len=32 A");
            tape.in("ACK psn=103").sendDone("1 SUCCESS RDMA_WRITE 800");
        }
    }

    @Test
    @DisplayName("§6.3: a READ is asked for again from the missing PSN, address and length moved on")
    void readReplay() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), RdmaRead.of(2, tape.at(0, 700)).from(VA, KEY).signaled());
            tape.out("SEND_ONLY psn=100 A", "READ_REQUEST psn=101 va=0x8000 key=0xabcd dma=700 A");
            tape.in("READ_RESPONSE_FIRST psn=101 len=256").elapse(TIMEOUT);
            tape.out("READ_REQUEST psn=102 va=0x8100 key=0xabcd dma=444 A");
            // A late answer to the first request continues as that one was cut; its bytes are as good.
            tape.in("READ_RESPONSE_MIDDLE psn=102 len=256", "READ_RESPONSE_LAST psn=103 len=188");
            tape.sendDone("2 SUCCESS RDMA_READ 700");
            tape.in("READ_RESPONSE_FIRST psn=102 len=256", "READ_RESPONSE_LAST psn=103 len=188");
        }
    }

    @Test
    @DisplayName("§6.3: an ACK that comes after the rollback but before the resending spares the resending")
    void lateAck() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1).signaled(), Send.of(2)).linkTakes(0).elapse(TIMEOUT);
            assertThat(tape.sent()).hasSize(2);
            tape.in("ACK psn=100")
                    .sendDone("1 SUCCESS SEND 0")
                    .linkTakes(9)
                    .run()
                    .out("SEND_ONLY psn=101 A");
        }
    }

    @ParameterizedTest
    @DisplayName("§4.3, §6.3: an RNR wait is a minimum, of the length in the NAK")
    @ValueSource(ints = {0, 1, 12, 31})
    void receiverNotReady(int code) {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1).signaled(), Send.of(2)).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.in("ACK psn=100 syn=" + (0x20 | code))
                    .elapse(RnrTimer.nanos(code) - 1)
                    .out();
            tape.elapse(1).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: nothing is sent during the wait, whatever is posted")
    void postsDuringWait() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).in("ACK psn=100 syn=0x2c").post(Send.of(2)).out("SEND_ONLY psn=100 A");
            tape.elapse(RnrTimer.nanos(12)).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
        }
    }

    @Test
    @DisplayName("§7.5: a NAK 0x60 during the wait neither shortens it nor costs a retry")
    void sequenceNakDuringWait() {
        try (Tape tape = new TapeSetup().retries(0, 7).start()) {
            tape.post(Send.of(1), Send.of(2).signaled()).in("ACK psn=100 syn=0x20", "ACK psn=100 syn=0x60");
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A")
                    .elapse(RnrTimer.nanos(0) - 1)
                    .out();
            tape.elapse(1).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A").in("ACK psn=101");
            tape.sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: the transport timer is not charged during the wait and runs anew after it")
    void timerDuringWait() {
        try (Tape tape = new TapeSetup().retries(0, 7).start()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").elapse(TIMEOUT - 1).in("ACK psn=100 syn=0x20");
            tape.elapse(RnrTimer.nanos(0)).out("SEND_ONLY psn=100 A");
            tape.elapse(TIMEOUT - 1).state(QueuePairState.RTS).elapse(1).sendDone("1 RETRY_EXC_ERR");
        }
    }

    @Test
    @DisplayName("§4.4, §6.3: an RNR NAK is a response, so the transport retry counter reloads")
    void receiverNotReadyReloads() {
        try (Tape tape = new TapeSetup().retries(1, 7).start()) {
            tape.post(Send.of(1)).elapse(TIMEOUT).in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1) + TIMEOUT);
            assertThat(tape.sent()).hasSize(4);
            tape.state(QueuePairState.RTS).elapse(TIMEOUT).sendDone("1 RETRY_EXC_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§6.3: rnr_retry 0 fails at the first RNR NAK; more allow as many waits")
    @ValueSource(ints = {0, 1, 6})
    void receiverNotReadyCount(int count) {
        try (Tape tape = new TapeSetup().retries(7, count).start()) {
            tape.post(Send.of(1), Send.of(2));
            for (int i = 0; i < count; i++) {
                tape.in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1)).sendDone();
            }
            assertThat(tape.sent()).hasSize(2 * (count + 1));
            tape.in("ACK psn=100 syn=0x21").sendDone("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
            tape.state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§4.4: rnr_retry 7 never runs out; progress reloads a smaller count")
    void receiverNotReadyForEver() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1));
            for (int i = 0; i < 100; i++) {
                tape.in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1));
            }
            assertThat(tape.sent()).hasSize(101);
            tape.state(QueuePairState.RTS);
        }
        try (Tape tape = new TapeSetup().retries(7, 1).start()) {
            tape.post(Send.of(1), Send.of(2)).in("ACK psn=100 syn=0x21").elapse(RnrTimer.nanos(1));
            tape.in("ACK psn=101 syn=0x21").elapse(RnrTimer.nanos(1)).state(QueuePairState.RTS);
            assertThat(tape.sent()).hasSize(5);
        }
    }

    @Test
    @DisplayName("§6.3: one wait for several RNR NAKs of the same packet")
    void repeatedReceiverNotReady() {
        try (Tape tape = new TapeSetup().retries(7, 1).start()) {
            tape.post(Send.of(1))
                    .in("ACK psn=100 syn=0x21", "ACK psn=100 syn=0x21")
                    .state(QueuePairState.RTS);
            assertThat(tape.count(Counter.RNR_NAK_RECEIVED)).isEqualTo(1);
            assertThat(tape.sent()).hasSize(1);
        }
    }

    @Test
    @DisplayName("§5: an RNR NAK beyond an unanswered atomic asks for the atomic again")
    void receiverNotReadyBehindAtomic() {
        try (Tape tape = new Tape()) {
            tape.post(FetchAndAdd.of(1, tape.at(0, 8), 1).at(VA, KEY), Send.of(2))
                    .in("ACK psn=101 syn=0x21");
            assertThat(tape.sent()).hasSize(4).element(2).isEqualTo("FETCH_ADD psn=100 va=0x8000 key=0xabcd add=1 A");
        }
    }
}
