package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** §5 and §8.3 at the requester: what acknowledgements and responses mean. */
class CompleterTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    private static Tape threeSends() {
        Tape tape = new Tape();
        tape.post(
                Send.of(1).signaled(),
                Send.of(2, tape.at(0, 257)).signaled(),
                Send.of(3).signaled());
        assertThat(tape.sent()).hasSize(4);
        return tape;
    }

    @Test
    @DisplayName("§5: an ACK acknowledges everything up to its PSN")
    void acknowledgesAllBefore() {
        try (Tape tape = threeSends()) {
            tape.in("ACK psn=101").sendDone("1 SUCCESS SEND 0");
            tape.in("ACK psn=103").sendDone("2 SUCCESS SEND 257", "3 SUCCESS SEND 0");
            assertThat(tape.engine.nextDeadlineNs()).isNotEqualTo(Long.MIN_VALUE);
        }
    }

    @ParameterizedTest
    @DisplayName("§5: ghosts, acknowledged before or never sent, complete nothing and harm nothing")
    @ValueSource(ints = {99, 100, 103, 104, 0x800000, 0xFFFFFF})
    void ghosts(int psn) {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2).signaled(), Send.of(3).signaled()).in("ACK psn=100");
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=" + psn, "ACK psn=" + psn + " syn=0x61", "READ_RESPONSE_ONLY psn=" + psn);
            tape.in("ATOMIC_ACK psn=" + psn, "ACK psn=" + psn + " syn=0x60", "ACK psn=" + psn + " syn=0x20");
            assertThat(tape.count(DropReason.GHOST_RESPONSE)).isEqualTo(6);
            tape.state(QueuePairState.RTS).nothingMore();
            tape.in("ACK psn=102").sendDone("2 SUCCESS SEND 0", "3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5: PSNs wrap at 2^24 for the requester too")
    void wrap() {
        try (Tape tape = new TapeSetup().psn(0xFFFFFF, 500).start()) {
            tape.post(Send.of(1, tape.at(0, 600)).signaled(), Send.of(2).signaled());
            tape.out(
                    "SEND_FIRST psn=16777215 len=256",
                    "SEND_MIDDLE psn=0 len=256",
                    "SEND_LAST psn=1 len=88 A",
                    "SEND_ONLY psn=2 A");
            tape.in("ACK psn=1")
                    .sendDone("1 SUCCESS SEND 600")
                    .in("ACK psn=0xffffff")
                    .in("ACK psn=2");
            tape.sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5: a READ response acknowledges all SENDs before it")
    void readAcknowledges() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1).signaled(),
                    RdmaRead.of(2, tape.at(0, 300)).from(VA, KEY).signaled(),
                    Send.of(3).signaled());
            assertThat(tape.sent()).hasSize(3);
            tape.in("READ_RESPONSE_FIRST psn=101 len=256").sendDone("1 SUCCESS SEND 0");
            tape.in("READ_RESPONSE_LAST psn=102 len=44").sendDone("2 SUCCESS RDMA_READ 300");
            assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(101, 256));
            assertThat(tape.memory(256, 44)).isEqualTo(PacketText.payload(102, 44));
            tape.in("ACK psn=103").sendDone("3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5: an ACK beyond a READ completes what is before it and asks for the READ again")
    void impliedNak() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1).signaled(),
                    RdmaRead.of(2, tape.at(0, 300)).from(VA, KEY).signaled(),
                    Send.of(3).signaled());
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=103").sendDone("1 SUCCESS SEND 0");
            tape.out("READ_REQUEST psn=101 va=0x8000 key=0xabcd dma=300 A", "SEND_ONLY psn=103 A");
            assertThat(tape.count(Counter.IMPLIED_NAK_SEQUENCE_ERROR)).isEqualTo(1);
            // One rollback for each retry.
            tape.in("ACK psn=103", "ACK psn=102").out();
            tape.in("READ_RESPONSE_FIRST psn=101 len=256", "READ_RESPONSE_LAST psn=102 len=44", "ACK psn=103");
            tape.sendDone("2 SUCCESS RDMA_READ 300", "3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.3: a response ahead of the next expected one is an implied NAK: READ again from the missing PSN")
    void missingResponse() {
        try (Tape tape = new Tape()) {
            tape.post(RdmaRead.of(1, tape.at(0, 1000)).from(VA, KEY).signaled());
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=1000 A");
            tape.in("READ_RESPONSE_FIRST psn=100 len=256", "READ_RESPONSE_MIDDLE psn=102 len=256");
            tape.out("READ_REQUEST psn=101 va=0x8100 key=0xabcd dma=744 A");
            tape.in("READ_RESPONSE_LAST psn=103 len=232").out();
            tape.in(
                    "READ_RESPONSE_FIRST psn=101 len=256",
                    "READ_RESPONSE_MIDDLE psn=102 len=256",
                    "READ_RESPONSE_LAST psn=103 len=232");
            tape.sendDone("1 SUCCESS RDMA_READ 1000");
            assertThat(tape.memory(256, 256)).isEqualTo(PacketText.payload(101, 256));
        }
    }

    @Test
    @DisplayName("§6.3: a lost atomic result is asked for again with the same PSN")
    void missingAtomic() {
        try (Tape tape = new Tape()) {
            tape.post(
                    FetchAndAdd.of(1, tape.at(0, 8), 1).at(VA, KEY).signaled(),
                    FetchAndAdd.of(2, tape.at(8, 8), 1).at(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(2);
            tape.in("ATOMIC_ACK psn=101 orig=9");
            tape.out(
                    "FETCH_ADD psn=100 va=0x8000 key=0xabcd add=1 A", "FETCH_ADD psn=101 va=0x8000 key=0xabcd add=1 A");
            tape.in("ATOMIC_ACK psn=100 orig=8", "ATOMIC_ACK psn=101 orig=9");
            tape.sendDone("1 SUCCESS FETCH_ADD 8", "2 SUCCESS FETCH_ADD 8");
        }
    }

    @ParameterizedTest
    @DisplayName("§8.3: a fatal NAK completes what is before it, fails its request by name, and flushes the rest")
    @CsvSource({"0x61,REM_INV_REQ_ERR", "0x62,REM_ACCESS_ERR", "0x63,REM_OP_ERR", "0x64,REM_INV_RD_REQ_ERR"})
    void fatalNaks(String syndrome, String status) {
        try (Tape tape = threeSends()) {
            tape.in("ACK psn=101 syn=" + syndrome);
            tape.sendDone("1 SUCCESS SEND 0", "2 " + status, "3 WR_FLUSH_ERR").state(QueuePairState.ERR);
            assertThat(tape.history(tape.sendQueue).get(1).vendorError()).isEqualTo(Integer.decode(syndrome));
            assertThat(tape.history(tape.sendQueue).get(1).cause()).contains("SEND of 257 bytes");
            assertThat(tape.history(tape.sendQueue).get(2).cause()).contains(status);
        }
    }

    @ParameterizedTest
    @DisplayName("§4.1, §8.3: reserved syndromes are dropped and counted")
    @ValueSource(strings = {"0x40", "0x5f", "0x65", "0x7f", "0x80", "0xff"})
    void reservedSyndromes(String syndrome) {
        try (Tape tape = threeSends()) {
            tape.in("ACK psn=103 syn=" + syndrome).state(QueuePairState.RTS);
            assertThat(tape.count(DropReason.RESERVED_SYNDROME)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @DisplayName("§8.2: a response that is not the answer to its request is BAD_RESP_ERR")
    @ValueSource(
            strings = {
                "READ_RESPONSE_MIDDLE psn=100 len=256",
                "READ_RESPONSE_ONLY psn=100 len=256",
                "READ_RESPONSE_FIRST psn=100 len=255",
                "READ_RESPONSE_ONLY psn=100",
                "ATOMIC_ACK psn=100 orig=1"
            })
    void badResponses(String line) {
        try (Tape tape = new Tape()) {
            tape.post(RdmaRead.of(1, tape.at(0, 300)).from(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(1);
            tape.in(line).sendDone("1 BAD_RESP_ERR").state(QueuePairState.ERR);
            assertThat(tape.memory(0, 256)).containsOnly(0);
        }
    }

    @Test
    @DisplayName("§8.2: a READ response to an atomic is BAD_RESP_ERR; to a SEND it acknowledges nothing of it")
    void otherKinds() {
        try (Tape tape = new Tape()) {
            tape.post(FetchAndAdd.of(1, tape.at(0, 8), 1).at(VA, KEY).signaled());
            assertThat(tape.sent()).hasSize(1);
            tape.in("READ_RESPONSE_ONLY psn=100 len=8").sendDone("1 BAD_RESP_ERR");
        }
        try (Tape tape = threeSends()) {
            tape.in("READ_RESPONSE_ONLY psn=101").sendDone("1 SUCCESS SEND 0", "2 BAD_RESP_ERR", "3 WR_FLUSH_ERR");
        }
    }

    @Test
    @DisplayName("§8.2: the sink of a READ or atomic is checked when the data come")
    void sinks() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaRead.of(1, tape.at(0, 8)).from(VA, KEY),
                    FetchAndAdd.of(2, tape.at(8, 8), 1).at(VA, KEY));
            assertThat(tape.sent()).hasSize(2);
            tape.region.close();
            tape.in("READ_RESPONSE_ONLY psn=100 len=8").sendDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("names no memory region");
        }
    }
}
