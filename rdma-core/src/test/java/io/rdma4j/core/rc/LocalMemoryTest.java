package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the elements of a request may point at (§8.2), and what is looked at of them. */
class LocalMemoryTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;
    private static final ScatterGatherElement BAD = new ScatterGatherElement(Tape.BASE, 8, 0xBEEF);

    /** Unsignaled requests with a local key that is none; the data of these are gathered before anything is sent. */
    static List<SendRequest> sendsWithABadKey() {
        return List.of(
                Send.of(1, BAD),
                SendWithImmediate.of(1, 5, BAD),
                SendWithInvalidate.of(1, KEY, BAD),
                RdmaWrite.of(1, BAD).to(VA, KEY),
                RdmaWriteWithImmediate.of(1, 5, BAD).to(VA, KEY));
    }

    @ParameterizedTest
    @DisplayName(
            "bug/31: an invalid lkey gives a completion at once, though the request is unsignaled, and flushes the rest")
    @MethodSource("sendsWithABadKey")
    void badLocalKey(SendRequest request) {
        try (Tape tape = new Tape()) {
            tape.receive(9)
                    .post(request, Send.of(2), RdmaRead.of(3, tape.at(0, 1)).from(VA, KEY));
            tape.out().sendDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
            tape.receiveDone("9 WR_FLUSH_ERR").state(QueuePairState.ERR);
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("0x0000beef names no memory region");
            assertThat(tape.history(tape.sendQueue).get(1).cause()).contains("LOC_PROT_ERR", "0x0000beef");
        }
    }

    @Test
    @DisplayName(
            "bug/31, §8.2: the sink of a READ or atomic fails when its data come; the remote may have run the atomic")
    void badSink() {
        try (Tape tape = new Tape()) {
            tape.post(RdmaRead.of(1, BAD).from(VA, KEY)).out("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=8 A");
            tape.in("READ_RESPONSE_ONLY psn=100 len=8")
                    .sendDone("1 LOC_PROT_ERR")
                    .state(QueuePairState.ERR);
        }
        for (SendRequest atomic : List.of(
                FetchAndAdd.of(1, BAD, 1).at(VA, KEY),
                CompareAndSwap.of(1, BAD, 1, 2).at(VA, KEY))) {
            try (Tape tape = new Tape()) {
                tape.post(atomic);
                assertThat(tape.sent()).hasSize(1);
                tape.in("ATOMIC_ACK psn=100").sendDone("1 LOC_PROT_ERR").state(QueuePairState.ERR);
            }
        }
    }

    @Test
    @DisplayName("bug/39: a receive element beyond its region takes a message that fits; nothing outside is written")
    void receiveElementBeyondItsRegion() {
        try (Tape tape = new Tape()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(8192);
            MemoryRegion region = tape.register("r", bytes.slice(0, 4096), 0x40000, AccessFlag.LOCAL_WRITE);
            ScatterGatherElement tooLong = new ScatterGatherElement(0x40000, 8192, region.localKey());
            tape.receive(1, tooLong).in("SEND_ONLY psn=500 len=100 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.receiveDone("1 SUCCESS RECV 100");
            assertThat(bytes.get(99)).isEqualTo(PacketText.payloadByte(500, 99));
            region.close();
        }
    }

    @Test
    @DisplayName(
            "bug/39: of a message that reaches beyond the region the packet that does is not placed: LOC_PROT_ERR, NAK 0x63")
    void messageBeyondTheRegion() {
        try (Tape tape = new Tape()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(1024);
            MemoryRegion region = tape.register("r", bytes.slice(0, 300), 0x40000, AccessFlag.LOCAL_WRITE);
            tape.receive(1, new ScatterGatherElement(0x40000, 1024, region.localKey()));
            tape.in("SEND_FIRST psn=500 len=256", "SEND_LAST psn=501 len=45 A").out("ACK psn=501 syn=0x63 msn=0");
            tape.receiveDone("1 LOC_PROT_ERR").state(QueuePairState.ERR);
            assertThat(bytes.get(255)).isEqualTo(PacketText.payloadByte(500, 255));
            for (int i = 256; i < 1024; i++) {
                assertThat(bytes.get(i)).isZero();
            }
            region.close();
        }
    }

    @Test
    @DisplayName("bug/21: wire and memory of atomics: swap before compare, little-endian memory, host-order results")
    void atomics() {
        try (Tape tape = new TapeSetup().readAtomic(4, 4).start()) {
            tape.bytes.put(0, (byte) 0x04).put(1, (byte) 0x02); // 516
            tape.in("COMPARE_SWAP psn=500 va=0x10000 key=mr cmp=516 swap=7 A");
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=516");
            assertThat(tape.memory(0, 8)).containsExactly(7, 0, 0, 0, 0, 0, 0, 0);
            tape.in("COMPARE_SWAP psn=501 va=0x10000 key=mr cmp=1 swap=9 A");
            tape.out("ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=7");
            tape.in("FETCH_ADD psn=502 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=502 syn=0x1f msn=3 orig=7");
            assertThat(tape.memory(0, 8)).containsExactly(8, 0, 0, 0, 0, 0, 0, 0);

            tape.post(CompareAndSwap.of(1, tape.at(64, 8), 516, 0x0102030405060708L)
                    .at(VA, KEY)
                    .signaled());
            tape.out("COMPARE_SWAP psn=100 va=0x8000 key=0xabcd swap=72623859790382856 cmp=516 A");
            assertThat(tape.frame(0))
                    .as("BTH; address, key, then swap and compare, big-endian (§3)")
                    .endsWith(
                            0, 0, 0, 0, 0, 0, 0x80, 0, // address
                            0, 0, 0xAB, 0xCD, // key
                            1, 2, 3, 4, 5, 6, 7, 8, // swap
                            0, 0, 0, 0, 0, 0, 2, 4); // compare
            tape.in("ATOMIC_ACK psn=100 orig=516").sendDone("1 SUCCESS COMP_SWAP 8");
            assertThat(tape.memory(64, 8)).containsExactly(4, 2, 0, 0, 0, 0, 0, 0);
        }
    }
}
