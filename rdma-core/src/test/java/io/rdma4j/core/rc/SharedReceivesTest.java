package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §12: queue pairs that take their receives from a shared queue. */
class SharedReceivesTest {
    private final TapeSetup setup = new TapeSetup().sharedReceives(8);
    private final Tape tape = setup.start();
    private final SharedReceiveQueue shared = Objects.requireNonNull(tape.qp.sharedReceiveQueue());

    @AfterEach
    void nothingMore() {
        tape.close();
    }

    /** Another queue pair on a shared queue; lines name it by its number. */
    private QueuePair another(SharedReceiveQueue queue) {
        QueuePair qp = tape.domain.createQueuePair(
                QueuePairConfig.reliable(tape.sendQueue, tape.receiveQueue).sharedReceiveQueue(queue));
        setup.connect(qp);
        return qp;
    }

    private static String to(QueuePair qp, String line) {
        return line + " qp=" + qp.number();
    }

    /** The queue pairs of the receives completed so far. */
    private void completedOn(QueuePair... queuePairs) {
        assertThat(tape.history(tape.receiveQueue)).hasSameSizeAs(queuePairs);
        for (int i = 0; i < queuePairs.length; i++) {
            assertThat(tape.history(tape.receiveQueue).get(i).queuePairNumber()).isEqualTo(queuePairs[i].number());
        }
    }

    @Test
    @DisplayName(
            "§12: receives are taken first to last when messages begin, and complete on the queue pair that took them")
    void takenInOrder() {
        QueuePair other = another(shared);
        tape.receive(1, tape.at(0, 300)).receive(2, tape.at(1000, 300)).receive(3, tape.at(2000, 300));
        tape.in("SEND_FIRST psn=500 len=256", to(other, "SEND_ONLY psn=500 len=9"), "SEND_LAST psn=501 len=1");
        tape.in(to(other, "SEND_ONLY psn=501 len=7"));
        tape.receiveDone("2 SUCCESS RECV 9", "1 SUCCESS RECV 257", "3 SUCCESS RECV 7");
        completedOn(other, tape.qp, other);
        assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(500, 256));
        assertThat(tape.memory(1000, 9)).isEqualTo(PacketText.payload(500, 9));
        assertThat(tape.memory(2000, 7)).isEqualTo(PacketText.payload(501, 7));
        other.close();
    }

    @Test
    @DisplayName(
            "§7.2(3), §12: RDMA WRITE with immediate takes one with its last packet, and any element of it will do")
    void writeWithImmediate() {
        tape.receive(1);
        tape.in("WRITE_FIRST psn=500 va=0x10000 key=mr dma=257 len=256").receiveDone();
        tape.in("WRITE_LAST_WITH_IMMEDIATE psn=501 len=1 imm=0x7 A").out("ACK psn=501 syn=0x1f msn=1");
        tape.receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 257 imm=0x7");
    }

    @Test
    @DisplayName(
            "§4.2, §12: an empty queue is RNR NAK; a post wakes nothing, the retry finds it; credits are never limited")
    void receiverNotReady() {
        tape.in("SEND_ONLY psn=500 len=4 A").out("ACK psn=500 syn=0x2c msn=0");
        tape.receive(1, tape.at(0, 16)).out().receiveDone();
        tape.in("SEND_ONLY psn=500 len=4 A").out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 4");
        tape.in("SEND_ONLY psn=501 len=4 A").out("ACK psn=501 syn=0x2c msn=1");
    }

    @Test
    @DisplayName(
            "§11.1, §12: receives use keys of the shared queue's domain, remote keys are those of the queue pair's")
    void domains() {
        ProtectionDomain elsewhere = tape.device.allocateProtectionDomain();
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        MemoryRegion region = elsewhere.registerMemory(
                MemoryRegionConfig.of(bytes).access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        SharedReceiveQueue foreign = elsewhere.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(4, 1));
        QueuePair other = another(foreign);
        foreign.postReceive(ReceiveRequest.of(1, region.slice(0, 64)));
        foreign.postReceive(ReceiveRequest.of(2));
        foreign.postReceive(ReceiveRequest.of(3, tape.at(0, 64)));
        tape.in(
                to(other, "SEND_ONLY psn=500 len=3"),
                to(other, "WRITE_ONLY_WITH_IMMEDIATE psn=501 va=0x10000 key=mr dma=5 len=5"));
        tape.receiveDone("1 SUCCESS RECV 3", "2 SUCCESS RECV_RDMA_WITH_IMM 5 imm=0x0");
        assertThat(bytes.get(2)).isEqualTo(PacketText.payloadByte(500, 2));
        assertThat(tape.memory(0, 5)).isEqualTo(PacketText.payload(501, 5));
        tape.in(to(other, "SEND_ONLY psn=502 len=3")).out("ACK psn=502 syn=0x63 msn=2");
        tape.receiveDone("3 LOC_PROT_ERR").events("QP_LAST_WQE_REACHED");
        other.close();
        QueuePair third = another(foreign);
        tape.in(to(
                third,
                String.format("WRITE_ONLY psn=500 va=0x%x key=%d dma=5 len=5", region.address(), region.remoteKey())));
        tape.out("ACK psn=500 syn=0x62 msn=0").events("QP_ACCESS_ERR", "QP_LAST_WQE_REACHED");
        third.close();
        foreign.close();
        region.close();
        elsewhere.close();
    }

    @Test
    @DisplayName(
            "§8.5(3), bug/15: ERR flushes what a message has taken, then QP_LAST_WQE_REACHED once; the rest stays posted")
    void error() {
        QueuePair other = another(shared);
        tape.receive(1, tape.at(0, 999)).receive(2, tape.at(1000, 9)).receive(3);
        tape.in("SEND_FIRST psn=500 len=256");
        tape.qp.modify(setup.attributes(QueuePairState.ERR));
        tape.run().receiveDone("1 WR_FLUSH_ERR").events("QP_LAST_WQE_REACHED");
        completedOn(tape.qp);
        tape.qp.modify(setup.attributes(QueuePairState.ERR));
        tape.in("SEND_LAST psn=501 len=1 A", "SEND_ONLY psn=501 len=1 A")
                .receive(4)
                .nothingMore();
        tape.in(to(other, "SEND_ONLY psn=500 len=9"), to(other, "SEND_ONLY psn=501"), to(other, "SEND_ONLY psn=502"));
        tape.receiveDone("2 SUCCESS RECV 9", "3 SUCCESS RECV 0", "4 SUCCESS RECV 0");
        completedOn(tape.qp, other, other, other);
        other.close();
    }

    @Test
    @DisplayName("§8.5(3): after ERR, RESET and ERR again the event comes again")
    void errorAgain() {
        tape.qp.modify(setup.attributes(QueuePairState.ERR));
        tape.events("QP_LAST_WQE_REACHED");
        tape.qp.modify(setup.attributes(QueuePairState.RESET));
        setup.connect(tape.qp);
        tape.receive(1).in("SEND_ONLY psn=500").receiveDone("1 SUCCESS RECV 0").events();
        tape.qp.modify(setup.attributes(QueuePairState.ERR));
        tape.events("QP_LAST_WQE_REACHED").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§8.1, §8.5(3): a message that is too long ends its receive with the error, and no other receive")
    void tooLong() {
        tape.receive(1, tape.at(0, 300)).receive(2);
        tape.in("SEND_FIRST psn=500 len=256", "SEND_LAST psn=501 len=45 A").out("ACK psn=501 syn=0x61 msn=0");
        tape.receiveDone("1 LOC_LEN_ERR").events("QP_LAST_WQE_REACHED").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§8.1: an invalid request that took no receive raises its event, then the last one")
    void invalidRequest() {
        tape.receive(1).in("SEND_LAST psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
        tape.receiveDone().events("QP_REQ_ERR", "QP_LAST_WQE_REACHED").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§12: RESET leaves what a message had taken as it was, first in the queue again")
    void reset() {
        QueuePair other = another(shared);
        tape.receive(1, tape.at(0, 300)).receive(2).receive(3, tape.at(600, 1), tape.at(700, 1));
        tape.in("SEND_FIRST psn=500 len=256", to(other, "SEND_ONLY psn=500"));
        tape.in(to(other, "SEND_FIRST psn=501 len=256"));
        tape.receiveDone("2 SUCCESS RECV 0", "3 LOC_LEN_ERR")
                .out("ACK psn=501 syn=0x61 msn=1")
                .events("QP_LAST_WQE_REACHED");
        tape.receive(4);
        tape.qp.modify(setup.attributes(QueuePairState.RESET));
        setup.connect(tape.qp);
        tape.in("SEND_ONLY psn=500 len=200", "SEND_ONLY psn=501").receiveDone("1 SUCCESS RECV 200", "4 SUCCESS RECV 0");
        other.close();
    }

    @Test
    @DisplayName(
            "bug/9: destroyed in the middle of messages, queue pairs give their receives back in the order of posting")
    void destroy() {
        QueuePair first = another(shared);
        QueuePair second = another(shared);
        tape.receive(1, tape.at(0, 999)).receive(2, tape.at(1000, 999)).receive(3);
        tape.in(to(first, "SEND_FIRST psn=500 len=256"), to(second, "SEND_FIRST psn=500 len=256"));
        second.close();
        first.close();
        tape.in("SEND_ONLY psn=500 len=5", "SEND_ONLY psn=501 len=6", "SEND_ONLY psn=502");
        tape.receiveDone("1 SUCCESS RECV 5", "2 SUCCESS RECV 6", "3 SUCCESS RECV 0")
                .events();
        assertThat(tape.memory(1000, 6)).isEqualTo(PacketText.payload(501, 6));
    }

    @Test
    @DisplayName("§10: an overrun by a shared receive is QP_FATAL and the last one, each once")
    void overrun() {
        try (Tape small = new TapeSetup().sharedReceives(8).completionEntries(1).start()) {
            small.receive(1).receive(2).receive(3).in("SEND_ONLY psn=500", "SEND_ONLY psn=501", "SEND_ONLY psn=502");
            small.receiveDone("1 SUCCESS RECV 0").out("ACK psn=501 syn=0x63 msn=2");
            small.events("CQ_ERR", "QP_FATAL", "QP_LAST_WQE_REACHED").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§10, §12: the limit is reached strictly below it, once, and is disarmed then")
    void limit() {
        for (int i = 1; i <= 6; i++) {
            tape.receive(i);
        }
        shared.armLimit(4);
        tape.in("SEND_ONLY psn=500", "SEND_ONLY psn=501").events();
        assertThat(shared.query()).isEqualTo(new SharedReceiveQueueAttributes(8, 4, 4));
        tape.in("SEND_ONLY psn=502").events("SRQ_LIMIT_REACHED");
        assertThat(shared.query()).isEqualTo(new SharedReceiveQueueAttributes(8, 4, 0));
        tape.in("SEND_ONLY psn=503").events();
        assertThat(tape.receiveQueue.poll(WorkCompletion.array(8))).isEqualTo(4);
    }

    @Test
    @DisplayName("§12: armed below already, the limit is reached at once, exactly once; 0 disarms")
    void limitWhileBelow() {
        tape.receive(1).receive(2);
        shared.armLimit(3);
        tape.events("SRQ_LIMIT_REACHED");
        assertThat(shared.query().limit()).isZero();
        shared.armLimit(2);
        shared.armLimit(0);
        tape.in("SEND_ONLY psn=500").events().receiveDone("1 SUCCESS RECV 0");
        shared.armLimit(1);
        tape.events();
        tape.in("SEND_ONLY psn=501").events("SRQ_LIMIT_REACHED").receiveDone("2 SUCCESS RECV 0");
    }

    @Test
    @DisplayName("§12: resized, the queue keeps what is posted in order, and what is in progress goes on")
    void resize() {
        for (int i = 1; i <= 6; i++) {
            tape.receive(i, tape.at(1000L * i, 300));
        }
        tape.in("SEND_FIRST psn=500 len=256");
        shared.resize(5);
        shared.resize(200);
        for (int i = 7; i <= 201; i++) {
            tape.receive(i);
        }
        tape.in("SEND_LAST psn=501 len=1", "SEND_ONLY psn=502 len=3", "SEND_ONLY psn=503", "SEND_ONLY psn=504");
        tape.in("SEND_ONLY psn=505", "SEND_ONLY psn=506", "SEND_ONLY psn=507");
        tape.receiveDone(
                "1 SUCCESS RECV 257",
                "2 SUCCESS RECV 3",
                "3 SUCCESS RECV 0",
                "4 SUCCESS RECV 0",
                "5 SUCCESS RECV 0",
                "6 SUCCESS RECV 0",
                "7 SUCCESS RECV 0");
        assertThat(tape.memory(1000, 256)).isEqualTo(PacketText.payload(500, 256));
        assertThat(tape.memory(2000, 3)).isEqualTo(PacketText.payload(502, 3));
    }
}
