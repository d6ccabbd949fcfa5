package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of no bytes (§6.1(10), §7.2(5)): one packet each, and neither key nor address is looked at. */
class ZeroLengthTest {
    private static final ScatterGatherElement[] NONE = {};
    private static final ScatterGatherElement[] NOWHERE = {new ScatterGatherElement(0, 0, 0)};
    private static final ScatterGatherElement[] MANY = {
        new ScatterGatherElement(-1, 0, -1), new ScatterGatherElement(0, 0, 0), new ScatterGatherElement(7, 0, 0xBEEF)
    };

    static Stream<List<ScatterGatherElement>> elements() {
        return Stream.of(NONE, NOWHERE, MANY).map(List::of);
    }

    @ParameterizedTest
    @DisplayName("bug/40: every operation without elements, and with elements of length 0 and no key")
    @MethodSource("elements")
    void requester(List<ScatterGatherElement> nothing) {
        ScatterGatherElement[] none = nothing.toArray(ScatterGatherElement[]::new);
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1, none).signaled(),
                    SendWithImmediate.of(2, 9, none).signaled(),
                    SendWithInvalidate.of(3, 8, none).signaled(),
                    RdmaWrite.of(4, none).to(0, 0).signaled(),
                    RdmaWriteWithImmediate.of(5, 7, none).to(0, 0).signaled(),
                    RdmaRead.of(6, none).from(0, 0).signaled());
            tape.out(
                    "SEND_ONLY psn=100 A",
                    "SEND_ONLY_WITH_IMMEDIATE psn=101 imm=0x9 A",
                    "SEND_ONLY_WITH_INVALIDATE psn=102 inv=0x8 A",
                    "WRITE_ONLY psn=103 va=0x0 key=0x0 dma=0 A",
                    "WRITE_ONLY_WITH_IMMEDIATE psn=104 va=0x0 key=0x0 dma=0 imm=0x7 A",
                    "READ_REQUEST psn=105 va=0x0 key=0x0 dma=0 A");
            tape.in("ACK psn=104", "READ_RESPONSE_ONLY psn=105");
            tape.sendDone(
                    "1 SUCCESS SEND 0",
                    "2 SUCCESS SEND 0",
                    "3 SUCCESS SEND 0",
                    "4 SUCCESS RDMA_WRITE 0",
                    "5 SUCCESS RDMA_WRITE 0",
                    "6 SUCCESS RDMA_READ 0");
        }
    }

    @ParameterizedTest
    @DisplayName("bug/40: a receive without elements, or with elements of length 0, takes an empty message")
    @MethodSource("elements")
    void receives(List<ScatterGatherElement> nothing) {
        ScatterGatherElement[] none = nothing.toArray(ScatterGatherElement[]::new);
        try (Tape tape = new Tape()) {
            tape.receive(1, none).receive(2, none).receive(3, none);
            tape.in(
                    "SEND_ONLY psn=500",
                    "SEND_ONLY_WITH_IMMEDIATE psn=501 imm=3",
                    "WRITE_ONLY_WITH_IMMEDIATE psn=502 imm=4 A");
            tape.out("ACK psn=502 syn=0x1f msn=3");
            tape.receiveDone("1 SUCCESS RECV 0", "2 SUCCESS RECV 0 imm=0x3", "3 SUCCESS RECV_RDMA_WITH_IMM 0 imm=0x4");
        }
    }

    @ParameterizedTest
    @DisplayName("bug/40: a receive of no bytes refuses a message of one byte")
    @MethodSource("elements")
    void receivesNothing(List<ScatterGatherElement> nothing) {
        ScatterGatherElement[] none = nothing.toArray(ScatterGatherElement[]::new);
        try (Tape tape = new Tape()) {
            tape.receive(1, none).in("SEND_ONLY psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
            tape.receiveDone("1 LOC_LEN_ERR").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName(
            "bug/40: an empty WRITE with rkey 0 completes after the WRITEs before it, so it can be used to flush them")
    void flushes() {
        try (Tape tape = new Tape()) {
            tape.post(
                    RdmaWrite.of(1, tape.at(0, 300)).to(0x8000, 5),
                    RdmaWrite.of(2).to(0, 0).signaled());
            assertThat(tape.sent()).hasSize(3).last().isEqualTo("WRITE_ONLY psn=102 va=0x0 key=0x0 dma=0 A");
            tape.in("ACK psn=101").sendDone().in("ACK psn=102").sendDone("2 SUCCESS RDMA_WRITE 0");
        }
    }

    @ParameterizedTest
    @DisplayName("bug/40: at the responder an empty message comes in its place between others")
    @ValueSource(strings = {"WRITE_ONLY psn=501 A", "READ_REQUEST psn=501 A"})
    void inOrder(String empty) {
        try (Tape tape = new Tape()) {
            tape.in("WRITE_ONLY psn=500 va=0x10000 key=mr dma=4 len=4", empty);
            tape.in("WRITE_ONLY psn=502 va=0x10004 key=mr dma=4 len=4 A");
            assertThat(tape.sent()).last().isEqualTo("ACK psn=502 syn=0x1f msn=3");
            assertThat(tape.memory(4, 4)).isEqualTo(PacketText.payload(502, 4));
        }
    }
}
