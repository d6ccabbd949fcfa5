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
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §5: 24-bit PSNs, windows of half their space, and the wrap, at either side. */
class WindowTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;
    private static final long TIMEOUT = 4096L << 14;

    private static Tape nearWrap() {
        return new TapeSetup().psn(0xFFFFFE, 0xFFFFFE).start();
    }

    private static RdmaRead read(Tape tape, long id, long length) {
        return RdmaRead.of(id, tape.at(0, length)).from(VA, KEY).signaled();
    }

    @Test
    @DisplayName("§5: no more than 2^23 PSNs outstanding: a WRITE of that many waits until nothing else is")
    void halfTheSpaceIsTheMost() {
        try (Tape tape = new Tape()) {
            ScatterGatherElement half = new ScatterGatherElement(Tape.BASE, 1L << 30, tape.region.localKey());
            tape.post(Send.of(1), Send.of(2), RdmaWrite.of(3, half, half).to(VA, KEY));
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A")
                    .in("ACK psn=100")
                    .out()
                    .in("ACK psn=101");
            assertThat(tape.sent())
                    .first()
                    .isEqualTo("WRITE_FIRST psn=102 va=0x8000 key=0xabcd dma=2147483648 len=256");
        }
        try (Tape tape = new Tape()) {
            ScatterGatherElement half = new ScatterGatherElement(Tape.BASE, 1L << 30, tape.region.localKey());
            ScatterGatherElement rest = new ScatterGatherElement(Tape.BASE, (1L << 30) - 256, tape.region.localKey());
            tape.post(Send.of(1), RdmaWrite.of(2, half, rest).to(VA, KEY));
            assertThat(tape.sent()).as("2^23 in all").hasSizeGreaterThan(2);
        }
    }

    @Test
    @DisplayName("§5: a READ's responses use its PSNs across the wrap, and the next request starts behind them")
    void readAcrossTheWrap() {
        try (Tape tape = nearWrap()) {
            tape.post(read(tape, 1, 1000), Send.of(2).signaled());
            tape.out("READ_REQUEST psn=16777214 va=0x8000 key=0xabcd dma=1000 A", "SEND_ONLY psn=2 A");
            tape.in("READ_RESPONSE_FIRST psn=0xfffffe len=256", "READ_RESPONSE_MIDDLE psn=0xffffff len=256");
            tape.in("READ_RESPONSE_MIDDLE psn=0 len=256").sendDone();
            tape.in("READ_RESPONSE_LAST psn=1 len=232").sendDone("1 SUCCESS RDMA_READ 1000");
            assertThat(tape.memory(512, 256)).isEqualTo(PacketText.payload(0, 256));
            tape.in("ACK psn=2").sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5, §6.3: a READ resumed behind the wrap asks for the rest only")
    void readResumedBehindTheWrap() {
        try (Tape tape = nearWrap()) {
            tape.post(read(tape, 1, 1000));
            assertThat(tape.sent()).hasSize(1);
            tape.in("READ_RESPONSE_FIRST psn=0xfffffe len=256", "READ_RESPONSE_MIDDLE psn=0xffffff len=256");
            tape.in("READ_RESPONSE_LAST psn=1 len=232").out("READ_REQUEST psn=0 va=0x8200 key=0xabcd dma=488 A");
            tape.in("READ_RESPONSE_FIRST psn=0 len=256", "READ_RESPONSE_LAST psn=1 len=232");
            tape.sendDone("1 SUCCESS RDMA_READ 1000");
        }
    }

    @Test
    @DisplayName("§5, §6.3: NAK, rollback and late ACK across the wrap")
    void rollbackAcrossTheWrap() {
        try (Tape tape = nearWrap()) {
            tape.post(RdmaWrite.of(1, tape.at(0, 1000)).to(VA, KEY), Send.of(2).signaled());
            assertThat(tape.sent()).hasSize(5);
            tape.in("ACK psn=0xffffff syn=0x60");
            tape.out(
                    "WRITE_MIDDLE psn=16777215 len=256",
                    "WRITE_MIDDLE psn=0 len=256",
                    "WRITE_LAST psn=1 len=232 A",
                    "SEND_ONLY psn=2 A");
            tape.linkTakes(0).elapse(TIMEOUT).in("ACK psn=0").linkTakes(9).run();
            tape.out("WRITE_LAST psn=1 len=232 A", "SEND_ONLY psn=2 A");
            tape.in("ACK psn=2").sendDone("2 SUCCESS SEND 0");
        }
    }

    @ParameterizedTest
    @DisplayName("§5: ghosts on either side of a window that holds the wrap")
    @ValueSource(ints = {0xFFFFFD, 0xFFFFFE, 2, 3, 0x7FFFFE, 0x7FFFFF, 0x800000})
    void ghostsAroundTheWrap(int psn) {
        try (Tape tape = nearWrap()) {
            tape.post(Send.of(1), Send.of(2), Send.of(3), Send.of(4).signaled());
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=0xfffffe");
            tape.in("ACK psn=" + psn, "ACK psn=" + psn + " syn=0x62", "READ_RESPONSE_ONLY psn=" + psn);
            assertThat(tape.count(DropReason.GHOST_RESPONSE)).isEqualTo(3);
            tape.state(QueuePairState.RTS).in("ACK psn=1").sendDone("4 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§5: an RNR NAK and an atomic's result just behind the wrap")
    void othersAcrossTheWrap() {
        try (Tape tape = new TapeSetup().psn(0xFFFFFF, 0).start()) {
            tape.post(Send.of(1), Send.of(2).signaled());
            assertThat(tape.sent()).hasSize(2);
            tape.in("ACK psn=0 syn=0x21").elapse(10 * Tape.US).out("SEND_ONLY psn=0 A");
            tape.post(FetchAndAdd.of(3, tape.at(0, 8), 1).at(VA, KEY).signaled());
            tape.out("FETCH_ADD psn=1 va=0x8000 key=0xabcd add=1 A");
            tape.in("ATOMIC_ACK psn=1 orig=7").sendDone("2 SUCCESS SEND 0", "3 SUCCESS FETCH_ADD 8");
        }
    }

    @Test
    @DisplayName("§5, §7.4: a READ across the wrap is answered, and repeated from behind it")
    void responderAcrossTheWrap() {
        try (Tape tape = nearWrap()) {
            tape.in(
                    "READ_REQUEST psn=0xfffffe va=0x10000 key=mr dma=1000 A",
                    "WRITE_ONLY psn=2 va=0x11000 key=mr dma=4 len=4 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=16777214 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_MIDDLE psn=16777215 len=256",
                    "READ_RESPONSE_MIDDLE psn=0 len=256",
                    "READ_RESPONSE_LAST psn=1 syn=0x1f msn=1 len=232",
                    "ACK psn=2 syn=0x1f msn=2");
            tape.in("READ_REQUEST psn=0 va=0x10200 key=mr dma=488 A");
            tape.out(
                    "READ_RESPONSE_FIRST psn=0 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=1 syn=0x1f msn=1 len=232");
            tape.in("READ_REQUEST psn=0xffffff va=0x10100 key=mr dma=256 A");
            tape.out("READ_RESPONSE_ONLY psn=16777215 syn=0x1f msn=1 len=256");
        }
    }

    @ParameterizedTest
    @DisplayName("§5: at the responder 2^23 back is a duplicate, 2^23 - 1 ahead is a gap, wherever the wrap lies")
    @ValueSource(ints = {0, 1, 0x7FFFFF, 0x800000, 0xFFFFFF})
    void halfSpaceAtTheResponder(int expected) {
        try (Tape tape = new TapeSetup().psn(100, expected).start()) {
            int mask = 0xFFFFFF;
            tape.in("WRITE_ONLY psn=" + (expected - 0x800000 & mask) + " A");
            tape.out("ACK psn=" + (expected - 1 & mask) + " syn=0x1f msn=0");
            tape.in("WRITE_ONLY psn=" + (expected + 0x7FFFFF & mask) + " A");
            tape.out("ACK psn=" + expected + " syn=0x60 msn=0");
            assertThat(tape.count(Counter.DUPLICATE_REQUEST)).isEqualTo(1);
            assertThat(tape.count(Counter.OUT_OF_SEQUENCE)).isEqualTo(1);
        }
    }
}
