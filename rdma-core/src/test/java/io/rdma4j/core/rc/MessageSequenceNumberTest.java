package io.rdma4j.core.rc;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §4.1: what the MSN in an AETH counts. */
class MessageSequenceNumberTest {
    @Test
    @DisplayName("§4.1: SEND and WRITE count when their last packet is executed")
    void messages() {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 600));
            tape.in("WRITE_FIRST psn=500 va=0x10000 key=mr dma=300 len=256 A").out("ACK psn=500 syn=0x1f msn=0");
            tape.in("WRITE_LAST psn=501 len=44 A").out("ACK psn=501 syn=0x1f msn=1");
            tape.in("SEND_FIRST psn=502 len=256 A").out("ACK psn=502 syn=0x1f msn=1");
            tape.in("SEND_MIDDLE psn=503 len=256 A").out("ACK psn=503 syn=0x1f msn=1");
            tape.in("SEND_LAST psn=504 len=1 A").out("ACK psn=504 syn=0x1f msn=2");
            tape.receiveDone("1 SUCCESS RECV 513");
        }
    }

    @Test
    @DisplayName("§4.1: READs and atomics count when the request is executed, before they are answered")
    void readsAndAtomics() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A",
                    "FETCH_ADD psn=502 va=0x10000 key=mr add=1 A",
                    "WRITE_ONLY psn=503 A");
            tape.linkTakes(9).run();
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=501 syn=0x1f msn=1 len=44",
                    "ATOMIC_ACK psn=502 syn=0x1f msn=2 orig=0",
                    "ACK psn=503 syn=0x1f msn=3");
        }
    }

    @Test
    @DisplayName("§4.1: refused requests and duplicates do not count; NAKs carry the count")
    void refusals() {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.in("SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x2c msn=1");
            tape.in("WRITE_ONLY psn=500 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.receive(1).in("SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x1f msn=2");
            tape.receiveDone("1 SUCCESS RECV 0");
            tape.in("WRITE_ONLY psn=503 A").out("ACK psn=502 syn=0x60 msn=2");
            tape.in("WRITE_ONLY psn=502 va=0 key=0 dma=1 len=1 A").out("ACK psn=502 syn=0x62 msn=2");
            tape.events("QP_ACCESS_ERR");
        }
    }

    @Test
    @DisplayName("§4.1: the count starts at 0 with each INIT to RTR")
    void startsAnew() {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.qp.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RESET).build());
            new TapeSetup().connect(tape.qp);
            tape.in("WRITE_ONLY psn=500 A").out("ACK psn=500 syn=0x1f msn=1");
        }
    }
}
