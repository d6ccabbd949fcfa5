package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §9: SQD finishes what was started and starts nothing new. */
class SendQueueDrainTest {
    private static final QueuePairAttributes DRAIN =
            QueuePairAttributes.builder().state(QueuePairState.SQD).build();
    private static final QueuePairAttributes DRAIN_AND_TELL =
            DRAIN.toBuilder().sqdAsyncNotify(true).build();
    private static final QueuePairAttributes GO_ON =
            QueuePairAttributes.builder().state(QueuePairState.RTS).build();

    private static void stillDraining(Tape tape) {
        assertThat(tape.qp.query().isSendQueueDraining()).isTrue();
        QueuePairAttributes before = tape.qp.query();
        assertThatThrownBy(() -> tape.qp.modify(GO_ON)).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
            assertThat(e).hasMessageContaining("draining");
        });
        assertThat(tape.qp.query()).isEqualTo(before);
        tape.events().state(QueuePairState.SQD);
    }

    private static void drained(Tape tape) {
        assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
        tape.events("SQ_DRAINED").state(QueuePairState.SQD).nothingMore();
    }

    private static void goOn(Tape tape) {
        tape.qp.modify(GO_ON);
        tape.run().state(QueuePairState.RTS);
    }

    @Test
    @DisplayName("§9: a message under way goes on to its end, later ones wait for RTS; SQ_DRAINED comes once")
    void finishesTheMessage() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(1).post(Send.of(1, tape.at(0, 600)).signaled(), Send.of(2));
            tape.out("SEND_FIRST psn=100 len=256").qp.modify(DRAIN_AND_TELL);
            stillDraining(tape);
            tape.linkTakes(9).run().out("SEND_MIDDLE psn=101 len=256", "SEND_LAST psn=102 len=88 A");
            tape.post(Send.of(3)).in("ACK psn=101").out();
            stillDraining(tape);
            tape.in("ACK psn=102").sendDone("1 SUCCESS SEND 600");
            drained(tape);
            tape.elapse(1_000 * Tape.MS).nothingMore();
            goOn(tape);
            tape.out("SEND_ONLY psn=103 A", "SEND_ONLY psn=104 A").in("ACK psn=104");
        }
    }

    @Test
    @DisplayName("§9: a message of which all that was sent is acknowledged, but not all is sent, is not drained")
    void acknowledgedSoFar() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(1).post(Send.of(1, tape.at(0, 300))).out("SEND_FIRST psn=100 len=256");
            tape.qp.modify(DRAIN_AND_TELL);
            tape.in("ACK psn=100");
            stillDraining(tape);
            tape.linkTakes(9).run().out("SEND_LAST psn=101 len=44 A").in("ACK psn=101");
            drained(tape);
        }
    }

    @Test
    @DisplayName("§9: with nothing started the queue is drained at once; the event only where it is asked for")
    void nothingStarted() {
        try (Tape tape = new Tape()) {
            tape.qp.modify(DRAIN_AND_TELL);
            drained(tape);
            assertThat(tape.qp.query().sqdAsyncNotify()).isTrue();
            tape.post(Send.of(1)).out();
            goOn(tape);
            tape.out("SEND_ONLY psn=100 A").qp.modify(DRAIN);
            tape.in("ACK psn=100").events();
            assertThat(tape.qp.query().sqdAsyncNotify()).isFalse();
            assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
            goOn(tape);
        }
    }

    @Test
    @DisplayName("§9: a request that only waits (fence, READ limit) has not started")
    void waitingIsNotStarted() {
        try (Tape tape = new TapeSetup().readAtomic(1, 1).start()) {
            tape.post(
                    RdmaRead.of(1, tape.at(0, 8)).from(0x5000, 1),
                    RdmaRead.of(2, tape.at(8, 8)).from(0x5008, 1),
                    Send.of(3).fenced());
            tape.out("READ_REQUEST psn=100 va=0x5000 key=0x1 dma=8 A").qp.modify(DRAIN_AND_TELL);
            stillDraining(tape);
            tape.in("READ_RESPONSE_ONLY psn=100 len=8");
            drained(tape);
            goOn(tape);
            tape.out("READ_REQUEST psn=101 va=0x5008 key=0x1 dma=8 A").in("READ_RESPONSE_ONLY psn=101 len=8");
            tape.out("SEND_ONLY psn=102 A");
        }
    }

    @Test
    @DisplayName(
            "§9, §6.3: draining repeats what is lost, time-out after time-out, and READs from the missing response")
    void retransmits() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaWrite.of(1, tape.at(0, 8)).to(0x5000, 1),
                    RdmaRead.of(2, tape.at(0, 300)).from(0x5000, 1));
            assertThat(tape.sent()).hasSize(2);
            tape.qp.modify(DRAIN_AND_TELL);
            tape.elapse(70 * Tape.MS)
                    .out(
                            "WRITE_ONLY psn=100 va=0x5000 key=0x1 dma=8 len=8 A",
                            "READ_REQUEST psn=101 va=0x5000 key=0x1 dma=300 A");
            tape.in("READ_RESPONSE_FIRST psn=101 len=256").elapse(70 * Tape.MS);
            tape.out("READ_REQUEST psn=102 va=0x5100 key=0x1 dma=44 A");
            stillDraining(tape);
            tape.in("READ_RESPONSE_ONLY psn=102 len=44");
            drained(tape);
        }
    }

    @Test
    @DisplayName("§9, §7.5: draining waits out an RNR NAK and sends again")
    void receiverNotReady() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2)).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.qp.modify(DRAIN_AND_TELL);
            tape.in("ACK psn=100 syn=0x2c").elapse(639 * Tape.US).out();
            stillDraining(tape);
            tape.elapse(Tape.US)
                    .out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A")
                    .in("ACK psn=101");
            drained(tape);
        }
    }

    @Test
    @DisplayName("§9, §8.5: an error while draining ends it: ERR, all flushed, and no SQ_DRAINED")
    void errors() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2)).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.qp.modify(DRAIN_AND_TELL);
            tape.post(Send.of(3)).in("ACK psn=101 syn=0x61").state(QueuePairState.ERR);
            tape.sendDone("2 REM_INV_REQ_ERR", "3 WR_FLUSH_ERR");
            assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
        }
        try (Tape tape = new TapeSetup().retries(1, 7).start()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").qp.modify(DRAIN_AND_TELL);
            tape.elapse(200 * Tape.MS).out("SEND_ONLY psn=100 A").sendDone("1 RETRY_EXC_ERR");
            tape.state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§9: RESET and ERR end the draining, without an event")
    void resetAndError() {
        TapeSetup setup = new TapeSetup();
        for (QueuePairState end : new QueuePairState[] {QueuePairState.RESET, QueuePairState.ERR}) {
            try (Tape tape = setup.start()) {
                tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").qp.modify(DRAIN_AND_TELL);
                tape.qp.modify(QueuePairAttributes.builder().state(end).build());
                assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
                tape.sendDone(end == QueuePairState.ERR ? new String[] {"1 WR_FLUSH_ERR"} : new String[0]);
                tape.elapse(1_000 * Tape.MS).nothingMore();
            }
        }
    }

    @Test
    @DisplayName("§9: in SQD the other direction goes on: requests are answered, receives complete")
    void answers() {
        try (Tape tape = new Tape()) {
            tape.qp.modify(DRAIN);
            tape.receive(1, tape.at(0, 8)).in("SEND_ONLY psn=500 len=8 A").receiveDone("1 SUCCESS RECV 8");
            tape.out("ACK psn=500 syn=0x1f msn=1");
            tape.in("FETCH_ADD psn=501 va=0x10008 key=mr add=1 A").out("ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=0");
            tape.in("READ_REQUEST psn=502 va=0x10000 key=mr dma=1 A");
            tape.out("READ_RESPONSE_ONLY psn=502 syn=0x1f msn=3 len=1");
            tape.in("SEND_ONLY psn=503 A").out("ACK psn=503 syn=0x2c msn=3");
        }
    }
}
