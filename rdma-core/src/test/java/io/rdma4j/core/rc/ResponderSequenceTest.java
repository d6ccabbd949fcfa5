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

/** §5 and §7.3 at the responder: PSNs, gaps, acknowledgements and their order. */
class ResponderSequenceTest {
    @Test
    @DisplayName("§7.3: a SEND is placed, completed and acknowledged")
    void send() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 64)).in("SEND_ONLY psn=500 len=16 A");
            tape.out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 16");
            assertThat(tape.memory(0, 16)).isEqualTo(PacketText.payload(500, 16));
            assertThat(tape.memory(16, 1)).containsExactly(0);
        }
    }

    @Test
    @DisplayName("§7.3: without AckReq nothing is acknowledged")
    void noAckRequest() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 64)).in("SEND_ONLY psn=500 len=16").receiveDone("1 SUCCESS RECV 16");
        }
    }

    @Test
    @DisplayName("§7.3: one ACK for a burst, with the newest PSN and MSN")
    void acksAreCoalesced() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 64)).receive(2, tape.at(64, 64));
            tape.in(
                    "SEND_ONLY psn=500 len=8 A",
                    "WRITE_ONLY psn=501 va=0x10100 key=mr dma=8 len=8 A",
                    "SEND_ONLY psn=502 len=8 A");
            tape.out("ACK psn=502 syn=0x1f msn=3").receiveDone("1 SUCCESS RECV 8", "2 SUCCESS RECV 8");
        }
    }

    @Test
    @DisplayName("§5: a message of several packets; MSN counts when the last is executed")
    void severalPackets() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 1000));
            tape.in("SEND_FIRST psn=500 len=256 A").out("ACK psn=500 syn=0x1f msn=0");
            tape.in("SEND_MIDDLE psn=501 len=256", "SEND_LAST psn=502 len=3 A").out("ACK psn=502 syn=0x1f msn=1");
            tape.receiveDone("1 SUCCESS RECV 515");
            assertThat(tape.memory(512, 3)).isEqualTo(PacketText.payload(502, 3));
        }
    }

    @Test
    @DisplayName("§5: a gap gets one NAK with the expected PSN, then silence until it has come")
    void gap() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 64)).receive(2, tape.at(64, 64));
            tape.in("SEND_ONLY psn=501 len=8 A").out("ACK psn=500 syn=0x60 msn=0");
            tape.in("SEND_ONLY psn=502 len=8 A", "SEND_ONLY psn=501 len=8 A").out();
            assertThat(tape.count(DropReason.OUT_OF_SEQUENCE)).isEqualTo(2);
            tape.in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.receiveDone("1 SUCCESS RECV 8");
            // A new gap is a new NAK.
            tape.in("SEND_ONLY psn=503 len=8 A").out("ACK psn=501 syn=0x60 msn=1");
            assertThat(tape.count(Counter.OUT_OF_SEQUENCE)).isEqualTo(4);
        }
    }

    @Test
    @DisplayName("§5: duplicates are served while a NAK is outstanding")
    void duplicatesDuringGap() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 64)).in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.receiveDone("1 SUCCESS RECV 8");
            tape.in("SEND_ONLY psn=502 len=8 A").out("ACK psn=501 syn=0x60 msn=1");
            tape.in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        }
    }

    @Test
    @DisplayName("§5: a gap that closes within the burst needs no NAK")
    void reorderedWithinBurst() {
        try (Tape tape = new Tape()) {
            tape.in(
                    "WRITE_ONLY psn=501 va=0x10000 key=mr dma=4 len=4 A",
                    "WRITE_ONLY psn=500 va=0x10000 key=mr dma=4 len=4 A");
            tape.out("ACK psn=500 syn=0x1f msn=1");
        }
    }

    @Test
    @DisplayName("§5: PSNs wrap at 2^24")
    void wrap() {
        try (Tape tape = new TapeSetup().psn(100, 0xFFFFFE).start()) {
            tape.receive(1, tape.at(0, 1000));
            tape.in("SEND_FIRST psn=0xfffffe len=256", "SEND_MIDDLE psn=0xffffff len=256", "SEND_LAST psn=0 len=1 A");
            tape.out("ACK psn=0 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 513");
            tape.in("SEND_LAST psn=0xffffff len=1 A").out("ACK psn=0 syn=0x1f msn=1");
            tape.in("SEND_ONLY psn=3 len=1 A").out("ACK psn=1 syn=0x60 msn=1");
        }
    }

    @Test
    @DisplayName("§5: a PSN of the far half of the space is a duplicate, not a gap")
    void halfSpace() {
        try (Tape tape = new TapeSetup().psn(100, 0).start()) {
            tape.in("SEND_ONLY psn=0x800000 len=1 A").out("ACK psn=16777215 syn=0x1f msn=0");
            tape.in("SEND_ONLY psn=0x7fffff len=1 A").out("ACK psn=0 syn=0x60 msn=0");
        }
    }

    @Test
    @DisplayName("§5, §7.3: a READ takes a PSN for each response, and its answer precedes the ACK of a later request")
    void readBeforeLaterAck() {
        try (Tape tape = new Tape()) {
            tape.bytes.putLong(0x200, 0x0102030405060708L);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10200 key=mr dma=600 A",
                    "WRITE_ONLY psn=503 va=0x10000 key=mr dma=4 len=4 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_MIDDLE psn=501 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=1 len=88",
                    "ACK psn=503 syn=0x1f msn=2");
            assertThat(tape.payload(3)).isEqualTo(tape.memory(0x200, 256));
            assertThat(tape.payload(1)).isEqualTo(tape.memory(0x400, 88));
        }
    }

    @Test
    @DisplayName("§3, §4.1: atomics run once on little-endian memory and answer with the old value")
    void atomics() {
        try (Tape tape = new Tape()) {
            tape.bytes.put(0x20, (byte) 5);
            tape.in(
                    "FETCH_ADD psn=500 va=0x10020 key=mr add=256 A",
                    "COMPARE_SWAP psn=501 va=0x10020 key=mr cmp=261 swap=-1 A",
                    "COMPARE_SWAP psn=502 va=0x10020 key=mr cmp=7 swap=9 A");
            tape.out(
                    "ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=5",
                    "ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=261",
                    "ATOMIC_ACK psn=502 syn=0x1f msn=3 orig=-1");
            assertThat(tape.memory(0x20, 8)).containsOnly(-1);
        }
    }

    @Test
    @DisplayName("§9: a queue pair in RTR answers; the first packet raises COMM_EST, once")
    void readyToReceive() {
        try (Tape tape = new TapeSetup().upTo(QueuePairState.RTR).start()) {
            tape.receive(1, tape.at(0, 8)).in("SEND_ONLY psn=500 len=8 A");
            tape.out("ACK psn=500 syn=0x1f msn=1")
                    .receiveDone("1 SUCCESS RECV 8")
                    .events("COMM_EST");
            tape.in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        }
    }

    @Test
    @DisplayName("§1: packets with and without MigReq are taken, odd lengths are padded")
    void migrationBit() {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 va=0x10000 key=mr dma=5 len=5 A M=0").out("ACK psn=500 syn=0x1f msn=1");
            assertThat(tape.memory(0, 6)).startsWith(PacketText.payload(500, 5)).endsWith(0);
            tape.in("READ_REQUEST psn=501 va=0x10000 key=mr dma=5 A");
            tape.out("READ_RESPONSE_ONLY psn=501 syn=0x1f msn=2 len=5");
        }
    }

    @Test
    @DisplayName("§5: a link that takes nothing delays answers and loses none")
    void blockedLink() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(1)
                    .in("READ_REQUEST psn=500 va=0x10000 key=mr dma=512 A", "FETCH_ADD psn=502 va=0x10000 key=mr A");
            tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256");
            tape.linkTakes(9).run();
            tape.out("READ_RESPONSE_LAST psn=501 syn=0x1f msn=1 len=256", "ATOMIC_ACK psn=502 syn=0x1f msn=2 orig=0");
        }
    }
}
