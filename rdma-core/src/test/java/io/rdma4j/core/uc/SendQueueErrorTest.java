package io.rdma4j.core.uc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** §8.2, §9: an error of a send takes an unreliable connection to SQE: the send queue is done for, receives go on. */
class SendQueueErrorTest {
    private static final ScatterGatherElement BAD = new ScatterGatherElement(Tape.BASE, 8, 0xBEEF);
    private static final QueuePairAttributes TO_RTS =
            QueuePairAttributes.builder().state(QueuePairState.RTS).build();

    private static TapeSetup setup() {
        return new TapeSetup().type(QueuePairType.UC);
    }

    static List<Function<Tape, SendRequest>> notOffered() {
        return List.of(
                tape -> RdmaRead.of(2, tape.at(0, 8)).from(0, 0),
                tape -> CompareAndSwap.of(2, tape.at(0, 8), 1, 2).at(0, 0),
                tape -> FetchAndAdd.of(2, tape.at(0, 8), 1).at(0, 0),
                tape -> SendWithInvalidate.of(2, 5, tape.at(0, 8)));
    }

    @ParameterizedTest
    @MethodSource("notOffered")
    @DisplayName("§8.2: an operation that the type does not have is LOC_QP_OP_ERR; nothing of it is sent")
    void notOffered(Function<Tape, SendRequest> request) {
        try (Tape tape = setup().start()) {
            tape.post(Send.of(1).signaled(), request.apply(tape), Send.of(3));
            tape.out("UC_SEND_ONLY psn=100").sendDone("1 SUCCESS SEND 0", "2 LOC_QP_OP_ERR", "3 WR_FLUSH_ERR");
            tape.state(QueuePairState.SQE).events();
            assertThat(tape.history(tape.sendQueue).get(1).cause())
                    .contains("no operation of an unreliable connection");
            assertThat(tape.history(tape.sendQueue).get(2).cause()).contains("LOC_QP_OP_ERR");
        }
    }

    @Test
    @DisplayName("§8.2, §9: a bad lkey is LOC_PROT_ERR; in SQE posts are flushed and receives go on; RTS begins anew")
    void thereAndBack() {
        try (Tape tape = setup().start()) {
            tape.receive(7, tape.at(0, 64)).receive(8, tape.at(64, 64));
            tape.post(Send.of(1, BAD), Send.of(2).signaled()).sendDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
            tape.state(QueuePairState.SQE).receiveDone();
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("0x0000beef names no memory region");
            tape.post(Send.of(3)).sendDone("3 WR_FLUSH_ERR").out();
            tape.in("UC_SEND_ONLY psn=500 len=4").receiveDone("7 SUCCESS RECV 4");
            tape.receive(9, tape.at(128, 64));
            tape.qp.modify(TO_RTS);
            tape.run().state(QueuePairState.RTS);
            tape.post(Send.of(4).signaled()).out("UC_SEND_ONLY psn=100").sendDone("4 SUCCESS SEND 0");
            tape.in("UC_SEND_ONLY psn=501 len=5", "UC_SEND_ONLY psn=502")
                    .receiveDone("8 SUCCESS RECV 5", "9 SUCCESS RECV 0");
            // The next error has its own words.
            tape.post(RdmaRead.of(5).from(0, 0), Send.of(6)).sendDone("5 LOC_QP_OP_ERR", "6 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(5).cause()).contains("LOC_QP_OP_ERR");
        }
    }

    @Test
    @DisplayName("§8.2: a message that fails in its middle leaves a part behind; the next one begins with the next PSN")
    void middleOfAMessage() {
        try (Tape tape = setup().start()) {
            tape.post(Send.of(1, tape.at(0, 300), BAD)).out("UC_SEND_FIRST psn=100 len=256");
            tape.sendDone("1 LOC_PROT_ERR").state(QueuePairState.SQE).qp.modify(TO_RTS);
            tape.post(Send.of(2, tape.at(0, 300))).out("UC_SEND_FIRST psn=101 len=256", "UC_SEND_LAST psn=102 len=44");
        }
    }

    @Test
    @DisplayName("§6.1(11), §8.2: 2^31 bytes and one more are LOC_LEN_ERR, and not a packet is sent")
    void tooLong() {
        try (Tape tape = setup().start()) {
            ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
            ByteBuffer[] pieces = Collections.nCopies(2049, piece).toArray(ByteBuffer[]::new);
            var big = tape.register(
                    "big", MemoryRegionConfig.of(pieces).iova(1L << 40).access(AccessFlag.LOCAL_WRITE));
            tape.post(RdmaWrite.of(1, big.slice(0, (1L << 31) + 1)).to(0, 0)).sendDone("1 LOC_LEN_ERR");
            tape.out().state(QueuePairState.SQE);
            big.close();
        }
    }

    @Test
    @DisplayName("§9: what was posted in SQE is flushed, though RTS comes before the engine looks at it")
    void postedBeforeLeaving() {
        try (Tape tape = setup().start()) {
            tape.post(Send.of(1, BAD)).sendDone("1 LOC_PROT_ERR");
            tape.qp.postSend(Send.of(2));
            tape.qp.modify(TO_RTS);
            tape.qp.postSend(Send.of(3).signaled());
            tape.run().sendDone("2 WR_FLUSH_ERR", "3 SUCCESS SEND 0").out("UC_SEND_ONLY psn=100");
        }
    }

    @Test
    @DisplayName("§9: a region that goes while a message drains: SQE, and no SQ_DRAINED")
    void whileDraining() {
        try (Tape tape = setup().start()) {
            var gone = tape.register("gone", ByteBuffer.allocateDirect(600), 0x90000, AccessFlag.LOCAL_WRITE);
            tape.linkTakes(1).post(Send.of(1, gone.slice(0, 600)), Send.of(2));
            tape.out("UC_SEND_FIRST psn=100 len=256")
                    .qp
                    .modify(QueuePairAttributes.builder()
                            .state(QueuePairState.SQD)
                            .sqdAsyncNotify(true)
                            .build());
            gone.close();
            tape.linkTakes(9).run().out().sendDone("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
            tape.events().state(QueuePairState.SQE);
            assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
        }
    }

    @Test
    @DisplayName("§9, §8.5: from SQE to ERR receives are flushed too; to RESET nothing is")
    void errorAndReset() {
        for (QueuePairState next : List.of(QueuePairState.ERR, QueuePairState.RESET)) {
            try (Tape tape = setup().start()) {
                tape.receive(7, tape.at(0, 64)).post(Send.of(1, BAD)).sendDone("1 LOC_PROT_ERR");
                tape.qp.modify(QueuePairAttributes.builder().state(next).build());
                tape.run().state(next);
                tape.receiveDone(next == QueuePairState.ERR ? new String[] {"7 WR_FLUSH_ERR"} : new String[0]);
            }
        }
    }

    @Test
    @DisplayName("§9: SQE is left for RTS alone, by a call that names the state it is in if it names one")
    void currentState() {
        try (Tape tape = setup().start()) {
            tape.post(Send.of(1, BAD)).sendDone("1 LOC_PROT_ERR");
            assertThatThrownBy(() -> tape.qp.modify(
                            TO_RTS.toBuilder().currentState(QueuePairState.RTS).build()))
                    .isInstanceOf(RdmaException.class)
                    .hasMessageContaining("CUR_STATE");
            tape.state(QueuePairState.SQE)
                    .qp
                    .modify(TO_RTS.toBuilder().currentState(QueuePairState.SQE).build());
            tape.state(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§10, §8.2: an error whose completion is lost ends the queue pair, not its send queue alone")
    void completionIsLost() {
        try (Tape tape = setup().completionEntries(1).start()) {
            tape.receive(7).post(Send.of(1).signaled(), Send.of(2, BAD), Send.of(3));
            tape.state(QueuePairState.ERR).events("CQ_ERR", "QP_FATAL");
            tape.out("UC_SEND_ONLY psn=100").sendDone("1 SUCCESS SEND 0").receiveDone("7 WR_FLUSH_ERR");
        }
    }
}
