package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §8.2 and §8.5: what happens when a queue pair fails, and §10 when its completion queue does. */
class FailureTest {
    private static final QueuePairAttributes TO_ERROR =
            QueuePairAttributes.builder().state(QueuePairState.ERR).build();
    private static final QueuePairAttributes TO_RESET =
            QueuePairAttributes.builder().state(QueuePairState.RESET).build();

    @Test
    @DisplayName("§8.5(2): the failed request first, then all flushed in order, signaled or not; later posts too")
    void flushOrder() {
        try (Tape tape = new Tape()) {
            tape.receive(11).receive(12).post(Send.of(1), Send.of(2).signaled(), Send.of(3), Send.of(4));
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=101 syn=0x62");
            tape.sendDone("2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR", "4 WR_FLUSH_ERR");
            tape.receiveDone("11 WR_FLUSH_ERR", "12 WR_FLUSH_ERR").state(QueuePairState.ERR);
            tape.post(Send.of(5)).receive(13).sendDone("5 WR_FLUSH_ERR").receiveDone("13 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(3).cause()).contains("REM_ACCESS_ERR", "PSN 0x000065");
        }
    }

    @Test
    @DisplayName("§8.5(2): flushed completions give their slots back when polled")
    void flushFreesSlots() {
        try (Tape tape = new TapeSetup().sendRequests(2).start()) {
            tape.qp.modify(TO_ERROR);
            for (int i = 0; i < 5; i++) {
                tape.post(Send.of(1), Send.of(2)).sendDone("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
            }
        }
    }

    @Test
    @DisplayName("§8.5(1): a responder that fails sends what is due before, then its NAK, in PSN order")
    void terminalResponse() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0);
            tape.in(
                    "READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A",
                    "WRITE_ONLY psn=502 va=0x10000 key=mr dma=1 len=1 A",
                    "FETCH_ADD psn=503 va=0x10008 key=mr add=1 A",
                    "WRITE_ONLY psn=504 va=0 key=0 dma=1 len=1 A",
                    "WRITE_ONLY psn=505 va=0x10000 key=mr dma=1 len=1 A");
            tape.state(QueuePairState.ERR).events("QP_ACCESS_ERR").linkTakes(9).run();
            tape.out(
                    "READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256",
                    "READ_RESPONSE_LAST psn=501 syn=0x1f msn=1 len=44",
                    "ATOMIC_ACK psn=503 syn=0x1f msn=3 orig=0",
                    "ACK psn=504 syn=0x62 msn=3");
        }
    }

    @Test
    @DisplayName("§8.5(1): a user's modify to ERR sends nothing more; RESET discards a terminal response")
    void userError() {
        try (Tape tape = new Tape()) {
            tape.linkTakes(0)
                    .in("READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A")
                    .qp
                    .modify(TO_ERROR);
            tape.linkTakes(9).run().out().state(QueuePairState.ERR);
        }
        for (QueuePairAttributes end : List.of(TO_ERROR, TO_RESET)) {
            try (Tape tape = new Tape()) {
                tape.linkTakes(0).in("READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A", "SEND_LAST psn=502 len=1");
                tape.events("QP_REQ_ERR").qp.modify(end);
                tape.linkTakes(9).run().out();
            }
        }
    }

    @Test
    @DisplayName("§8.5(1): a requester that fails answers nothing more")
    void requesterFails() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").linkTakes(0);
            tape.in("READ_REQUEST psn=500 va=0x10000 key=mr dma=300 A", "WRITE_ONLY psn=502 A", "ACK psn=100 syn=0x61");
            tape.sendDone("1 REM_INV_REQ_ERR").linkTakes(9).run().out();
        }
    }

    @Test
    @DisplayName("§8.5(1): packets that come to a queue pair in ERR get silence")
    void silence() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").qp.modify(TO_ERROR);
            tape.sendDone("1 WR_FLUSH_ERR")
                    .in("SEND_ONLY psn=500 A", "ACK psn=100")
                    .elapse(10_000 * Tape.MS)
                    .out();
        }
    }

    @Test
    @DisplayName("§8.2: a gather element that is refused fails its request in its turn")
    void localProtection() {
        try (Tape tape = new Tape()) {
            ScatterGatherElement bad = new ScatterGatherElement(Tape.BASE, 8, 0xBEEF);
            tape.post(Send.of(1).signaled(), RdmaWrite.of(2, tape.at(0, 1), bad).to(0, 0), Send.of(3));
            tape.out("SEND_ONLY psn=100 A").sendDone().state(QueuePairState.RTS);
            tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0", "2 LOC_PROT_ERR", "3 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(1).cause()).contains("element 1", "0x0000beef");
        }
    }

    @Test
    @DisplayName("§8.2: what was sent of a message before the bad element stays sent")
    void localProtectionWithinMessage() {
        try (Tape tape = new Tape()) {
            ScatterGatherElement bad = new ScatterGatherElement(Tape.BASE, 8, 0xBEEF);
            tape.post(Send.of(1, tape.at(0, 512), bad))
                    .out("SEND_FIRST psn=100 len=256", "SEND_MIDDLE psn=101 len=256");
            tape.sendDone("1 LOC_PROT_ERR");
        }
    }

    @Test
    @DisplayName("§8.2: a READ whose key and sink are both bad fails by the remote; max_rd_atomic 0 forbids it")
    void bothBad() {
        try (Tape tape = new Tape()) {
            tape.post(RdmaRead.of(1, new ScatterGatherElement(0, 8, 0)).from(0x8000, 5));
            tape.out("READ_REQUEST psn=100 va=0x8000 key=0x5 dma=8 A");
            tape.in("ACK psn=100 syn=0x62").sendDone("1 REM_ACCESS_ERR");
        }
        try (Tape tape = new TapeSetup().readAtomic(0, 0).start()) {
            tape.post(RdmaRead.of(1, tape.at(0, 8)).from(0x8000, 5)).sendDone("1 LOC_QP_OP_ERR");
        }
    }

    @Test
    @DisplayName("§6.3, §8.2: a retry before a local failure's turn sends what came before again")
    void retryBeforeLocalFailure() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1), Send.of(2, new ScatterGatherElement(0, 8, 0))).elapse(100 * Tape.MS);
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=100 A")
                    .in("ACK psn=100")
                    .sendDone("2 LOC_PROT_ERR");
        }
    }

    @Test
    @DisplayName("§8.2, §11.1: a late ACK covers what its closed region no longer lets repeat, and sending goes on")
    void acknowledgedAfterLocalFailure() {
        try (Tape tape = new Tape()) {
            MemoryRegion gone = tape.register("gone", ByteBuffer.allocateDirect(8), 0x90000, AccessFlag.LOCAL_WRITE);
            tape.post(Send.of(1).signaled(), Send.of(2, gone.slice(0, 8)).signaled());
            tape.out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 len=8 A");
            gone.close();
            tape.elapse(100 * Tape.MS).out("SEND_ONLY psn=100 A").sendDone();
            tape.in("ACK psn=101").sendDone("1 SUCCESS SEND 0", "2 SUCCESS SEND 8");
            tape.post(Send.of(3)).out("SEND_ONLY psn=102 A");
        }
    }

    @Test
    @DisplayName("§8.5(4), §9: RESET removes unpolled completions and everything posted; the queue pair starts anew")
    void reset() {
        TapeSetup setup = new TapeSetup();
        try (Tape tape = setup.start()) {
            tape.receive(7).post(Send.of(1).signaled(), Send.of(2)).in("ACK psn=100", "SEND_FIRST psn=500 len=256");
            assertThat(tape.sent()).hasSize(3);
            tape.qp.modify(TO_RESET);
            assertThat(tape.receiveQueue.poll(WorkCompletion.array(1))).isZero();
            assertThat(tape.engine.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
            setup.connect(tape.qp);
            tape.receive(8, tape.at(0, 8)).post(Send.of(3)).out("SEND_ONLY psn=100 A");
            tape.in("SEND_ONLY psn=500 len=8 A")
                    .out("ACK psn=500 syn=0x1f msn=1")
                    .receiveDone("8 SUCCESS RECV 8");
        }
    }

    @Test
    @DisplayName("§10: a completion that finds its queue full is lost: CQ_ERR, and the queue pairs using it fail")
    void sendOverrun() {
        try (Tape tape = new TapeSetup().completionEntries(1).start()) {
            tape.post(Send.of(1).signaled(), Send.of(2).signaled(), Send.of(3).signaled());
            assertThat(tape.sent()).hasSize(3);
            tape.in("ACK psn=101").events("CQ_ERR", "QP_FATAL").state(QueuePairState.ERR);
            tape.sendDone("1 SUCCESS SEND 0").post(Send.of(4)).sendDone();
        }
    }

    @Test
    @DisplayName("§10: an overrun in the middle of an ACK fails the queue pair once, whatever else the ACK says")
    void sendOverrunWithImpliedNak() {
        try (Tape tape = new TapeSetup().completionEntries(1).retries(0, 0).start()) {
            tape.post(
                    Send.of(1).signaled(),
                    Send.of(2).signaled(),
                    RdmaRead.of(3, tape.at(0, 8)).from(0, 0),
                    Send.of(4));
            assertThat(tape.sent()).hasSize(4);
            tape.in("ACK psn=103").events("CQ_ERR", "QP_FATAL").state(QueuePairState.ERR);
            tape.sendDone("1 SUCCESS SEND 0").qp.modify(TO_RESET);
            new TapeSetup().connect(tape.qp);
            tape.post(Send.of(5)).out("SEND_ONLY psn=100 A");
        }
    }

    @Test
    @DisplayName("§8.1: a responder whose completion queue overruns answers NAK 0x63")
    void receiveOverrun() {
        try (Tape tape = new TapeSetup().completionEntries(1).start()) {
            tape.receive(1).receive(2).in("READ_REQUEST psn=500", "SEND_ONLY psn=501 A", "SEND_ONLY psn=502 A");
            tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1", "ACK psn=502 syn=0x63 msn=3");
            tape.events("CQ_ERR", "QP_FATAL").receiveDone("1 SUCCESS RECV 0").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName(
            "§10: an overrun queue loses nothing silently later: who uses it again fails with its first completion")
    void overrunForGood() {
        TapeSetup setup = new TapeSetup().completionEntries(1);
        try (Tape tape = setup.start()) {
            tape.post(Send.of(1).signaled(), Send.of(2).signaled()).out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            tape.in("ACK psn=101").events("CQ_ERR", "QP_FATAL").sendDone("1 SUCCESS SEND 0");
            tape.qp.modify(TO_RESET);
            setup.connect(tape.qp);
            tape.post(Send.of(3).signaled()).out("SEND_ONLY psn=100 A").in("ACK psn=100");
            tape.events("QP_FATAL").state(QueuePairState.ERR).sendDone();
        }
        try (Tape tape = setup.start()) {
            tape.receive(1).receive(2).in("SEND_ONLY psn=500 A", "SEND_ONLY psn=501 A");
            tape.events("CQ_ERR", "QP_FATAL").receiveDone("1 SUCCESS RECV 0").sent();
            tape.qp.modify(TO_RESET);
            setup.connect(tape.qp);
            tape.receive(3)
                    .in("SEND_ONLY psn=500 A")
                    .out("ACK psn=500 syn=0x63 msn=1")
                    .events("QP_FATAL");
        }
    }

    @Test
    @DisplayName("§9, §10: an overrun leaves a queue pair in RESET alone, from where no way leads to ERR")
    void overrunInReset() {
        try (Tape tape = new TapeSetup().completionEntries(1).start()) {
            var unused = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue));
            tape.post(Send.of(1).signaled(), Send.of(2).signaled()).in("ACK psn=101");
            assertThat(tape.sent()).hasSize(2);
            tape.events("CQ_ERR", "QP_FATAL").sendDone("1 SUCCESS SEND 0");
            assertThat(unused.state()).isEqualTo(QueuePairState.RESET);
            unused.close();
        }
    }

    @Test
    @DisplayName("§10: an overrun leaves queue pairs on other completion queues alone")
    void overrunElsewhere() {
        try (Tape tape = new TapeSetup().completionEntries(1).start()) {
            var other = tape.device.createCompletionQueue(8);
            var bystander = tape.domain.createQueuePair(QueuePairConfig.reliable(other));
            new TapeSetup().connect(bystander);
            tape.post(Send.of(1).signaled(), Send.of(2).signaled()).in("ACK psn=101");
            assertThat(tape.sent()).hasSize(2);
            tape.events("CQ_ERR", "QP_FATAL").sendDone("1 SUCCESS SEND 0");
            assertThat(bystander.state()).isEqualTo(QueuePairState.RTS);
            bystander.close();
            other.close();
        }
    }
}
