package io.rdma4j.core.uc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.ScatterGatherElement;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** §5, §8.4, column UC: what is taken, what is dropped and with what it goes on. Never is anything answered. */
class UnreliableResponderTest {
    private static TapeSetup setup() {
        return new TapeSetup().type(QueuePairType.UC);
    }

    /** Nothing was taken, answered or reported, and a message that begins with {@code psn} is. */
    private static void goesOn(Tape tape, int psn) {
        tape.nothingMore().state(QueuePairState.RTS);
        tape.receive(99, tape.at(0, 8)).in("UC_SEND_ONLY psn=" + psn + " len=4");
        tape.out().events();
    }

    @Test
    @DisplayName("§14: SEND and WRITE, with immediate data and without, of one and of several packets")
    void everyKind() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 600))
                    .receive(2, tape.at(600, 8))
                    .receive(3)
                    .receive(4);
            tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_MIDDLE psn=501 len=256")
                    .receiveDone();
            tape.in("UC_SEND_LAST psn=502 len=5").receiveDone("1 SUCCESS RECV 517");
            assertThat(tape.memory(512, 5)).isEqualTo(PacketText.payload(502, 5));
            tape.in("UC_SEND_ONLY_WITH_IMMEDIATE psn=503 imm=0xcafe len=3").receiveDone("2 SUCCESS RECV 3 imm=0xcafe");
            tape.in(
                    "UC_RDMA_WRITE_FIRST psn=504 va=0x11000 key=mr dma=300 len=256",
                    "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE psn=505 imm=0x7 len=44");
            tape.receiveDone("3 SUCCESS RECV_RDMA_WITH_IMM 300 imm=0x7");
            assertThat(tape.memory(0x1100, 44)).isEqualTo(PacketText.payload(505, 44));
            tape.in("UC_RDMA_WRITE_ONLY psn=506 va=0x12000 key=mr dma=9 len=9").receiveDone();
            assertThat(tape.memory(0x2000, 9)).isEqualTo(PacketText.payload(506, 9));
            tape.in("UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=507 imm=0x8 SE")
                    .receiveDone("4 SUCCESS RECV_RDMA_WITH_IMM 0 imm=0x8");
        }
    }

    @Test
    @DisplayName("§5, §8.4: a gap drops the message in progress; its receive serves the next message that begins")
    void gapInTheMiddle() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 1000)).receive(2, tape.at(1000, 1000));
            tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_MIDDLE psn=502 len=256", "UC_SEND_LAST psn=503 len=1");
            tape.receiveDone();
            assertThat(tape.count(Counter.OUT_OF_SEQUENCE)).isEqualTo(1);
            assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(2);
            tape.in("UC_SEND_FIRST psn=504 len=256", "UC_SEND_LAST psn=505 len=2")
                    .receiveDone("1 SUCCESS RECV 258");
            assertThat(tape.memory(0, 258))
                    .startsWith(PacketText.payload(504, 256))
                    .endsWith(PacketText.payload(505, 2));
        }
    }

    @Test
    @DisplayName("§5: a message that begins after a gap is taken, and ends the one in progress")
    void gapBeforeABeginning() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 1000)).receive(2, tape.at(1000, 1000));
            tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_ONLY psn=502 len=3")
                    .receiveDone("1 SUCCESS RECV 3");
            assertThat(tape.memory(0, 3)).isEqualTo(PacketText.payload(502, 3));
            tape.in("UC_RDMA_WRITE_ONLY psn=510 va=0x11000 key=mr dma=4 len=4");
            assertThat(tape.memory(0x1000, 4)).isEqualTo(PacketText.payload(510, 4));
            tape.in("UC_SEND_ONLY psn=511").receiveDone("2 SUCCESS RECV 0");
        }
    }

    @Test
    @DisplayName("§5: what is behind the expected PSN is a duplicate and is dropped, as far back as half the space")
    void duplicates() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 8)).receive(2, tape.at(8, 8));
            tape.in("UC_SEND_ONLY psn=500 len=4").receiveDone("1 SUCCESS RECV 4");
            tape.in("UC_SEND_ONLY psn=500 len=4", "UC_SEND_ONLY psn=0x8001f5 len=4")
                    .receiveDone();
            assertThat(tape.count(DropReason.DUPLICATE_DROPPED)).isEqualTo(2);
            assertThat(tape.count(Counter.DUPLICATE_REQUEST)).isEqualTo(2);
            tape.in("UC_SEND_ONLY psn=501 len=4").receiveDone("2 SUCCESS RECV 4");
        }
    }

    @Test
    @DisplayName("§5: a duplicate in the middle of a message leaves it alone; PSNs wrap")
    void duplicateInTheMiddle() {
        try (Tape tape = setup().psn(100, 0xFFFFFF).start()) {
            tape.receive(1, tape.at(0, 1000));
            tape.in(
                    "UC_SEND_FIRST psn=0xffffff len=256",
                    "UC_SEND_FIRST psn=0xffffff len=256",
                    "UC_SEND_MIDDLE psn=0 len=256",
                    "UC_SEND_MIDDLE psn=0 len=256",
                    "UC_SEND_LAST psn=1 len=1");
            tape.receiveDone("1 SUCCESS RECV 513");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(1): in sequence but no part of the message in progress: dropped, and resynchronised")
    @CsvSource({
        "UC_SEND_MIDDLE psn=500 len=256",
        "UC_SEND_LAST psn=500 len=1",
        "UC_SEND_LAST_WITH_IMMEDIATE psn=500 len=1",
        "UC_RDMA_WRITE_MIDDLE psn=500 len=256",
        "UC_RDMA_WRITE_LAST psn=500 len=1",
        "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE psn=500 len=1"
    })
    void missingBeginning(String line) {
        try (Tape tape = setup().start()) {
            tape.in(line);
            assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(1);
            goesOn(tape, 501);
            tape.receiveDone("99 SUCCESS RECV 4");
        }
    }

    @Test
    @DisplayName("§7.2(1): a message of another kind, and a new one, end the one in progress")
    void anotherKind() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 1000));
            tape.in(
                    "UC_SEND_FIRST psn=500 len=256",
                    "UC_RDMA_WRITE_MIDDLE psn=501 len=256",
                    "UC_SEND_LAST psn=502 len=1");
            assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(2);
            tape.in("UC_SEND_FIRST psn=503 len=256", "UC_SEND_FIRST psn=504 len=256", "UC_SEND_LAST psn=505 len=1");
            tape.receiveDone("1 SUCCESS RECV 257");
            assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(504, 256));
        }
    }

    @Test
    @DisplayName("§8.4: no receive: the whole message is dropped, though one is posted in its middle")
    void noReceive() {
        try (Tape tape = setup().start()) {
            tape.in("UC_SEND_FIRST psn=500 len=256").receive(1, tape.at(0, 1000));
            tape.in("UC_SEND_MIDDLE psn=501 len=256", "UC_SEND_LAST psn=502 len=1")
                    .receiveDone();
            assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
            assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(2);
            tape.in("UC_SEND_ONLY psn=503 len=1").receiveDone("1 SUCCESS RECV 1");
        }
    }

    @Test
    @DisplayName("§8.4: a WRITE with immediate data that finds no receive: the bytes are placed, nobody is told")
    void noReceiveForImmediate() {
        try (Tape tape = setup().start()) {
            tape.in(
                    "UC_RDMA_WRITE_FIRST psn=500 va=0x11000 key=mr dma=260 len=256",
                    "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x7 len=4");
            assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
            assertThat(tape.memory(0x1000, 256)).isEqualTo(PacketText.payload(500, 256));
            goesOn(tape, 502);
            tape.receiveDone("99 SUCCESS RECV 4");
        }
    }

    @Test
    @DisplayName(
            "§8.4: a message longer than its receive is dropped, at its first packet or later; the receive is reused")
    void tooLong() {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 300));
            tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_MIDDLE psn=501 len=256", "UC_SEND_LAST psn=502 len=1");
            tape.in("UC_SEND_FIRST psn=503 len=256", "UC_SEND_LAST psn=504 len=45");
            assertThat(tape.count(DropReason.RECEIVE_TOO_SHORT)).isEqualTo(2);
            assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(1);
            tape.receiveDone().events().state(QueuePairState.RTS);
            tape.in("UC_SEND_FIRST psn=505 len=256", "UC_SEND_LAST psn=506 len=44")
                    .receiveDone("1 SUCCESS RECV 300");
        }
    }

    @ParameterizedTest
    @DisplayName("§8.4: a key that is none, a range or rights that it does not give: dropped, no NAK, no event")
    @CsvSource({
        "UC_RDMA_WRITE_ONLY psn=500 va=0x10000 key=0xbeef dma=4 len=4",
        "UC_RDMA_WRITE_ONLY psn=500 va=0x1fffd key=mr dma=4 len=4",
        "UC_RDMA_WRITE_ONLY psn=500 va=0x20000 key=readable dma=4 len=4",
        "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0x10000 key=0xbeef dma=4 len=4",
        "UC_RDMA_WRITE_FIRST psn=500 va=0x10000 key=0xbeef dma=260 len=256"
    })
    void badKey(String line) {
        try (Tape tape = setup().start()) {
            var readable = tape.register("readable", ByteBuffer.allocateDirect(64), 0x20000, AccessFlag.REMOTE_READ);
            tape.receive(1, tape.at(0, 64)).in(line).receiveDone();
            assertThat(tape.count(DropReason.BAD_REMOTE_KEY)).isEqualTo(1);
            assertThat(tape.memory(0, 4)).containsOnly(0);
            tape.in("UC_RDMA_WRITE_LAST psn=501 len=4").receiveDone().events();
            // The receive that a WRITE with immediate data had found is free again.
            tape.in("UC_SEND_ONLY psn=502 len=2")
                    .receiveDone("1 SUCCESS RECV 2")
                    .state(QueuePairState.RTS);
            readable.close();
        }
    }

    @Test
    @DisplayName("§8.4: a region that goes in the middle of a WRITE ends the message, and no more")
    void regionGoes() {
        try (Tape tape = setup().start()) {
            var gone = tape.register(
                    "gone", ByteBuffer.allocateDirect(600), 0x90000, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            tape.in("UC_RDMA_WRITE_FIRST psn=500 va=0x90000 key=gone dma=300 len=256");
            gone.close();
            tape.in("UC_RDMA_WRITE_LAST psn=501 len=44");
            assertThat(tape.count(DropReason.BAD_REMOTE_KEY)).isEqualTo(1);
            goesOn(tape, 502);
            tape.receiveDone("99 SUCCESS RECV 4");
        }
    }

    @Test
    @DisplayName("§7.2(2), §8.4: a WRITE that the access flags do not allow is dropped")
    void notAllowed() {
        try (Tape tape = setup().access(AccessFlag.REMOTE_READ).start()) {
            tape.in("UC_RDMA_WRITE_ONLY psn=500 va=0x10000 key=mr dma=4 len=4");
            assertThat(tape.count(DropReason.NOT_ALLOWED)).isEqualTo(1);
            assertThat(tape.memory(0, 4)).containsOnly(0);
            goesOn(tape, 501);
            tape.receiveDone("99 SUCCESS RECV 4");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4): lengths that do not fit the opcode or the RETH: dropped")
    @CsvSource({
        "UC_SEND_FIRST psn=500 len=255",
        "UC_SEND_ONLY psn=500 len=257",
        "UC_RDMA_WRITE_ONLY psn=500 va=0x10000 key=mr dma=5 len=4",
        "UC_RDMA_WRITE_ONLY psn=500 va=0x10000 key=mr dma=3 len=4",
        "UC_RDMA_WRITE_FIRST psn=500 va=0x10000 key=mr dma=256 len=256",
        "UC_RDMA_WRITE_FIRST psn=500 va=0x10000 key=mr dma=2147483649 len=256"
    })
    void lengths(String line) {
        try (Tape tape = setup().start()) {
            tape.receive(1, tape.at(0, 1000)).in(line).receiveDone();
            assertThat(tape.count(DropReason.BAD_LENGTH)).isEqualTo(1);
            tape.in("UC_SEND_ONLY psn=501 len=2")
                    .receiveDone("1 SUCCESS RECV 2")
                    .state(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§7.2(5): a WRITE of no bytes needs no key")
    void writeOfNothing() {
        try (Tape tape = setup().start()) {
            tape.receive(1).in("UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=500 key=0xbeef imm=0x1");
            tape.receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 0 imm=0x1");
        }
    }

    @Test
    @DisplayName(
            "§7.2(6): a receive whose own memory cannot be written ends with LOC_PROT_ERR, and the queue pair with it")
    void badReceive() {
        try (Tape tape = setup().start()) {
            tape.receive(1, new ScatterGatherElement(Tape.BASE, 64, 0xBEEF)).receive(2);
            tape.in("UC_SEND_ONLY psn=500 len=4").receiveDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
            tape.state(QueuePairState.ERR).events();
            assertThat(tape.history(tape.receiveQueue).get(0).cause()).contains("0x0000beef");
        }
    }

    @ParameterizedTest
    @DisplayName("§2, §7.1: reserved opcodes, and those of other services, are dropped even with the expected PSN")
    @CsvSource({
        "UNKNOWN_OPCODE, 0x2c psn=500",
        "UNKNOWN_OPCODE, 0x31 psn=500",
        "UNKNOWN_OPCODE, 0x36 psn=500",
        "WRONG_TRANSPORT, SEND_ONLY psn=500 len=4 A",
        "WRONG_TRANSPORT, READ_REQUEST psn=500 A",
        "WRONG_TRANSPORT, ACK psn=100",
        "WRONG_TRANSPORT, UD_SEND_ONLY psn=500 len=4"
    })
    void opcodes(DropReason reason, String line) {
        try (Tape tape = setup().start()) {
            tape.in(line);
            assertThat(tape.count(reason)).isEqualTo(1);
            goesOn(tape, 500);
            tape.receiveDone("99 SUCCESS RECV 4");
        }
    }

    @Test
    @DisplayName("§14: AckReq is not answered")
    void ackRequest() {
        try (Tape tape = setup().start()) {
            tape.receive(1).in("UC_SEND_ONLY psn=500 A").out().receiveDone("1 SUCCESS RECV 0");
            tape.in("UC_SEND_ONLY psn=501 A", "UC_SEND_ONLY psn=505 A").out();
        }
    }

    @Test
    @DisplayName("§9: the first packet in RTR raises COMM_EST, once, and is taken")
    void established() {
        try (Tape tape = setup().upTo(QueuePairState.RTR).start()) {
            tape.receive(1).receive(2).in("UC_SEND_ONLY psn=500").receiveDone("1 SUCCESS RECV 0");
            tape.events("COMM_EST").in("UC_SEND_ONLY psn=501").receiveDone("2 SUCCESS RECV 0");
        }
    }

    @ParameterizedTest
    @DisplayName("§9, §7.1: requests are taken in RTR, RTS, SQD and SQE, and in no other state")
    @EnumSource(
            value = QueuePairState.class,
            names = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"})
    void states(QueuePairState state) {
        boolean beyondRts = state.code() > QueuePairState.RTS.code();
        try (Tape tape = setup().upTo(beyondRts ? QueuePairState.RTS : state).start()) {
            if (state == QueuePairState.SQE) {
                tape.post(RdmaRead.of(1).from(0, 0));
            } else if (beyondRts) {
                tape.qp.modify(QueuePairAttributes.builder().state(state).build());
            }
            boolean posts = state != QueuePairState.RESET;
            if (posts) {
                tape.receive(1);
            }
            tape.forget();
            tape.state(state).in("UC_SEND_ONLY psn=500");
            boolean takes = posts && state != QueuePairState.INIT && state != QueuePairState.ERR;
            tape.receiveDone(takes ? new String[] {"1 SUCCESS RECV 0"} : new String[0]);
            assertThat(tape.count(DropReason.WRONG_STATE)).isEqualTo(takes ? 0 : 1);
            tape.forget();
        }
    }

    @Test
    @DisplayName("§10: a receive whose completion is lost ends the queue pair; still nothing is answered")
    void completionIsLost() {
        try (Tape tape = setup().completionEntries(1).start()) {
            tape.receive(1).receive(2).in("UC_SEND_ONLY psn=500", "UC_SEND_ONLY psn=501");
            tape.state(QueuePairState.ERR).events("CQ_ERR", "QP_FATAL").out().receiveDone("1 SUCCESS RECV 0");
        }
    }
}
