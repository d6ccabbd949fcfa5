package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §7.4: requests that were seen before. */
class DuplicateRequestsTest {
    @Test
    @DisplayName("§7.4: SEND and WRITE are acknowledged again with the newest PSN and not executed")
    void sendAndWrite() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 8)).receive(2, tape.at(8, 8));
            tape.in("SEND_ONLY psn=500 len=8 A", "WRITE_ONLY psn=501 va=0x10100 key=mr dma=4 len=4 A");
            tape.out("ACK psn=501 syn=0x1f msn=2").receiveDone("1 SUCCESS RECV 8");
            tape.bytes.putInt(0x100, 0);
            tape.in("WRITE_ONLY psn=501 va=0x10100 key=mr dma=4 len=4 A").out("ACK psn=501 syn=0x1f msn=2");
            tape.in("SEND_ONLY psn=500 len=8").out("ACK psn=501 syn=0x1f msn=2");
            assertThat(tape.bytes.getInt(0x100)).isZero();
            assertThat(tape.count(Counter.DUPLICATE_REQUEST)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("§7.4: a FIRST or MIDDLE without AckReq needs no answer")
    void middle() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 1000))
                    .in("SEND_FIRST psn=500 len=256", "SEND_FIRST psn=500 len=256")
                    .out();
        }
    }

    @Test
    @DisplayName("§7.4: a READ is executed again, from memory as it is now")
    void read() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=512 A");
            assertThat(tape.sent()).hasSize(2);
            tape.bytes.putInt(0, 0x01020304);
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=512 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=501 syn=0x1f msn=1 len=256");
            assertThat(tape.payload(1)).startsWith(1, 2, 3, 4);
        }
    }

    @Test
    @DisplayName("§6.3, §7.4: part of a READ begins with FIRST or ONLY at the PSN asked for")
    void partOfRead() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=1000 A");
            assertThat(tape.sent()).hasSize(4);
            tape.in("READ_REQUEST psn=501 va=0x10100 key=mr dma=744 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_MIDDLE psn=502 len=256",
                    "READ_RESPONSE_LAST psn=503 syn=0x1f msn=1 len=232");
            tape.in("READ_REQUEST psn=503 va=0x10300 key=mr dma=232 A");
            tape.out("READ_RESPONSE_ONLY psn=503 syn=0x1f msn=1 len=232");
            tape.in("READ_REQUEST psn=501 va=0x10100 key=mr dma=300 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=1 len=44");
        }
    }

    @Test
    @DisplayName("§7.4: a READ that is no part of one remembered is dropped")
    void foreignRead() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=512 A", "WRITE_ONLY psn=502");
            assertThat(tape.sent()).hasSize(2);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=0x999900 dma=512 A",
                    "READ_REQUEST psn=500 va=0x10001 key=mr dma=512 A",
                    "READ_REQUEST psn=501 va=0x10000 key=mr dma=256 A",
                    "READ_REQUEST psn=501 va=0x10100 key=mr dma=257 A",
                    "READ_REQUEST psn=502 va=0x10000 key=mr dma=256 A",
                    "FETCH_ADD psn=500 va=0x10000 key=mr A");
            tape.state(QueuePairState.RTS).nothingMore();
            assertThat(tape.count(DropReason.DUPLICATE_DROPPED)).isEqualTo(6);
        }
    }

    @Test
    @DisplayName("§7.4: an atomic answers with its saved result; it never runs again")
    void atomic() {
        try (Tape tape = new Tape()) {
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=3 A", "FETCH_ADD psn=501 va=0x10000 key=mr add=4 A");
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0", "ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=3");
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=3 A", "FETCH_ADD psn=501 va=0x10000 key=mr add=4 A");
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0", "ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=3");
            assertThat(tape.memory(0, 1)).containsExactly(7);
        }
    }

    @Test
    @DisplayName("§7.4: only the last max_dest_rd_atomic are remembered")
    void forgotten() {
        try (Tape tape = new TapeSetup().readAtomic(4, 2).start()) {
            for (int i = 0; i < 3; i++) {
                tape.in("FETCH_ADD psn=" + (500 + i) + " va=0x10000 key=mr add=1 A");
            }
            assertThat(tape.sent()).hasSize(3);
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=1 A").out();
            tape.in("FETCH_ADD psn=501 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=1");
            assertThat(tape.count(DropReason.DUPLICATE_DROPPED)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§7.4: a duplicate READ leaves the message in progress alone")
    void messageInProgress() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 1000)).in("READ_REQUEST psn=500 va=0x11000 key=mr dma=256 A");
            tape.in("SEND_FIRST psn=501 len=256", "READ_REQUEST psn=500 va=0x11000 key=mr dma=256 A");
            tape.in("SEND_LAST psn=502 len=10 A");
            tape.out(
                    "READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=256",
                    "ACK psn=502 syn=0x1f msn=2");
            tape.receiveDone("1 SUCCESS RECV 266");
            assertThat(tape.memory(256, 10)).isEqualTo(PacketText.payload(502, 10));
        }
    }

    @Test
    @DisplayName("§7.4: a READ asked for again while its answer is on its way starts over, once")
    void duplicateDuringAnswer() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(2).in("READ_REQUEST psn=500 va=0x10000 key=mr dma=768 A");
            assertThat(tape.sent()).hasSize(2);
            tape.linkTakes(99).in("READ_REQUEST psn=501 va=0x10100 key=mr dma=512 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=1 len=256");
        }
    }

    @Test
    @DisplayName("§6.3, §7.4: asked for from exactly where the answer stands, it goes on with a FIRST")
    void duplicateAtCursor() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(1).in("READ_REQUEST psn=500 va=0x10000 key=mr dma=768 A");
            assertThat(tape.sent()).hasSize(1);
            tape.linkTakes(99).in("READ_REQUEST psn=501 va=0x10100 key=mr dma=512 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=1 len=256");
        }
    }

    @Test
    @DisplayName("§7.4: a longer repetition extends a shorter one that is on its way")
    void longerDuplicate() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=768 A");
            assertThat(tape.sent()).hasSize(3);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=256 A",
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=768 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_MIDDLE psn=501 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=1 len=256");
        }
    }

    @Test
    @DisplayName("§7.2(3), §7.4: a stale duplicate takes no room from a new request")
    void staleDuplicateMakesRoom() {
        try (Tape tape = new TapeSetup().readAtomic(1, 1).start()) {
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0");
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=1 A", "FETCH_ADD psn=501 va=0x10000 key=mr add=1 A");
            tape.out("ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=1").state(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§5, §7.4: repeated answers go out in PSN order, whatever was under way")
    void duplicateOrder() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=256 A");
            assertThat(tape.sent()).hasSize(1);
            tape.linkTakes(1).in("READ_REQUEST psn=501 va=0x10100 key=mr dma=512 A");
            assertThat(tape.sent()).hasSize(1);
            tape.linkTakes(99);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=256 A",
                    "READ_REQUEST psn=501 va=0x10100 key=mr dma=512 A");
            tape.out(
                    "READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=256");
        }
    }

    @Test
    @DisplayName("§7.4: a repeated READ whose key has gone is refused in its place")
    void keyGone() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=256 A");
            assertThat(tape.sent()).hasSize(1);
            tape.region.close();
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=256 A");
            tape.out("ACK psn=500 syn=0x62 msn=1").events("QP_ACCESS_ERR").state(QueuePairState.ERR);
        }
    }
}
