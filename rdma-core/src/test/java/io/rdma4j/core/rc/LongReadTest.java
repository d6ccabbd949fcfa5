package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §5, §6.1: a READ above 256 KiB goes out as several requests that together are one message. */
class LongReadTest {
    private static final int LENGTH = 600 << 10;

    private static MemoryRegion sink(Tape tape) {
        return tape.register("sink", ByteBuffer.allocateDirect(LENGTH), 0x100000, AccessFlag.LOCAL_WRITE);
    }

    private static void answer(Tape tape, int first, int last, int bytes, String ends) {
        for (int psn = first; psn <= last; psn++) {
            String place = psn == first && ends.contains("F")
                    ? "FIRST"
                    : psn == last && ends.contains("L") ? "LAST" : "MIDDLE";
            tape.in("READ_RESPONSE_" + place + " psn=" + psn + " len=" + bytes);
        }
    }

    @Test
    @DisplayName("§5: consecutive PSNs, each request with its own FIRST to LAST, one completion")
    void split() {
        try (Tape tape = new TapeSetup().mtu(PathMtu.MTU_4096).start()) {
            MemoryRegion sink = sink(tape);
            tape.post(
                    RdmaRead.of(1, sink.all()).from(0x8000, 7).signaled(),
                    Send.of(2).signaled());
            tape.out(
                    "READ_REQUEST psn=100 va=0x8000 key=0x7 dma=262144 A",
                    "READ_REQUEST psn=164 va=0x48000 key=0x7 dma=262144 A",
                    "READ_REQUEST psn=228 va=0x88000 key=0x7 dma=90112 A",
                    "SEND_ONLY psn=250 A");
            answer(tape, 100, 163, 4096, "FL");
            answer(tape, 164, 227, 4096, "FL");
            answer(tape, 228, 249, 4096, "FL");
            tape.sendDone("1 SUCCESS RDMA_READ " + LENGTH).in("ACK psn=250").sendDone("2 SUCCESS SEND 0");
            sink.close();
        }
    }

    @Test
    @DisplayName("§6.1(4): each request takes one place of max_rd_atomic")
    void placesOfReadAtomic() {
        try (Tape tape = new TapeSetup().mtu(PathMtu.MTU_4096).readAtomic(2, 0).start()) {
            MemoryRegion sink = sink(tape);
            tape.post(RdmaRead.of(1, sink.all()).from(0x8000, 7).signaled());
            assertThat(tape.sent()).hasSize(2);
            answer(tape, 100, 162, 4096, "F");
            tape.out().in("READ_RESPONSE_LAST psn=163 len=4096");
            tape.out("READ_REQUEST psn=228 va=0x88000 key=0x7 dma=90112 A");
            sink.close();
        }
    }

    @Test
    @DisplayName("§7.4: a repetition stays within one of the first requests, though the peer's budget has changed")
    void repetitionKeepsBoundaries() {
        try (Tape tape = new Tape()) {
            MemoryRegion sink = sink(tape);
            tape.post(RdmaRead.of(1, sink.slice(0, 400 * 256)).from(0x8000, 7).signaled());
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0x7 dma=65536 A");
            answer(tape, 100, 249, 256, "F");
            tape.out("READ_REQUEST psn=356 va=0x18000 key=0x7 dma=36864 A");
            tape.in("READ_RESPONSE_MIDDLE psn=251 len=256");
            tape.out("READ_REQUEST psn=250 va=0x11600 key=0x7 dma=27136 A");
            answer(tape, 250, 355, 256, "FL");
            tape.out("READ_REQUEST psn=356 va=0x18000 key=0x7 dma=36864 A");
            answer(tape, 356, 499, 256, "FL");
            tape.sendDone("1 SUCCESS RDMA_READ " + 400 * 256);
            sink.close();
        }
    }

    @Test
    @DisplayName("§5: the responder answers in bounded quanta and in order")
    void longAnswer() {
        try (Tape tape = new Tape()) {
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=65536 A", "WRITE_ONLY psn=756 A");
            assertThat(tape.sent())
                    .hasSize(257)
                    .startsWith("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256")
                    .endsWith("READ_RESPONSE_LAST psn=755 syn=0x1f msn=1 len=256", "ACK psn=756 syn=0x1f msn=2");
        }
    }
}
