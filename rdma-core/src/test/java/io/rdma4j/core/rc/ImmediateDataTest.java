package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SEND and WRITE with immediate data (§2, §7.2(3)): the last packet carries it, and a receive shows it. */
class ImmediateDataTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    @Test
    @DisplayName("§2: the last packet of a message carries the immediate data, in network order")
    void sentPackets() {
        try (Tape tape = new Tape()) {
            tape.post(
                    SendWithImmediate.of(1, 0x01020304, tape.at(0, 600)),
                    SendWithImmediate.of(2, -1, tape.at(0, 256)),
                    RdmaWriteWithImmediate.of(3, 7, tape.at(0, 257)).to(VA, KEY),
                    RdmaWriteWithImmediate.of(4, 0x80000000, tape.at(0, 9))
                            .to(VA, KEY)
                            .signaled());
            tape.out(
                    "SEND_FIRST psn=100 len=256",
                    "SEND_MIDDLE psn=101 len=256",
                    "SEND_LAST_WITH_IMMEDIATE psn=102 imm=0x1020304 len=88 A",
                    "SEND_ONLY_WITH_IMMEDIATE psn=103 imm=0xffffffff len=256 A",
                    "WRITE_FIRST psn=104 va=0x8000 key=0xabcd dma=257 len=256",
                    "WRITE_LAST_WITH_IMMEDIATE psn=105 imm=0x7 len=1 A",
                    "WRITE_ONLY_WITH_IMMEDIATE psn=106 va=0x8000 key=0xabcd dma=9 imm=0x80000000 len=9 A");
            tape.in("ACK psn=106").sendDone("4 SUCCESS RDMA_WRITE 9");
        }
    }

    @Test
    @DisplayName("§6.1(3), §6.1(10): solicited and fenced, and without any bytes")
    void flags() {
        try (Tape tape = new Tape()) {
            tape.post(
                    SendWithImmediate.of(1, 5, tape.at(0, 300))
                            .solicited()
                            .fenced()
                            .signaled(),
                    RdmaWriteWithImmediate.of(2, 6, tape.at(0, 300)).to(VA, KEY).solicited(),
                    SendWithImmediate.of(3, 7).solicited(),
                    RdmaWriteWithImmediate.of(4, 8).to(0, 0).solicited().signaled());
            tape.out(
                    "SEND_FIRST psn=100 len=256",
                    "SEND_LAST_WITH_IMMEDIATE psn=101 imm=0x5 len=44 A SE",
                    "WRITE_FIRST psn=102 va=0x8000 key=0xabcd dma=300 len=256",
                    "WRITE_LAST_WITH_IMMEDIATE psn=103 imm=0x6 len=44 A SE",
                    "SEND_ONLY_WITH_IMMEDIATE psn=104 imm=0x7 A SE",
                    "WRITE_ONLY_WITH_IMMEDIATE psn=105 va=0x0 key=0x0 dma=0 imm=0x8 A SE");
            tape.in("ACK psn=105").sendDone("1 SUCCESS SEND 300", "4 SUCCESS RDMA_WRITE 0");
        }
    }

    @Test
    @DisplayName("§6.3: a message is resumed at the packet with the immediate data after an RNR NAK for it")
    void resumedAtTheLastPacket() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaWriteWithImmediate.of(1, 9, tape.at(0, 600)).to(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=102 syn=0x21").out(); // 0.01 ms
            tape.elapse(10 * Tape.US).out("WRITE_LAST_WITH_IMMEDIATE psn=102 imm=0x9 len=88 A");
            tape.in("ACK psn=102").sendDone("1 SUCCESS RDMA_WRITE 600");
        }
    }

    @Test
    @DisplayName("§7.2(3), §20: a SEND's immediate data in its receive, in host order, with its flag")
    void receivedSends() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 600)).receive(2).receive(3, tape.at(0, 1));
            tape.in("SEND_FIRST psn=500 len=256", "SEND_LAST_WITH_IMMEDIATE psn=501 imm=0x1020304 len=4 A");
            tape.in("SEND_ONLY_WITH_IMMEDIATE psn=502 imm=0xffffffff A", "SEND_ONLY psn=503 len=1 A");
            tape.out("ACK psn=501 syn=0x1f msn=1", "ACK psn=503 syn=0x1f msn=3");
            tape.receiveDone("1 SUCCESS RECV 260 imm=0x1020304", "2 SUCCESS RECV 0 imm=0xffffffff", "3 SUCCESS RECV 1");
            assertThat(tape.history(tape.receiveQueue))
                    .extracting(WorkCompletion::flags)
                    .containsExactly(WorkCompletion.FLAG_WITH_IMMEDIATE, WorkCompletion.FLAG_WITH_IMMEDIATE, 0);
        }
    }

    @Test
    @DisplayName(
            "§7.2(3), §20: a WRITE takes its receive at the packet with the immediate data, and tells its whole length")
    void receivedWrites() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0x1000, 64)).receive(2).receive(3, tape.at(0x1000, 64));
            tape.in("WRITE_FIRST psn=500 va=0x10000 key=mr dma=600 len=256", "WRITE_MIDDLE psn=501 len=256");
            tape.receiveDone().in("WRITE_LAST_WITH_IMMEDIATE psn=502 imm=0x77 len=88 A");
            tape.out("ACK psn=502 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 600 imm=0x77");
            tape.in("WRITE_ONLY_WITH_IMMEDIATE psn=503 va=0x10400 key=mr dma=3 imm=0x78 len=3 A");
            tape.in("WRITE_ONLY psn=504 va=0x10500 key=mr dma=3 len=3 A");
            tape.in("WRITE_ONLY_WITH_IMMEDIATE psn=505 va=0xdead key=0xbeef dma=0 imm=0 A");
            tape.receiveDone("2 SUCCESS RECV_RDMA_WITH_IMM 3 imm=0x78", "3 SUCCESS RECV_RDMA_WITH_IMM 0 imm=0x0");
            assertThat(tape.sent()).hasSize(3);
            assertThat(tape.memory(512, 88)).isEqualTo(PacketText.payload(502, 88));
            assertThat(tape.memory(0x400, 3)).isEqualTo(PacketText.payload(503, 3));
            assertThat(tape.memory(0x1000, 64)).as("the receive's own memory").containsOnly(0);
        }
    }

    @Test
    @DisplayName("§7.2(3), §7.5: no receive for the last packet of a WRITE: RNR there, the message is not begun again")
    void receiverNotReadyWithinTheMessage() {
        try (Tape tape = new Tape()) {
            tape.in(
                    "WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256",
                    "WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x5 len=44 A",
                    "SEND_ONLY psn=502 A");
            tape.out("ACK psn=501 syn=0x2c msn=0").receiveDone();
            assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(500, 256));
            assertThat(tape.memory(256, 44)).as("of the refused packet").containsOnly(0);
            tape.receive(1).receive(2).in("WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x5 len=44 A", "SEND_ONLY psn=502 A");
            tape.out("ACK psn=502 syn=0x1f msn=2");
            tape.receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 300 imm=0x5", "2 SUCCESS RECV 0");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(3), §7.5: no receive for a message of one packet: RNR, and not a byte is placed")
    @ValueSource(
            strings = {
                "SEND_ONLY_WITH_IMMEDIATE psn=500 imm=1 len=4",
                "WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0x10000 key=mr dma=4 imm=1 len=4",
                "WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0xdead key=0xbeef dma=4 imm=1 len=4",
                "WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0x10000 key=mr dma=5 imm=1 len=4"
            })
    void receiverNotReady(String line) {
        try (Tape tape = new Tape()) {
            tape.in(line).out("ACK psn=500 syn=0x2c msn=0").state(QueuePairState.RTS);
            assertThat(tape.memory(0, 8)).containsOnly(0);
        }
    }

    @Test
    @DisplayName("§7.2(2): a WRITE that the queue pair does not allow is refused before a receive is looked for")
    void accessFlagsBeforeResources() {
        try (Tape tape = new TapeSetup().access(AccessFlag.REMOTE_READ).start()) {
            tape.receive(1).in("WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0x10000 key=mr dma=4 imm=1 len=4");
            tape.out("ACK psn=500 syn=0x61 msn=0").events("QP_REQ_ERR").receiveDone("1 WR_FLUSH_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§8.1: R_Key bad on WRITE w/ imm: the receive that it has taken completes with LOC_ACCESS_ERR")
    @ValueSource(strings = {"va=0x10000 key=0", "va=0x1fffd key=mr", "va=0x10000 key=readable"})
    void badKeyOnTheOnlyPacket(String target) {
        try (Tape tape = new Tape()) {
            MemoryRegion readable =
                    tape.register("readable", ByteBuffer.allocateDirect(64), Tape.BASE, AccessFlag.REMOTE_READ);
            tape.receive(1).receive(2);
            tape.in("WRITE_ONLY_WITH_IMMEDIATE psn=500 " + target + " dma=4 imm=1 len=4");
            tape.out("ACK psn=500 syn=0x62 msn=0").events().state(QueuePairState.ERR);
            tape.receiveDone("1 LOC_ACCESS_ERR", "2 WR_FLUSH_ERR");
            readable.close();
        }
    }

    @Test
    @DisplayName("§8.1: R_Key bad on WRITE w/ imm, told by its first packet: an event, and no receive is taken")
    void badKeyOnTheFirstPacket() {
        try (Tape tape = new Tape()) {
            tape.receive(1).in("WRITE_FIRST psn=500 va=0x10000 key=0 dma=300 len=256");
            tape.in("WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x5 len=44 A");
            tape.out("ACK psn=500 syn=0x62 msn=0").events("QP_ACCESS_ERR");
            tape.receiveDone("1 WR_FLUSH_ERR").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§8.1, §11.1: a region that goes before the packet with the immediate data")
    void regionGoesWithinTheMessage() {
        try (Tape tape = new Tape()) {
            MemoryRegion region = tape.register(
                    "wr", ByteBuffer.allocateDirect(999), 0x40000, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            tape.receive(1).in("WRITE_FIRST psn=500 va=0x40000 key=wr dma=300 len=256");
            region.close();
            tape.in("WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x5 len=44 A");
            tape.out("ACK psn=501 syn=0x62 msn=0").events().receiveDone("1 LOC_ACCESS_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4), §8.1: a wrong length with the immediate data: the receive completes with the error")
    @CsvSource({"43,0x61", "45,0x61", "0,0x61"})
    void residualLength(int bytes, String syndrome) {
        try (Tape tape = new Tape()) {
            tape.receive(1).in("WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256");
            tape.in("WRITE_LAST_WITH_IMMEDIATE psn=501 imm=0x5 A len=" + bytes);
            tape.out("ACK psn=501 syn=" + syndrome + " msn=0").events().receiveDone("1 REM_INV_REQ_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(1): immediate data does not change the kind of a message")
    @CsvSource({
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256, SEND_LAST_WITH_IMMEDIATE psn=501 len=44",
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256, WRITE_ONLY_WITH_IMMEDIATE psn=501",
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256, SEND_LAST_WITH_INVALIDATE psn=501 len=44",
        "WRITE_ONLY psn=500, WRITE_LAST_WITH_IMMEDIATE psn=501 len=44",
        "WRITE_ONLY psn=500, SEND_LAST_WITH_IMMEDIATE psn=501 len=44"
    })
    void opcodeSequence(String before, String line) {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 999)).in(before, line);
            tape.receiveDone("1 WR_FLUSH_ERR").events("QP_REQ_ERR").state(QueuePairState.ERR);
            assertThat(tape.sent()).singleElement().asString().startsWith("ACK psn=501 syn=0x61");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.4: a duplicate is acknowledged again; it takes no receive and writes nothing")
    @ValueSource(
            strings = {
                "WRITE_ONLY_WITH_IMMEDIATE psn=500 va=0x10000 key=mr dma=4 imm=1 len=4 A",
                "SEND_ONLY_WITH_IMMEDIATE psn=500 imm=1 len=4 A"
            })
    void duplicates(String line) {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 4)).in(line).out("ACK psn=500 syn=0x1f msn=1");
            tape.forget();
            tape.bytes.putInt(0, 0);
            tape.in(line, line).out("ACK psn=500 syn=0x1f msn=1").receiveDone();
            assertThat(tape.memory(0, 4)).containsOnly(0);
            tape.receive(2).in("SEND_ONLY psn=501").receiveDone("2 SUCCESS RECV 0");
        }
    }

    @Test
    @DisplayName("§4.1: the MSN counts each message once, with immediate data or without")
    void messageNumbers() {
        try (Tape tape = new Tape()) {
            tape.receive(1).receive(2);
            tape.in("WRITE_ONLY_WITH_IMMEDIATE psn=500 imm=1", "SEND_ONLY_WITH_IMMEDIATE psn=501 imm=2");
            tape.in("WRITE_ONLY psn=502 A").out("ACK psn=502 syn=0x1f msn=3");
            tape.receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 0 imm=0x1", "2 SUCCESS RECV 0 imm=0x2");
        }
    }

    @Test
    @DisplayName("§8.3: a NAK names the operation it refused, with its remote memory")
    void causes() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaWriteWithImmediate.of(1, 9, tape.at(0, 6)).to(VA, KEY),
                    RdmaWrite.of(2).to(VA, KEY),
                    Send.of(3));
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=100 syn=0x62").sendDone("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(0).cause())
                    .contains("RDMA_WRITE_WITH_IMMEDIATE of 6 bytes at 0x8000 with rkey 0x0000abcd");
        }
    }
}
