package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Queue pairs to one peer share its budget, and none of them starves. */
class SharedBudgetTest {
    private static final int WHOLE_BUDGET = 256 * 256;

    private final Tape tape = new TapeSetup().signalAll().start();
    private final QueuePair other =
            tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue).signalAll());

    SharedBudgetTest() {
        new TapeSetup().psn(1000, 2000).connect(other);
    }

    @AfterEach
    void close() {
        other.close();
        tape.close();
    }

    private void answerOther(int first, int last) {
        for (int psn = first; psn <= last; psn++) {
            String place = psn == 1000 ? "FIRST" : psn == 1255 ? "LAST" : "MIDDLE";
            tape.in("READ_RESPONSE_" + place + " psn=" + psn + " len=256 qp=" + other.number());
        }
    }

    @Test
    @DisplayName("a request that needs the whole budget has its turn, though another queue pair is never idle")
    void nobodyStarves() {
        tape.post(Send.of(1)).out("SEND_ONLY psn=100 A");
        other.postSend(RdmaRead.of(2, tape.at(0, WHOLE_BUDGET)).from(0x8000, 7));
        // One always in flight: the other queue pair goes first as soon as what was out is acknowledged.
        tape.run().out().post(Send.of(3)).out();
        tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        tape.out("READ_REQUEST psn=1000 va=0x8000 key=0x7 dma=65536 A");
        answerOther(1000, 1000);
        tape.out("SEND_ONLY psn=101 A");
        answerOther(1001, 1255);
        tape.sendDone("2 SUCCESS RDMA_READ 65536").in("ACK psn=101").sendDone("3 SUCCESS SEND 0");
    }

    @Test
    @DisplayName("who waits for budget and fails lets the next one have it")
    void failureOfAWaiter() {
        tape.post(Send.of(1)).out("SEND_ONLY psn=100 A");
        other.postSend(RdmaRead.of(2, tape.at(0, WHOLE_BUDGET)).from(0x8000, 7));
        tape.run().post(Send.of(3)).out();
        other.close();
        tape.run().out("SEND_ONLY psn=101 A").in("ACK psn=101").sendDone("1 SUCCESS SEND 0", "3 SUCCESS SEND 0");
    }

    @Test
    @DisplayName("what is lost gives its budget back")
    void lossFreesBudget() {
        other.postSend(RdmaRead.of(2, tape.at(0, WHOLE_BUDGET)).from(0x8000, 7));
        tape.run()
                .out("READ_REQUEST psn=1000 va=0x8000 key=0x7 dma=65536 A")
                .post(Send.of(1))
                .out();
        tape.elapse(4096L << 14);
        assertThat(tape.sent()).contains("SEND_ONLY psn=100 A");
        tape.in("ACK psn=100").sendDone("1 SUCCESS SEND 0");
        tape.sent();
    }

    @Test
    @DisplayName("a blocked link takes nobody's turn")
    void blockedLinkKeepsTheTurn() {
        tape.linkTakes(1).post(Send.of(1, tape.at(0, 512))).out("SEND_FIRST psn=100 len=256");
        other.postSend(RdmaRead.of(2, tape.at(0, WHOLE_BUDGET)).from(0x8000, 7));
        tape.linkTakes(99).run().out("SEND_LAST psn=101 len=256 A");
        tape.in("ACK psn=101").sendDone("1 SUCCESS SEND 512");
        tape.out("READ_REQUEST psn=1000 va=0x8000 key=0x7 dma=65536 A");
    }
}
