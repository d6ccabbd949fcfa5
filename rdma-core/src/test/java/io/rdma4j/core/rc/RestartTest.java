package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §6.1(8), §6.3: what a queue pair sends after a loss when much was in flight. */
class RestartTest {
    private static final long TIMEOUT = 4096L << 14;

    /** A WRITE of 40 packets, PSNs 100 to 139. */
    private static Tape longWrite(int retries) {
        Tape tape = new TapeSetup().retries(retries, 7).start();
        tape.post(RdmaWrite.of(1, tape.at(0, 40 * 256)).to(0x8000, 7).signaled());
        assertThat(tape.sent()).hasSize(40);
        return tape;
    }

    @Test
    @DisplayName("§6.3: it begins with the missing packet, asks for its acknowledgement, and doubles with progress")
    void growsWithProgress() {
        try (Tape tape = longWrite(7)) {
            tape.in("ACK psn=110 syn=0x60").out("WRITE_MIDDLE psn=110 len=256 A");
            tape.in("ACK psn=110").out("WRITE_MIDDLE psn=111 len=256", "WRITE_MIDDLE psn=112 len=256 A");
            tape.in("ACK psn=112");
            List<String> third = tape.sent();
            assertThat(third).hasSize(4).last().isEqualTo("WRITE_MIDDLE psn=116 len=256 A");
            tape.in("ACK psn=116");
            assertThat(tape.sent()).hasSize(8);
            tape.in("ACK psn=124");
            assertThat(tape.sent()).hasSize(15).last().isEqualTo("WRITE_LAST psn=139 len=256 A");
            tape.in("ACK psn=139").sendDone("1 SUCCESS RDMA_WRITE 10240");
        }
    }

    @Test
    @DisplayName("§6.3: a late acknowledgement of what was in flight spares the resending and widens the restart")
    void lateAcknowledgement() {
        try (Tape tape = longWrite(7)) {
            tape.in("ACK psn=110 syn=0x60").out("WRITE_MIDDLE psn=110 len=256 A");
            tape.in("ACK psn=139").sendDone("1 SUCCESS RDMA_WRITE 10240").elapse(10 * TIMEOUT);
        }
    }

    @Test
    @DisplayName("§6.3: a restart that is lost too begins anew at its time-out, each for one retry")
    void restartIsLost() {
        try (Tape tape = longWrite(2)) {
            tape.elapse(TIMEOUT).out("WRITE_FIRST psn=100 va=0x8000 key=0x7 dma=10240 len=256 A");
            tape.elapse(TIMEOUT).out("WRITE_FIRST psn=100 va=0x8000 key=0x7 dma=10240 len=256 A");
            tape.elapse(TIMEOUT).sendDone("1 RETRY_EXC_ERR");
        }
    }

    @Test
    @DisplayName("§6.3: few packets in flight are sent again all at once")
    void fewAreSentAtOnce() {
        try (Tape tape = new Tape()) {
            tape.post(RdmaWrite.of(1, tape.at(0, 8 * 256)).to(0x8000, 7).signaled());
            assertThat(tape.sent()).hasSize(8);
            tape.elapse(TIMEOUT);
            assertThat(tape.sent()).hasSize(8);
            tape.in("ACK psn=107").sendDone("1 SUCCESS RDMA_WRITE 2048");
        }
    }

    @Test
    @DisplayName("§7.5: an RNR wait is no loss: all that was refused is sent again at once")
    void receiverNotReadyIsNoLoss() {
        try (Tape tape = longWrite(7)) {
            tape.in("ACK psn=110 syn=0x21").elapse(10 * Tape.US);
            assertThat(tape.sent()).hasSize(30);
            tape.in("ACK psn=139").sendDone("1 SUCCESS RDMA_WRITE 10240");
        }
    }

    @Test
    @DisplayName("§6.1(8): a peer that vanishes frees all budget; queue pairs that come later find it whole")
    void vanishedPeerFreesEverything() {
        try (Tape tape = longWrite(1)) {
            QueuePair other = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue));
            new TapeSetup().psn(1000, 2000).retries(1, 7).connect(other);
            other.postSend(RdmaWrite.of(2, tape.at(0, 30 * 256)).to(0x8000, 7));
            tape.run();
            assertThat(tape.sent()).hasSize(30);
            tape.elapse(2 * TIMEOUT).sendDone("1 RETRY_EXC_ERR", "2 RETRY_EXC_ERR");
            tape.forget();
            assertThat(tape.engine.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
            other.close();
            QueuePair later = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue));
            new TapeSetup().psn(3000, 4000).connect(later);
            later.postSend(Send.of(3, tape.at(0, 20 * 256)).signaled());
            tape.run();
            assertThat(tape.sent()).hasSize(20);
            tape.in("ACK psn=3019 qp=" + later.number()).sendDone("3 SUCCESS SEND 5120");
            later.close();
        }
    }

    @Test
    @DisplayName("§6.3: a READ is asked for again to its end, however small the restart; what follows waits")
    void readsAreRepeatedToTheirEnd() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaRead.of(1, tape.at(0, 20 * 256)).from(0x8000, 7).signaled(),
                    Send.of(2).signaled());
            assertThat(tape.sent()).hasSize(2);
            tape.elapse(TIMEOUT).out("READ_REQUEST psn=100 va=0x8000 key=0x7 dma=5120 A");
            tape.in("READ_RESPONSE_FIRST psn=100 len=256").elapse(TIMEOUT);
            tape.out("READ_REQUEST psn=101 va=0x8100 key=0x7 dma=4864 A");
            tape.in("READ_RESPONSE_FIRST psn=101 len=256");
            for (int psn = 102; psn < 119; psn++) {
                tape.in("READ_RESPONSE_MIDDLE psn=" + psn + " len=256");
            }
            tape.in("READ_RESPONSE_LAST psn=119 len=256").sendDone("1 SUCCESS RDMA_READ 5120");
            tape.out("SEND_ONLY psn=120 A").in("ACK psn=120").sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.1(4), §6.3: with max_rd_atomic 1 a READ that was answered in part goes on after a time-out")
    void oneReadAnsweredInPart() {
        try (Tape tape = new TapeSetup().readAtomic(1, 0).start()) {
            tape.post(RdmaRead.of(1, tape.at(0, 3 * 256)).from(0x8000, 7).signaled());
            assertThat(tape.sent()).hasSize(1);
            tape.in("READ_RESPONSE_FIRST psn=100 len=256").elapse(TIMEOUT);
            tape.out("READ_REQUEST psn=101 va=0x8100 key=0x7 dma=512 A");
            tape.in("READ_RESPONSE_FIRST psn=101 len=256", "READ_RESPONSE_LAST psn=102 len=256");
            tape.sendDone("1 SUCCESS RDMA_READ 768");
        }
    }
}
