package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §6.1(9): requests that bring their bytes along instead of naming registered memory. */
class InlineDataTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 5 + 3);
        }
        return bytes;
    }

    @Test
    @DisplayName("§6.1(9): bytes are copied when posted; the program may overwrite them at once, and post again")
    void copiedAtPost() {
        try (Tape tape = new Tape()) {
            byte[] message = bytes(9);
            Send send = Send.inline(1, message).signaled();
            tape.linkTakes(0).post(send);
            Arrays.fill(message, (byte) 77);
            tape.qp.postSend(send);
            tape.linkTakes(9).run().out("SEND_ONLY psn=100 len=9 A", "SEND_ONLY psn=101 len=9 A");
            assertThat(tape.payload(1)).isEqualTo(bytes(9));
            assertThat(tape.payload(0)).containsOnly(77);
            tape.in("ACK psn=101").sendDone("1 SUCCESS SEND 9", "1 SUCCESS SEND 9");
        }
    }

    @Test
    @DisplayName("§6.1(9): every SEND and WRITE may be inline")
    void everyKind() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.inline(1, bytes(1)),
                    SendWithImmediate.inline(2, 5, bytes(2)),
                    SendWithInvalidate.inline(3, KEY, bytes(3)),
                    RdmaWrite.inline(4, bytes(4)).to(VA, KEY),
                    RdmaWriteWithImmediate.inline(5, 6, bytes(5)).to(VA, KEY).signaled());
            tape.out(
                    "SEND_ONLY psn=100 len=1 A",
                    "SEND_ONLY_WITH_IMMEDIATE psn=101 imm=0x5 len=2 A",
                    "SEND_ONLY_WITH_INVALIDATE psn=102 inv=0xabcd len=3 A",
                    "WRITE_ONLY psn=103 va=0x8000 key=0xabcd dma=4 len=4 A",
                    "WRITE_ONLY_WITH_IMMEDIATE psn=104 va=0x8000 key=0xabcd dma=5 imm=0x6 len=5 A");
            assertThat(tape.payload(0)).isEqualTo(bytes(5));
            tape.in("ACK psn=104").sendDone("5 SUCCESS RDMA_WRITE 5");
        }
    }

    @Test
    @DisplayName("§6.1(9), §2: inline data of several packets and several pieces")
    void severalPackets() {
        try (Tape tape = new TapeSetup()
                .inlineData(DeviceLimits.DEFAULT.max(DeviceLimit.MAX_INLINE_DATA))
                .start()) {
            byte[] message = bytes(600);
            ByteBuffer rest =
                    ByteBuffer.allocateDirect(500).put(message, 100, 500).flip();
            tape.post(RdmaWrite.inline(1, ByteBuffer.wrap(message, 0, 100), ByteBuffer.allocate(0), rest)
                    .to(VA, KEY)
                    .signaled());
            tape.out(
                    "WRITE_FIRST psn=100 va=0x8000 key=0xabcd dma=600 len=256",
                    "WRITE_MIDDLE psn=101 len=256",
                    "WRITE_LAST psn=102 len=88 A");
            assertThat(tape.payload(2)).isEqualTo(Arrays.copyOf(message, 256));
            assertThat(tape.payload(1)).isEqualTo(Arrays.copyOfRange(message, 256, 512));
            assertThat(tape.payload(0)).isEqualTo(Arrays.copyOfRange(message, 512, 600));
            tape.in("ACK psn=102").sendDone("1 SUCCESS RDMA_WRITE 600");
        }
    }

    @Test
    @DisplayName("§6.1(9), §6.3: a retransmission sends the bytes as they were posted")
    void retransmitted() {
        try (Tape tape = new TapeSetup().inlineData(300).start()) {
            byte[] message = bytes(300);
            tape.post(Send.inline(1, message).signaled());
            Arrays.fill(message, (byte) 0);
            tape.out("SEND_FIRST psn=100 len=256", "SEND_LAST psn=101 len=44 A");
            tape.in("ACK psn=100").in("ACK psn=101 syn=0x60").out("SEND_LAST psn=101 len=44 A");
            assertThat(tape.payload(0)).isEqualTo(Arrays.copyOfRange(bytes(300), 256, 300));
            tape.in("ACK psn=101").sendDone("1 SUCCESS SEND 300");
        }
    }

    @Test
    @DisplayName("§6.1(9): more than max_inline_data is EINVAL, and nothing is posted")
    void tooMuch() {
        try (Tape tape = new TapeSetup().inlineData(8).start()) {
            assertThatThrownBy(() -> tape.qp.postSend(Send.inline(1, bytes(9))))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                    .hasMessageContaining("9 bytes inline; max_inline_data is 8");
            assertThatThrownBy(() -> tape.qp.postSend(List.of(Send.inline(1, bytes(8)), Send.inline(2, bytes(9)))))
                    .isInstanceOfSatisfying(
                            PostException.class, e -> assertThat(e.index()).isEqualTo(1));
            tape.run().out("SEND_ONLY psn=100 len=8 A").in("ACK psn=100");
        }
    }

    @Test
    @DisplayName("§6.1(10): no inline bytes at all, even where max_inline_data is 0")
    void empty() {
        try (Tape tape = new TapeSetup().inlineData(0).start()) {
            tape.post(Send.inline(1), RdmaWrite.inline(2, new byte[0]).to(0, 0).signaled());
            tape.out("SEND_ONLY psn=100 A", "WRITE_ONLY psn=101 va=0x0 key=0x0 dma=0 A");
            tape.in("ACK psn=101").sendDone("2 SUCCESS RDMA_WRITE 0");
        }
    }

    @Test
    @DisplayName("§6.1(9): a slot that held inline data takes elements next, and the other way round")
    void slotsAreReused() {
        try (Tape tape = new TapeSetup().sendRequests(1).start()) {
            tape.bytes.put(0, (byte) 42);
            for (int round = 0; round < 3; round++) {
                tape.post(Send.inline(1, bytes(5)).signaled());
                assertThat(tape.payload(0)).isEqualTo(bytes(5));
                tape.in("ACK psn=" + (100 + 3 * round)).sendDone("1 SUCCESS SEND 5");
                tape.post(Send.of(2, tape.at(0, 1)).signaled());
                assertThat(tape.payload(0)).containsExactly(42);
                tape.in("ACK psn=" + (101 + 3 * round)).sendDone("2 SUCCESS SEND 1");
                tape.post(Send.of(3).signaled());
                assertThat(tape.payload(0)).isEmpty();
                tape.in("ACK psn=" + (102 + 3 * round)).sendDone("3 SUCCESS SEND 0");
            }
            assertThat(tape.sent()).hasSize(9);
        }
    }
}
