package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §5: which PSN a response carries, and the order in which responses leave. */
class ResponseOrderTest {
    private static final String READ = "READ_REQUEST psn=501 va=0x10000 key=mr dma=300 A";

    @Test
    @DisplayName("§5: nothing beyond an unanswered READ is acknowledged, in however many turns it is answered")
    void noAcknowledgementBeyondAnUnansweredRead() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0).in("WRITE_ONLY psn=500 A", READ).in("WRITE_ONLY psn=503 A");
            tape.linkTakes(1).run().out("READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256");
            tape.in("WRITE_ONLY psn=504 A", "WRITE_ONLY psn=500 A").out();
            tape.linkTakes(9).run();
            tape.out("READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=44", "ACK psn=504 syn=0x1f msn=4");
        }
    }

    @Test
    @DisplayName("§5: a sequence NAK leaves after the answers before it, with the expected PSN")
    void sequenceNakBehindAnswers() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0)
                    .in("WRITE_ONLY psn=500 A", READ, "WRITE_ONLY psn=504 A")
                    .in("WRITE_ONLY psn=505 A");
            tape.linkTakes(9).run();
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=44",
                    "ACK psn=503 syn=0x60 msn=2");
        }
    }

    @Test
    @DisplayName("§5, §7.5: an RNR NAK leaves after the answers before it, with the PSN of the refused packet")
    void receiverNotReadyBehindAnswers() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0).in("WRITE_ONLY psn=500 A", READ, "SEND_ONLY psn=503 A", "WRITE_ONLY psn=504 A");
            tape.linkTakes(9).run();
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=44",
                    "ACK psn=503 syn=0x2c msn=2");
        }
    }

    @Test
    @DisplayName("§5: what was refused and comes again before its NAK has left is taken; no NAK then")
    void unsentNakIsForgotten() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0).in("SEND_ONLY psn=500 A").receive(1).in("SEND_ONLY psn=500 A");
            tape.linkTakes(9).run().out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 0");
        }
    }

    @Test
    @DisplayName("§5: the NAK of a READ that cannot go on has the PSN of the response it replaces; nothing follows it")
    void refusedInTheMiddle() {
        try (Tape tape = new Tape()) {
            MemoryRegion other =
                    tape.register("other", ByteBuffer.allocateDirect(1024), 0x900000, AccessFlag.REMOTE_READ);
            tape.linkTakes(2);
            tape.in(
                    "READ_REQUEST psn=500 va=0x900000 key=other dma=1024 A",
                    "FETCH_ADD psn=504 va=0x10000 key=mr add=1 A",
                    "WRITE_ONLY psn=505 A");
            assertThat(tape.sent()).hasSize(2);
            other.close();
            tape.linkTakes(9).run().out("ACK psn=502 syn=0x62 msn=3");
            tape.state(QueuePairState.ERR).events("QP_ACCESS_ERR");
        }
    }

    @Test
    @DisplayName("§7.4, §8.5(1): a READ replay that reaches an invalid key is refused behind the answers before it")
    void replayRefusedInItsPlace() {
        try (Tape tape = new Tape()) {
            MemoryRegion other =
                    tape.register("other", ByteBuffer.allocateDirect(1024), 0x900000, AccessFlag.REMOTE_READ);
            String atomic = "FETCH_ADD psn=500 va=0x10000 key=mr add=1 A";
            String read = "READ_REQUEST psn=501 va=0x900000 key=other dma=512 A";
            String later = "FETCH_ADD psn=503 va=0x10000 key=mr add=1 A";
            tape.in(atomic, read, later);
            assertThat(tape.sent()).hasSize(4);
            other.close();
            tape.in(later, read, atomic);
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0", "ACK psn=501 syn=0x62 msn=3");
            tape.state(QueuePairState.ERR).events("QP_ACCESS_ERR");
        }
    }

    @Test
    @DisplayName("§8.5(1): of a terminal response nothing is lost by a blocked link, and nothing is added to it")
    void terminalResponseInParts() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0).in("WRITE_ONLY psn=500 A", READ, "WRITE_ONLY psn=503 va=0 key=0 dma=1 len=1 A");
            tape.state(QueuePairState.ERR).events("QP_ACCESS_ERR");
            tape.linkTakes(1).run().out("READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256");
            tape.in(READ, "WRITE_ONLY psn=500 A", "WRITE_ONLY psn=504 A").out();
            tape.linkTakes(9).run();
            tape.out("READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=44", "ACK psn=503 syn=0x62 msn=2");
            tape.in(READ, "WRITE_ONLY psn=503 va=0 key=0 dma=1 len=1 A").elapse(Tape.MS);
        }
    }
}
