package io.rdma4j.core.ud;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §8.4, §12: datagrams into shared receive queues. */
class DatagramSharedReceivesTest {
    private static final int ROUTE = RouteHeader.LENGTH;

    private final TapeSetup setup = DatagramTape.setup().sharedReceives(8);
    private final Tape tape = setup.start();
    private final SharedReceiveQueue shared = Objects.requireNonNull(tape.qp.sharedReceiveQueue());
    private final QueuePair other = another(shared);

    private QueuePair another(SharedReceiveQueue queue) {
        QueuePair qp = tape.domain.createQueuePair(
                QueuePairConfig.datagram(tape.receiveQueue).sharedReceiveQueue(queue));
        qp.activate(DatagramTape.QKEY);
        return qp;
    }

    private static String to(QueuePair qp, int psn, int length) {
        return String.format("UD_SEND_ONLY psn=%d qkey=0x%x src=9 len=%d qp=%d", psn, Tape.QKEY, length, qp.number());
    }

    @AfterEach
    void nothingMore() {
        other.close();
        tape.close();
    }

    @Test
    @DisplayName("§12: datagrams to several queue pairs take receives first to last; an empty queue drops them")
    void takenInOrder() {
        tape.receive(1, tape.at(0, 100)).receive(2, tape.at(100, 100)).receive(3, tape.at(200, ROUTE));
        tape.in(to(other, 1, 5), to(tape.qp, 2, 6), to(other, 3, 0), to(tape.qp, 4, 1));
        tape.receiveDone("1 SUCCESS RECV 45", "2 SUCCESS RECV 46", "3 SUCCESS RECV 40");
        assertThat(tape.history(tape.receiveQueue))
                .extracting(WorkCompletion::queuePairNumber)
                .containsExactly(other.number(), tape.qp.number(), other.number());
        assertThat(tape.memory(100 + ROUTE, 6)).isEqualTo(PacketText.payload(2, 6));
        assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
    }

    @Test
    @DisplayName("§8.4, §12: a datagram too long for its receive uses it up, and the queue pair goes on")
    void tooLong() {
        tape.receive(1, tape.at(0, ROUTE)).receive(2, tape.at(0, 100));
        tape.in(to(tape.qp, 1, 5), to(tape.qp, 2, 5)).receiveDone("1 LOC_LEN_ERR", "2 SUCCESS RECV 45");
        tape.events().state(QueuePairState.RTS);
    }

    @Test
    @DisplayName("§14, §12: members of a group take one receive each, as long as there are some")
    void group() {
        Gid group = Gid.parse("239.1.2.3");
        tape.qp.attachMulticast(group);
        other.attachMulticast(group);
        tape.receive(1, tape.at(0, 100)).receive(2, tape.at(100, 100)).receive(3, tape.at(200, 100));
        String line = "UD_SEND_ONLY psn=1 qp=0xffffff qkey=0x12345678 src=5 len=6";
        tape.inFrom(Tape.PEER, group, 0, line);
        tape.receiveDone("1 SUCCESS RECV 46", "2 SUCCESS RECV 46");
        tape.inFrom(Tape.PEER, group, 0, line);
        tape.receiveDone("3 SUCCESS RECV 46");
        assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
    }

    @Test
    @DisplayName("§12, §8.5(3): the route and the payload go where keys of the shared queue's domain say, else ERR")
    void domain() {
        ProtectionDomain elsewhere = tape.device.allocateProtectionDomain();
        SharedReceiveQueue foreign = elsewhere.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(2, 1));
        QueuePair third = another(foreign);
        foreign.postReceive(ReceiveRequest.of(1, tape.at(0, 100)));
        foreign.postReceive(ReceiveRequest.of(2, tape.at(0, 100)));
        tape.in(to(third, 1, 5)).receiveDone("1 LOC_PROT_ERR").events("QP_LAST_WQE_REACHED");
        assertThat(third.state()).isEqualTo(QueuePairState.ERR);
        tape.in(to(third, 2, 5)).receiveDone();
        third.close();
        foreign.close();
        elsewhere.close();
    }
}
