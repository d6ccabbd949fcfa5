package io.rdma4j.core.uc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §8.4, §12: unreliable connections that take their receives from a shared queue: none is lost with a message. */
class UnreliableSharedReceivesTest {
    private final TapeSetup setup = new TapeSetup().type(QueuePairType.UC).sharedReceives(8);
    private final Tape tape = setup.start();
    private final QueuePair other =
            tape.domain.createQueuePair(QueuePairConfig.of(QueuePairType.UC, tape.sendQueue, tape.receiveQueue)
                    .sharedReceiveQueue(Objects.requireNonNull(tape.qp.sharedReceiveQueue())));

    UnreliableSharedReceivesTest() {
        setup.connect(other);
    }

    @AfterEach
    void nothingMore() {
        other.close();
        tape.close();
    }

    private String toOther(String line) {
        return line + " qp=" + other.number();
    }

    @Test
    @DisplayName("§8.4, §12: a receive of a message that is dropped serves the next message of the same queue pair")
    void gap() {
        tape.receive(1, tape.at(0, 999)).receive(2, tape.at(1000, 9)).receive(3);
        tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_LAST psn=502 len=1");
        tape.in(toOther("UC_SEND_ONLY psn=500 len=4")).receiveDone("2 SUCCESS RECV 4");
        tape.in("UC_SEND_FIRST psn=503 len=256", "UC_SEND_LAST psn=504 len=3").receiveDone("1 SUCCESS RECV 259");
        assertThat(tape.memory(0, 256)).isEqualTo(PacketText.payload(503, 256));
        tape.in("UC_SEND_ONLY psn=505").receiveDone("3 SUCCESS RECV 0");
        assertThat(tape.count(DropReason.MESSAGE_BROKEN)).isEqualTo(1);
    }

    @Test
    @DisplayName("§8.4, §12: a message that is too long, or finds the queue empty, is dropped; nothing else is lost")
    void tooLongAndNone() {
        tape.receive(1, tape.at(0, 300)).in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_LAST psn=501 len=45");
        tape.in(toOther("UC_SEND_ONLY psn=500 len=4")).receiveDone().events();
        assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
        tape.receive(2, tape.at(500, 4));
        tape.in(toOther("UC_SEND_ONLY psn=501 len=4")).receiveDone("2 SUCCESS RECV 4");
        tape.in("UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=502 imm=0x9 va=0x10000 key=mr dma=2 len=2");
        tape.receiveDone("1 SUCCESS RECV_RDMA_WITH_IMM 2 imm=0x9");
    }

    @Test
    @DisplayName("§8.5(3), §12: a receive kept for the next message is flushed by ERR, before the last event")
    void errorWithAReceiveKept() {
        tape.receive(1, tape.at(0, 999)).receive(2);
        tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_LAST psn=502 len=1");
        tape.qp.modify(setup.attributes(QueuePairState.ERR));
        tape.receiveDone("1 WR_FLUSH_ERR").events("QP_LAST_WQE_REACHED");
        tape.in(toOther("UC_SEND_ONLY psn=500")).receiveDone("2 SUCCESS RECV 0");
    }

    @Test
    @DisplayName("§12: a receive kept for the next message is the first in the queue again after RESET")
    void resetWithAReceiveKept() {
        tape.receive(1, tape.at(0, 999)).receive(2);
        tape.in("UC_SEND_FIRST psn=500 len=256", "UC_SEND_LAST psn=502 len=1");
        tape.qp.modify(setup.attributes(QueuePairState.RESET));
        tape.in(toOther("UC_SEND_ONLY psn=500 len=8"), toOther("UC_SEND_ONLY psn=501"));
        tape.receiveDone("1 SUCCESS RECV 8", "2 SUCCESS RECV 0");
    }
}
