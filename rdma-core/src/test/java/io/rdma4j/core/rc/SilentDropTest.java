package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** §7.1: what is dropped without an answer or a change of state, counted by its reason; §7.5: RNR. */
class SilentDropTest {
    private static final Gid STRANGER = Gid.parse("::ffff:192.0.2.99");

    private static void dropped(Tape tape, DropReason reason) {
        assertThat(tape.count(reason)).as("%s", reason).isEqualTo(1);
        tape.nothingMore();
        // Nothing changed: the right packet is still the expected one.
        tape.receive(1, tape.at(0, 8)).in("SEND_ONLY psn=500 len=8 A");
        tape.out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 8");
    }

    @ParameterizedTest
    @DisplayName("§7.1: by reason")
    @CsvSource({
        "BAD_VERSION, SEND_ONLY psn=500 len=8 tver=1",
        "UNKNOWN_QP, SEND_ONLY psn=500 len=8 qp=0",
        "UNKNOWN_QP, SEND_ONLY psn=500 len=8 qp=1",
        "UNKNOWN_QP, SEND_ONLY psn=500 len=8 qp=0xffffff",
        "UNKNOWN_QP, 0x15 psn=500 qp=3",
        "WRONG_TRANSPORT, UC_SEND_ONLY psn=500 len=8",
        "WRONG_TRANSPORT, UD_SEND_ONLY psn=500 len=8",
        "WRONG_TRANSPORT, XRC_SEND_ONLY psn=500 len=8",
        "WRONG_TRANSPORT, CNP psn=500",
        "WRONG_TRANSPORT, 0x41 psn=500",
        "WRONG_TRANSPORT, 0xc4 psn=500",
        "BAD_PKEY, SEND_ONLY psn=500 len=8 pkey=0x8001",
        "LENGTH_MISMATCH, READ_REQUEST psn=500 len=4",
        "BAD_PAD, SEND_ONLY psn=500 len=8 pad=1",
        "BAD_PAD, SEND_ONLY psn=500 len=7 pad=3"
    })
    void reasons(DropReason reason, String line) {
        try (Tape tape = new Tape()) {
            tape.in(line);
            dropped(tape, reason);
        }
    }

    @Test
    @DisplayName("§7.1: a limited member of the partition is heard by a full member")
    void limitedMember() {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 A pkey=0x7fff").out("ACK psn=500 syn=0x1f msn=1");
        }
    }

    @Test
    @DisplayName("§7.1: damaged packets")
    void damaged() {
        try (Tape tape = new Tape()) {
            tape.inFrom(Tape.PEER, Tape.HERE, 0x00000100, "SEND_ONLY psn=500 len=8");
            dropped(tape, DropReason.BAD_ICRC);
        }
    }

    @Test
    @DisplayName("§7.1: not from the peer, or not to this address")
    void strangers() {
        try (Tape tape = new Tape()) {
            tape.inFrom(STRANGER, Tape.HERE, 0, "SEND_ONLY psn=500 len=8");
            tape.inFrom(Tape.PEER, STRANGER, 0, "SEND_ONLY psn=500 len=8");
            assertThat(tape.count(DropReason.WRONG_DESTINATION)).isEqualTo(1);
            dropped(tape, DropReason.WRONG_SOURCE);
        }
    }

    @Test
    @DisplayName("§7.1: shorter than BTH and ICRC, or than the opcode's headers")
    void tooShort() {
        try (Tape tape = new Tape()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(64);
            for (int length = 0; length < 16; length++) {
                tape.inRaw(bytes, 3, length);
            }
            assertThat(tape.count(DropReason.TOO_SHORT)).isEqualTo(16);
            bytes.put(0, (byte) 0x0C);
            tape.inRaw(bytes, 0, 28);
            assertThat(tape.count(DropReason.TOO_SHORT)).isEqualTo(17);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.1, §9: requests need RTR or RTS, responses RTS")
    @EnumSource(
            value = QueuePairState.class,
            names = {"RESET", "INIT", "RTR", "ERR"})
    void states(QueuePairState state) {
        QueuePairState connected = state == QueuePairState.ERR ? QueuePairState.RTS : state;
        try (Tape tape = new TapeSetup().upTo(connected).start()) {
            if (state == QueuePairState.ERR) {
                tape.qp.modify(new TapeSetup().attributes(state));
            }
            tape.in("ACK psn=100", "READ_RESPONSE_ONLY psn=100");
            assertThat(tape.count(DropReason.WRONG_STATE)).isEqualTo(2);
            if (state != QueuePairState.RTR) {
                tape.in("SEND_ONLY psn=500", "0x15 psn=500");
                assertThat(tape.count(DropReason.WRONG_STATE)).isEqualTo(4);
            }
        }
    }

    @Test
    @DisplayName("§8.1: a destroyed queue pair is silent")
    void destroyed() {
        Tape tape = new Tape();
        tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").qp.close();
        tape.in("SEND_ONLY psn=500 A", "ACK psn=100").elapse(1000 * Tape.MS).out();
        assertThat(tape.count(DropReason.UNKNOWN_QP)).isEqualTo(2);
        assertThat(tape.count(Counter.RECEIVED_PACKETS)).isEqualTo(2);
        tape.close();
    }

    @Test
    @DisplayName(
            "§7.5: no receive: one RNR NAK with its PSN and the queue pair's timer, then silence until it comes again")
    void receiverNotReady() {
        try (Tape tape = new Tape()) {
            tape.in("SEND_ONLY psn=500 len=8 A", "SEND_ONLY psn=501 len=8 A").out("ACK psn=500 syn=0x2c msn=0");
            tape.in("SEND_ONLY psn=502 len=8 A", "WRITE_ONLY psn=501 A").out();
            tape.in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x2c msn=0");
            tape.receive(1, tape.at(0, 8)).in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.receiveDone("1 SUCCESS RECV 8");
            assertThat(tape.count(Counter.RNR_NAK_SENT)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("§7.5, §7.3: an RNR NAK acknowledges what came before it; duplicates are served meanwhile")
    void receiverNotReadyAcknowledges() {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 A", "SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x2c msn=1");
            tape.in("WRITE_ONLY psn=500 A").out("ACK psn=500 syn=0x1f msn=1");
        }
    }

    @Test
    @DisplayName("§7.2(3): the receive is taken at FIRST; a message in progress needs none")
    void receiveIsTakenAtFirst() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 999)).in("SEND_FIRST psn=500 len=256");
            tape.in("SEND_LAST psn=501 len=1 A", "SEND_FIRST psn=502 len=256 A");
            tape.out("ACK psn=502 syn=0x2c msn=1").receiveDone("1 SUCCESS RECV 257");
        }
    }
}
