package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §6.1 and §6.2: what goes out for a request, in which order, and when its slot comes back. */
class RequesterTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    private static RdmaRead read(Tape tape, long id, long length) {
        return RdmaRead.of(id, tape.at(0, length)).from(VA, KEY).signaled();
    }

    @Test
    @DisplayName("§2, §6.1(2): one opcode for each place in the message; AckReq at its end")
    void segments() {
        try (Tape tape = new Tape()) {
            tape.bytes.put(600, (byte) 42);
            tape.post(
                    Send.of(1, tape.at(0, 601)).signaled(),
                    RdmaWrite.of(2, tape.at(0, 512)).to(VA, KEY));
            tape.out(
                    "SEND_FIRST psn=100 len=256",
                    "SEND_MIDDLE psn=101 len=256",
                    "SEND_LAST psn=102 len=89 A",
                    "WRITE_FIRST psn=103 va=0x8000 key=0xabcd dma=512 len=256",
                    "WRITE_LAST psn=104 len=256 A");
            assertThat(tape.payload(2)).hasSize(89).endsWith(42);
            tape.in("ACK psn=104").sendDone("1 SUCCESS SEND 601");
        }
    }

    @Test
    @DisplayName("§2: the boundaries of ONLY, and messages without payload")
    void boundaries() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1, tape.at(0, 256)),
                    Send.of(2),
                    RdmaWrite.of(3).to(VA, KEY),
                    Send.of(4, tape.at(0, 257)),
                    RdmaWrite.of(5, tape.at(0, 0), tape.at(8, 2), tape.at(3, 1))
                            .to(VA, KEY)
                            .signaled());
            tape.out(
                    "SEND_ONLY psn=100 len=256 A",
                    "SEND_ONLY psn=101 A",
                    "WRITE_ONLY psn=102 va=0x8000 key=0xabcd dma=0 A",
                    "SEND_FIRST psn=103 len=256",
                    "SEND_LAST psn=104 len=1 A",
                    "WRITE_ONLY psn=105 va=0x8000 key=0xabcd dma=3 len=3 A");
            tape.in("ACK psn=105").sendDone("5 SUCCESS RDMA_WRITE 3");
        }
    }

    @Test
    @DisplayName("§6.1: elements are gathered and scattered in order, across packet boundaries")
    void elements() {
        try (Tape tape = new Tape()) {
            for (int i = 0; i < 1024; i++) {
                tape.bytes.put(i, (byte) i);
            }
            tape.post(Send.of(1, tape.at(200, 100), tape.at(0, 1), tape.at(500, 200)));
            tape.out("SEND_FIRST psn=100 len=256", "SEND_LAST psn=101 len=45 A");
            assertThat(tape.payload(1)).startsWith((byte) 200).contains(0, (byte) 500);
            assertThat(tape.payload(0)).startsWith((byte) 655).endsWith((byte) 699);
            tape.in("ACK psn=101");

            tape.post(RdmaRead.of(2, tape.at(0x1000, 3), tape.at(0x2000, 7))
                    .from(VA, KEY)
                    .signaled());
            tape.out("READ_REQUEST psn=102 va=0x8000 key=0xabcd dma=10 A");
            tape.in("READ_RESPONSE_ONLY psn=102 len=10").sendDone("2 SUCCESS RDMA_READ 10");
            assertThat(tape.memory(0x1003, 1)).containsExactly(0);
            assertThat(tape.memory(0x2006, 2)[0]).isNotZero();
            assertThat(tape.memory(0x2006, 2)[1]).isZero();
        }
    }

    @Test
    @DisplayName("§6.1(3): SE on the last packet of a solicited SEND only")
    void solicited() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1, tape.at(0, 300)).solicited(), Send.of(2, tape.at(0, 1)));
            tape.out("SEND_FIRST psn=100 len=256", "SEND_LAST psn=101 len=44 A SE", "SEND_ONLY psn=102 len=1 A");
            tape.in("ACK psn=102");
        }
    }

    @Test
    @DisplayName("§6.1(4): READs and atomics beyond max_rd_atomic wait, and what follows waits with them")
    void readAtomicLimit() {
        try (Tape tape = new TapeSetup().readAtomic(2, 0).start()) {
            tape.post(
                    read(tape, 1, 8),
                    FetchAndAdd.of(2, tape.at(8, 8), 5).at(VA, KEY).signaled(),
                    CompareAndSwap.of(3, tape.at(16, 8), 6, 7).at(VA + 8, KEY).signaled(),
                    Send.of(4).signaled());
            tape.out(
                    "READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=8 A",
                    "FETCH_ADD psn=101 va=0x8000 key=0xabcd add=5 A");
            tape.in("READ_RESPONSE_ONLY psn=100 len=8").sendDone("1 SUCCESS RDMA_READ 8");
            tape.out("COMPARE_SWAP psn=102 va=0x8008 key=0xabcd swap=7 cmp=6 A", "SEND_ONLY psn=103 A");
            tape.in("ATOMIC_ACK psn=101 orig=513", "ATOMIC_ACK psn=102 orig=-2", "ACK psn=103");
            tape.sendDone("2 SUCCESS FETCH_ADD 8", "3 SUCCESS COMP_SWAP 8", "4 SUCCESS SEND 0");
            assertThat(tape.memory(8, 8)).containsExactly(1, 2, 0, 0, 0, 0, 0, 0);
            assertThat(tape.memory(16, 2)).containsExactly(-2, -1);
        }
    }

    @Test
    @DisplayName("§6.1(5): a fenced request waits for prior READs and atomics, not for SENDs")
    void fence() {
        try (Tape tape = new Tape()) {
            tape.post(
                    Send.of(1),
                    read(tape, 2, 300),
                    Send.of(3).fenced(),
                    Send.of(4).signaled());
            tape.out("SEND_ONLY psn=100 A", "READ_REQUEST psn=101 va=0x8000 key=0xabcd dma=300 A");
            tape.in("READ_RESPONSE_FIRST psn=101 len=256").out();
            tape.in("READ_RESPONSE_LAST psn=102 len=44").sendDone("2 SUCCESS RDMA_READ 300");
            tape.out("SEND_ONLY psn=103 A", "SEND_ONLY psn=104 A");
            tape.post(Send.of(5).fenced()).out("SEND_ONLY psn=105 A");
            tape.in("ACK psn=105").sendDone("4 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.1(6): without a fence a SEND does not wait for a READ's data")
    void noFence() {
        try (Tape tape = new Tape()) {
            tape.post(read(tape, 1, 8), Send.of(2).signaled());
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=8 A", "SEND_ONLY psn=101 A");
            tape.in("READ_RESPONSE_ONLY psn=100 len=8", "ACK psn=101");
            tape.sendDone("1 SUCCESS RDMA_READ 8", "2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.1(11), §8.2: 2^31 bytes may be sent; one more is LOC_LEN_ERR at the requester")
    void messageLength() {
        try (Tape tape = new Tape()) {
            ScatterGatherElement quarter = new ScatterGatherElement(Tape.BASE, 1L << 29, tape.region.localKey());
            ScatterGatherElement more = new ScatterGatherElement(Tape.BASE, (1L << 29) + 1, tape.region.localKey());
            tape.post(RdmaRead.of(1, quarter, quarter, quarter, quarter).from(VA, KEY));
            assertThat(tape.sent()).first().asString().startsWith("READ_REQUEST psn=100 va=0x8000 key=0xabcd dma=");
            tape.post(RdmaWrite.of(2, quarter, quarter, quarter, more).to(VA, KEY))
                    .out()
                    .sendDone();
        }
    }

    @Test
    @DisplayName("§6.1(11), §8.2: the status of a message that is too long, in its turn")
    void tooLong() {
        try (Tape tape = new Tape()) {
            ScatterGatherElement big = new ScatterGatherElement(Tape.BASE, 1L << 30, tape.region.localKey());
            ScatterGatherElement one = new ScatterGatherElement(Tape.BASE, 1, tape.region.localKey());
            tape.post(Send.of(1).signaled(), RdmaWrite.of(2, big, big, one).to(VA, KEY));
            tape.out("SEND_ONLY psn=100 A").sendDone();
            tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0", "2 LOC_LEN_ERR").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§6.2: slots of unsignaled requests come back when a later completion is polled, not before")
    void unsignaledSlots() {
        try (Tape tape = new TapeSetup().sendRequests(4).start()) {
            tape.post(Send.of(1), Send.of(2), Send.of(3)).in("ACK psn=102");
            assertThat(tape.sent()).hasSize(3);
            assertThatThrownBy(() -> tape.qp.postSend(List.of(Send.of(4).signaled(), Send.of(5), Send.of(6))))
                    .isInstanceOfSatisfying(
                            PostException.class, e -> assertThat(e.index()).isEqualTo(1))
                    .hasMessageContaining("ENOMEM");
            tape.run().out("SEND_ONLY psn=103 A").in("ACK psn=103");
            assertThatThrownBy(() -> tape.qp.postSend(Send.of(7)))
                    .isInstanceOf(RdmaException.class)
                    .hasMessageContaining("4 work requests");
            tape.sendDone("4 SUCCESS SEND 0");
            tape.post(Send.of(8), Send.of(9), Send.of(10), Send.of(11));
            assertThat(tape.sent()).hasSize(4);
        }
    }

    @Test
    @DisplayName("§6.2: with sq_sig_all every request completes")
    void signalAll() {
        try (Tape tape = new TapeSetup().signalAll().start()) {
            tape.post(Send.of(1), Send.of(2)).in("ACK psn=101").sendDone("1 SUCCESS SEND 0", "2 SUCCESS SEND 0");
            assertThat(tape.sent()).hasSize(2);
        }
    }

    @Test
    @DisplayName("§6.2: a completion tells its queue pair, flushed ones too")
    void queuePairNumbers() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1, new ScatterGatherElement(0, 1, 0)), Send.of(2));
            tape.receive(3).sendDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR").receiveDone("3 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue))
                    .extracting(WorkCompletion::queuePairNumber)
                    .containsOnly(tape.qp.number());
        }
    }

    @Test
    @DisplayName("§6.1(2): a queue pair that stops within a message asks for an acknowledgement first")
    void turnsWithinLongMessages() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(64).post(Send.of(1, tape.at(0, 65 * 256)));
            assertThat(tape.sent()).hasSize(64).last().isEqualTo("SEND_MIDDLE psn=163 len=256 A");
            tape.linkTakes(9).run().out("SEND_LAST psn=164 len=256 A");
        }
    }
}
