package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ScatterGatherElement;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** §7.2 and §8.1: what a responder refuses, with which NAK, completion and event. */
class ErrorTableTest {
    /** The refusal of a request that had consumed no receive. */
    private static void refused(Tape tape, int psn, String syndrome, int msn, String event) {
        tape.out("ACK psn=" + psn + " syn=" + syndrome + " msn=" + msn)
                .events(event)
                .state(QueuePairState.ERR);
        tape.receiveDone()
                .in("SEND_ONLY psn=" + psn + " len=1 A", "ACK psn=100")
                .out();
    }

    @ParameterizedTest
    @DisplayName("§7.2(1): MIDDLE and LAST need a message of their kind, FIRST and ONLY need none")
    @ValueSource(
            strings = {
                "SEND_MIDDLE psn=500 len=256",
                "SEND_LAST psn=500 len=1",
                "WRITE_MIDDLE psn=500 len=256",
                "WRITE_LAST psn=500 len=1"
            })
    void opcodeSequence(String line) {
        try (Tape tape = new Tape()) {
            tape.in(line);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(1), §8.1: within a SEND its receive completes with the error, without an event")
    @ValueSource(
            strings = {
                "WRITE_MIDDLE psn=501 len=256",
                "WRITE_ONLY psn=501",
                "SEND_ONLY psn=501",
                "SEND_FIRST psn=501 len=256",
                "READ_REQUEST psn=501 va=0x10000 key=mr dma=1",
                "FETCH_ADD psn=501 va=0x10000 key=mr",
                "0x15 psn=501"
            })
    void opcodeSequenceWithinSend(String line) {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 999)).receive(2).in("SEND_FIRST psn=500 len=256", line);
            tape.out("ACK psn=501 syn=0x61 msn=0").receiveDone("1 REM_INV_REQ_ERR", "2 WR_FLUSH_ERR");
            tape.events().state(QueuePairState.ERR);
        }
    }

    @ParameterizedTest
    @DisplayName("§2: a reserved opcode of RC at the expected PSN is an invalid request, elsewhere nothing")
    @ValueSource(strings = {"0x15", "0x18", "0x1b", "0x1e", "0x1f"})
    void reservedOpcodes(String code) {
        try (Tape tape = new Tape()) {
            tape.in(code + " psn=501", code + " psn=499").out().state(QueuePairState.RTS);
            assertThat(tape.count(DropReason.UNKNOWN_OPCODE)).isEqualTo(2);
            tape.in(code + " psn=500");
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§2: an operation this device does not offer is an invalid request")
    @ValueSource(strings = {"FLUSH psn=500", "ATOMIC_WRITE psn=500 va=0x10000 key=mr dma=8 len=8"})
    void unsupported(String line) {
        try (Tape tape = new Tape()) {
            tape.in(line);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(2): an operation that the queue pair's access flags do not allow")
    @ValueSource(
            strings = {
                "WRITE_ONLY psn=500 va=0x10000 key=mr dma=1 len=1",
                "WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256",
                "READ_REQUEST psn=500 va=0x10000 key=mr dma=1",
                "READ_REQUEST psn=500 va=0x10000 key=0 dma=0",
                "FETCH_ADD psn=500 va=0x10000 key=mr",
                "COMPARE_SWAP psn=500 va=0x10000 key=mr"
            })
    void accessFlags(String line) {
        try (Tape tape = new TapeSetup().access().start()) {
            tape.in(line);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(3): with max_dest_rd_atomic 0 no READ and no atomic")
    @ValueSource(strings = {"READ_REQUEST psn=500", "FETCH_ADD psn=500 va=0x10000 key=mr"})
    void noResources(String line) {
        try (Tape tape = new TapeSetup().readAtomic(4, 0).start()) {
            tape.in(line);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @Test
    @DisplayName(
            "§7.2(3): more unanswered READs and atomics than max_dest_rd_atomic; those within it are answered first")
    void tooManyOutstanding() {
        try (Tape tape = new TapeSetup().readAtomic(4, 2).start()) {
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A",
                    "FETCH_ADD psn=502 va=0x10000 key=mr add=1 A",
                    "FETCH_ADD psn=503 va=0x10000 key=mr add=1 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=501 syn=0x1f msn=1 len=44",
                    "ATOMIC_ACK psn=502 syn=0x1f msn=2 orig=0",
                    "ACK psn=503 syn=0x61 msn=2");
            tape.events("QP_REQ_ERR").state(QueuePairState.ERR);
            assertThat(tape.memory(0, 1)).containsExactly(1);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4): wrong lengths")
    @CsvSource({
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=600 len=255",
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=256 len=256",
        "WRITE_ONLY psn=500 va=0x10000 key=mr dma=2 len=1",
        "WRITE_ONLY psn=500 va=0x10000 key=mr dma=1 len=2",
        "WRITE_ONLY psn=500 va=0x10000 key=mr dma=257 len=257",
        "WRITE_ONLY psn=500 va=0x10000 key=mr dma=0x80000001 len=1",
        "READ_REQUEST psn=500 va=0x10000 key=mr dma=0x80000001"
    })
    void lengths(String line) {
        try (Tape tape = new Tape()) {
            tape.in(line);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
            assertThat(tape.memory(0, 256)).containsOnly(0);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4): a WRITE carries exactly what its RETH says")
    @ValueSource(
            strings = {
                "WRITE_LAST psn=501 len=99",
                "WRITE_LAST psn=501 len=101",
                "WRITE_MIDDLE psn=501 len=256",
                "WRITE_LAST psn=501"
            })
    void residualLength(String line) {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_FIRST psn=500 va=0x10000 key=mr dma=356 len=256", line);
            refused(tape, 501, "0x61", 0, "QP_REQ_ERR");
            assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(500, 256));
            assertThat(tape.memory(256, 100)).containsOnly(0);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(4), §8.1: wrong lengths of a SEND complete its receive")
    @ValueSource(strings = {"SEND_FIRST psn=500 len=255", "SEND_FIRST psn=500 len=257", "SEND_ONLY psn=500 len=257"})
    void sendLengths(String line) {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 999)).in(line);
            tape.out("ACK psn=500 syn=0x61 msn=0")
                    .receiveDone("1 REM_INV_REQ_ERR")
                    .events();
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(5), §8.1: keys, rights and ranges")
    @ValueSource(
            strings = {
                "WRITE_ONLY psn=500 va=0x10000 key=0 dma=1 len=1",
                "WRITE_ONLY psn=500 va=0x10000 key=readable dma=1 len=1",
                "WRITE_ONLY psn=500 va=0xffff key=mr dma=1 len=1",
                "WRITE_ONLY psn=500 va=0x1ffff key=mr dma=2 len=2",
                "WRITE_FIRST psn=500 va=0x1ff00 key=mr dma=257 len=256",
                "WRITE_ONLY psn=500 va=0xffffffffffffffff key=mr dma=2 len=2",
                "READ_REQUEST psn=500 va=0x20000 key=writable dma=1",
                "READ_REQUEST psn=500 va=0x1ff00 key=mr dma=0x80000000",
                "FETCH_ADD psn=500 va=0x20000 key=writable",
                "FETCH_ADD psn=500 va=0x20000 key=mr",
                "COMPARE_SWAP psn=500 va=0x10000 key=foreign"
            })
    void remoteAccess(String line) {
        try (Tape tape = new Tape()) {
            MemoryRegion readable =
                    tape.register("readable", ByteBuffer.allocateDirect(64), Tape.BASE, AccessFlag.REMOTE_READ);
            MemoryRegion writable = tape.register(
                    "writable",
                    ByteBuffer.allocateDirect(64),
                    0x20000,
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE);
            tape.in(line.replace("foreign", "0x" + Integer.toHexString(tape.region.remoteKey() ^ 1)));
            refused(tape, 500, "0x62", 0, "QP_ACCESS_ERR");
            assertThat(tape.count(Counter.REMOTE_ACCESS_ERROR_SENT)).isEqualTo(1);
            readable.close();
            writable.close();
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(5): length 0 needs no key")
    @CsvSource({"WRITE_ONLY,ACK psn=500 syn=0x1f msn=1", "READ_REQUEST,READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1"})
    void lengthZero(String operation, String answer) {
        try (Tape tape = new Tape()) {
            tape.in(operation + " psn=500 va=0xdead key=0xbeef dma=0 A")
                    .out(answer)
                    .state(QueuePairState.RTS);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(7): an atomic's alignment is checked before its key")
    @ValueSource(strings = {"va=0x10001 key=mr", "va=0x10004 key=0", "va=0xdead0007 key=0xbeef"})
    void unalignedAtomic(String target) {
        try (Tape tape = new Tape()) {
            tape.in("FETCH_ADD psn=500 " + target);
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
    }

    @Test
    @DisplayName("§7.2: the opcode sequence is checked before anything else, the flags before the key")
    void order() {
        try (Tape tape = new TapeSetup().access(AccessFlag.REMOTE_READ).start()) {
            tape.in("WRITE_ONLY psn=500 va=0xdead key=0xbeef dma=9 len=1");
            refused(tape, 500, "0x61", 0, "QP_REQ_ERR");
        }
        try (Tape tape = new Tape()) {
            // No receive, and a length that is wrong: resources come first.
            tape.in("SEND_ONLY psn=500 len=257")
                    .out("ACK psn=500 syn=0x2c msn=0")
                    .state(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§7.2(6): a SEND longer than its receive: both sides learn it; what fitted is placed")
    void receiveTooShort() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 300)).receive(2, tape.at(600, 8));
            tape.in("SEND_FIRST psn=500 len=256", "SEND_LAST psn=501 len=45 A");
            tape.out("ACK psn=501 syn=0x61 msn=0")
                    .receiveDone("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR")
                    .events();
            assertThat(tape.memory(256, 45)).containsOnly(0);
        }
    }

    @ParameterizedTest
    @DisplayName("§7.2(6): a receive element that is not writable memory of this domain")
    @ValueSource(strings = {"key", "right", "domain", "range", "gone"})
    void receiveProtection(String what) {
        try (Tape tape = new Tape()) {
            MemoryRegion readable = tape.register("readable", ByteBuffer.allocateDirect(64), 0x20000);
            MemoryRegion gone = tape.register("gone", ByteBuffer.allocateDirect(64), 0x30000, AccessFlag.LOCAL_WRITE);
            var otherDomain = tape.device.allocateProtectionDomain();
            MemoryRegion other = otherDomain.registerMemory(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
            ScatterGatherElement bad = switch (what) {
                case "key" -> new ScatterGatherElement(Tape.BASE, 64, 0xBEEF);
                case "right" -> readable.all();
                case "domain" -> other.all();
                case "range" -> new ScatterGatherElement(Tape.BASE - 1, 64, tape.region.localKey());
                default -> gone.all();
            };
            gone.close();
            tape.receive(1, tape.at(0, 1), bad).receive(2).in("SEND_ONLY psn=500 len=1 A");
            // An element that is not touched is not looked at.
            tape.out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 1");
            tape.in("SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x1f msn=2").receiveDone("2 SUCCESS RECV 0");
            tape.receive(3, tape.at(0, 1), bad).in("SEND_ONLY psn=502 len=9 A").out("ACK psn=502 syn=0x63 msn=2");
            tape.receiveDone("3 LOC_PROT_ERR").events().state(QueuePairState.ERR);
            readable.close();
            other.close();
            otherDomain.close();
        }
    }

    @Test
    @DisplayName("§11.1: a region that goes in the middle of a WRITE ends it with an access error")
    void regionGoesDuringWrite() {
        try (Tape tape = new Tape()) {
            MemoryRegion region = tape.register(
                    "wr", ByteBuffer.allocateDirect(999), 0x40000, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            tape.in("WRITE_FIRST psn=500 va=0x40000 key=wr dma=300 len=256");
            region.close();
            tape.in("WRITE_LAST psn=501 len=44");
            refused(tape, 501, "0x62", 0, "QP_ACCESS_ERR");
        }
    }

    @Test
    @DisplayName("§11.1: a region that goes during a READ's answer: the NAK takes the place of the next response")
    void regionGoesDuringAnswer() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(1).in("READ_REQUEST psn=500 va=0x10000 key=mr dma=600 A", "WRITE_ONLY psn=503 A");
            tape.region.close();
            tape.linkTakes(9).run();
            tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256", "ACK psn=501 syn=0x62 msn=2");
            tape.events("QP_ACCESS_ERR").state(QueuePairState.ERR);
        }
    }
}
