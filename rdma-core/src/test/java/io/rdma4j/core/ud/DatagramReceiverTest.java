package io.rdma4j.core.ud;

import static io.rdma4j.core.ud.DatagramTape.QKEY;
import static io.rdma4j.core.ud.DatagramTape.line;
import static io.rdma4j.core.ud.DatagramTape.toPeer;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** §14, §8.4: what a datagram queue pair makes of what arrives. */
class DatagramReceiverTest {
    private static final int ROUTE = 40;

    @Test
    @DisplayName(
            "§3, §14: the route comes first: 20 bytes 0 and the IPv4 header; byte_len counts 40 more; src_qp and GRH")
    void received() {
        try (Tape tape = DatagramTape.start()) {
            for (int i = 0; i < 200; i++) {
                tape.bytes.put(i, (byte) 0xEE);
            }
            tape.receive(1, tape.at(0, 200)).in("UD_SEND_ONLY psn=7 qkey=0x12345678 src=77 len=33");
            tape.receiveDone("1 SUCCESS RECV 73").out();
            WorkCompletion done = tape.history(tape.receiveQueue).get(0);
            assertThat(done.flags()).isEqualTo(WorkCompletion.FLAG_GRH);
            assertThat(done.sourceQueuePair()).isEqualTo(77);
            assertThat(done.queuePairNumber()).isEqualTo(tape.qp.number());
            // total length: 20 of IPv4, 8 of UDP, 12 of BTH, 8 of DETH, 33 and 3 of pad, 4 of ICRC
            assertThat(HexFormat.of().formatHex(tape.memory(0, ROUTE)))
                    .isEqualTo("00".repeat(20) + "45000058000040004011b691c0000202c0000201");
            assertThat(tape.memory(ROUTE, 33)).isEqualTo(PacketText.payload(7, 33));
            assertThat(tape.memory(ROUTE + 33, 100)).containsOnly(0xEE);
        }
    }

    @Test
    @DisplayName("§14, §20: immediate data, and a message of nothing but it; any PSN will do")
    void immediate() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 200)).receive(2, tape.at(0, ROUTE)).receive(3, tape.at(0, ROUTE));
            tape.in(
                    "UD_SEND_ONLY_WITH_IMMEDIATE psn=900 qkey=0x12345678 src=8 imm=0xabcd len=64 SE",
                    "UD_SEND_ONLY_WITH_IMMEDIATE psn=1 qkey=0x12345678 src=9 imm=0x1",
                    "UD_SEND_ONLY psn=1 qkey=0x12345678 src=9");
            tape.receiveDone("1 SUCCESS RECV 104 imm=0xabcd", "2 SUCCESS RECV 40 imm=0x1", "3 SUCCESS RECV 40");
            assertThat(tape.history(tape.receiveQueue))
                    .extracting(WorkCompletion::flags)
                    .containsExactly(
                            WorkCompletion.FLAG_GRH | WorkCompletion.FLAG_WITH_IMMEDIATE,
                            WorkCompletion.FLAG_GRH | WorkCompletion.FLAG_WITH_IMMEDIATE,
                            WorkCompletion.FLAG_GRH);
        }
    }

    @Test
    @DisplayName("§14: route and payload run over the elements of the receive as one")
    void scattered() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(1000, 12), tape.at(2000, 30), tape.at(3000, 0), tape.at(4000, 50));
            tape.in("UD_SEND_ONLY psn=3 qkey=0x12345678 len=10").receiveDone("1 SUCCESS RECV 50");
            byte[] payload = PacketText.payload(3, 10);
            assertThat(tape.memory(2008, 1)).as("byte 20 of the route").containsExactly(0x45);
            assertThat(tape.memory(2028, 2)).isEqualTo(Arrays.copyOf(payload, 2));
            assertThat(tape.memory(4000, 8)).isEqualTo(Arrays.copyOfRange(payload, 2, 10));
            assertThat(tape.memory(4008, 42)).containsOnly(0);
        }
    }

    @Test
    @DisplayName("§7.1, §8.4: a datagram with another Q_Key is dropped and counted; it takes no receive")
    void wrongQkey() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 200)).in("UD_SEND_ONLY qkey=0x1235", "UD_SEND_ONLY qkey=0x80001234");
            tape.receiveDone();
            assertThat(tape.count(DropReason.BAD_QKEY)).isEqualTo(2);
            tape.in("UD_SEND_ONLY qkey=0x12345678").receiveDone("1 SUCCESS RECV 40");
        }
    }

    @Test
    @DisplayName("§8.4: without a receive a datagram is dropped and counted; nobody hears of it")
    void noReceive() {
        try (Tape tape = DatagramTape.start()) {
            tape.in("UD_SEND_ONLY qkey=0x12345678 len=3").out();
            assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
            tape.receive(1, tape.at(0, 99))
                    .in("UD_SEND_ONLY qkey=0x12345678 len=2")
                    .receiveDone("1 SUCCESS RECV 42");
        }
    }

    @Test
    @DisplayName("§8.4, bug/38: a receive that is too small ends with LOC_LEN_ERR, and the queue pair goes on")
    void tooSmall() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 39)).receive(2, tape.at(0, 40)).receive(3, tape.at(0, 50));
            tape.receive(4).receive(5, tape.at(0, 200));
            for (int i = 0; i < 5; i++) {
                tape.in("UD_SEND_ONLY psn=1 qkey=0x12345678 len=100");
            }
            tape.receiveDone("1 LOC_LEN_ERR", "2 LOC_LEN_ERR", "3 LOC_LEN_ERR", "4 LOC_LEN_ERR", "5 SUCCESS RECV 140");
            assertThat(tape.history(tape.receiveQueue).get(2).cause()).contains("100 bytes", "receive of 50");
            tape.state(QueuePairState.RTS).events();
        }
    }

    @Test
    @DisplayName("§8.4: of a receive that is too small not a byte is touched")
    void tooSmallTouchesNothing() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 139)).in("UD_SEND_ONLY psn=1 qkey=0x12345678 len=100");
            tape.receiveDone("1 LOC_LEN_ERR");
            assertThat(tape.memory(0, 139)).containsOnly(0);
        }
    }

    @Test
    @DisplayName("bug/39: a receive longer than its region is taken as long as the bytes that are written lie inside")
    void longerThanItsRegion() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, new ScatterGatherElement(Tape.BASE, Tape.REGION_BYTES + 100, tape.region.localKey()));
            tape.in("UD_SEND_ONLY psn=1 qkey=0x12345678 len=100").receiveDone("1 SUCCESS RECV 140");
        }
    }

    @ParameterizedTest
    @DisplayName("§8.1: a receive whose element is bad is this program's own fault: LOC_PROT_ERR, and ERR")
    @CsvSource({"0x10000,1", "0x1ffd8,0", "0x1ff00,1"})
    void badReceive(String address, int keyDamage) {
        try (Tape tape = DatagramTape.start()) {
            int key = tape.region.localKey() ^ keyDamage;
            tape.receive(1, new ScatterGatherElement(Long.decode(address), 200, key))
                    .receive(2);
            tape.in("UD_SEND_ONLY psn=1 qkey=0x12345678 len=100");
            tape.receiveDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR")
                    .state(QueuePairState.ERR)
                    .out();
        }
    }

    @Test
    @DisplayName("§11.1: a receive needs LOCAL_WRITE, for the route too")
    void readOnlyReceive() {
        try (Tape tape = DatagramTape.start();
                MemoryRegion readable =
                        tape.register("r", ByteBuffer.allocateDirect(64), 0x90000, AccessFlag.REMOTE_READ)) {
            tape.receive(1, readable.slice(0, 64)).in("UD_SEND_ONLY psn=1 qkey=0x12345678");
            tape.receiveDone("1 LOC_PROT_ERR").state(QueuePairState.ERR);
        }
    }

    @ParameterizedTest
    @DisplayName("§8.4, §7.1: packets of connections are dropped on a datagram queue pair")
    @ValueSource(strings = {"SEND_ONLY psn=1 len=3", "WRITE_ONLY psn=1", "ACK psn=1", "UC_SEND_ONLY psn=1 len=3"})
    void ofAnotherTransport(String line) {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 200)).in(line).out().receiveDone().state(QueuePairState.RTS);
            assertThat(tape.count(DropReason.WRONG_TRANSPORT)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§8.4, §7.1: datagrams are dropped on a connection")
    void onAConnection() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 200))
                    .in("UD_SEND_ONLY psn=500 qkey=0")
                    .out()
                    .receiveDone();
            assertThat(tape.count(DropReason.WRONG_TRANSPORT)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§2: a reserved opcode of UD is dropped and counted")
    void reservedOpcode() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 200)).in("0x66 psn=1 len=8").out().receiveDone();
            assertThat(tape.count(DropReason.UNKNOWN_OPCODE)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§7.1: another P_Key, or another address of ours, is dropped and counted; membership does not matter")
    void doors() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 200)).receive(2, tape.at(0, 200));
            tape.in("UD_SEND_ONLY psn=1 qkey=0x12345678 pkey=0x9234");
            assertThat(tape.count(DropReason.BAD_PKEY)).isEqualTo(1);
            tape.inFrom(Tape.PEER, Gid.parse("192.0.2.99"), 0, "UD_SEND_ONLY psn=1 qkey=0x12345678");
            assertThat(tape.count(DropReason.WRONG_DESTINATION)).isEqualTo(1);
            tape.receiveDone()
                    .in("UD_SEND_ONLY psn=1 qkey=0x12345678 pkey=0x7fff")
                    .receiveDone("1 SUCCESS RECV 40");
            tape.inFrom(Gid.parse("192.0.2.55"), Tape.HERE, 0, "UD_SEND_ONLY psn=1 qkey=0x12345678");
            tape.receiveDone("2 SUCCESS RECV 40");
            assertThat(tape.memory(32, 4)).as("the sender").isEqualTo(new byte[] {(byte) 192, 0, 2, 55});
        }
    }

    @ParameterizedTest
    @DisplayName("§9: datagrams are taken in RTR and RTS, and dropped before; receives of INIT are used")
    @CsvSource({"INIT,false", "RTR,true", "RTS,true"})
    void states(QueuePairState state, boolean takes) {
        try (Tape tape = DatagramTape.setup().upTo(state).start()) {
            tape.receive(1, tape.at(0, 200))
                    .in("UD_SEND_ONLY psn=1 qkey=0x12345678")
                    .events();
            tape.receiveDone(takes ? new String[] {"1 SUCCESS RECV 40"} : new String[0]);
            assertThat(tape.count(DropReason.WRONG_STATE)).isEqualTo(takes ? 0 : 1);
        }
    }

    @Test
    @DisplayName("§14: local loopback: what a queue pair sends to itself arrives as from anywhere else")
    void toItself() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.receive(1, tape.at(0, 200));
            tape.post(Send.inline(2, new byte[] {1, 2, 3, 4}).to(way, tape.qp.number(), QKEY));
            tape.out(line(tape, 100, " len=4 qp=" + tape.qp.number()));
            String back = String.format("UD_SEND_ONLY psn=100 qkey=0x12345678 src=%d len=4", tape.qp.number());
            tape.inFrom(Tape.HERE, Tape.HERE, 0, back).receiveDone("1 SUCCESS RECV 44");
            assertThat(tape.history(tape.receiveQueue).get(0).sourceQueuePair()).isEqualTo(tape.qp.number());
        }
    }
}
