package io.rdma4j.core.uc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §6, §14: what an unreliable connection sends, and when its requests are done. */
class UnreliableRequesterTest {
    private static final long VA = 0x8000;
    private static final int KEY = 0xABCD;

    private static TapeSetup setup() {
        return new TapeSetup().type(QueuePairType.UC);
    }

    @Test
    @DisplayName(
            "§14, §6.1(7): SEND and WRITE of one and of several packets; done when the last one is out, without an ACK")
    void everyKind() {
        try (Tape tape = setup().start()) {
            tape.bytes.put(5, (byte) 77);
            tape.post(
                    Send.of(1, tape.at(5, 3)).signaled(),
                    SendWithImmediate.of(2, 0xCAFE, tape.at(0, 600)).signaled(),
                    RdmaWrite.of(3, tape.at(0, 513)).to(VA, KEY).signaled(),
                    RdmaWriteWithImmediate.of(4, 0xBEEF, tape.at(0, 2))
                            .to(VA, KEY)
                            .signaled(),
                    Send.of(5).signaled());
            tape.out(
                    "UC_SEND_ONLY psn=100 len=3",
                    "UC_SEND_FIRST psn=101 len=256",
                    "UC_SEND_MIDDLE psn=102 len=256",
                    "UC_SEND_LAST_WITH_IMMEDIATE psn=103 imm=0xcafe len=88",
                    "UC_RDMA_WRITE_FIRST psn=104 va=0x8000 key=0xabcd dma=513 len=256",
                    "UC_RDMA_WRITE_MIDDLE psn=105 len=256",
                    "UC_RDMA_WRITE_LAST psn=106 len=1",
                    "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=107 va=0x8000 key=0xabcd dma=2 imm=0xbeef len=2",
                    "UC_SEND_ONLY psn=108");
            assertThat(tape.payload(8)).containsExactly(77, 0, 0);
            tape.sendDone(
                    "1 SUCCESS SEND 3",
                    "2 SUCCESS SEND 600",
                    "3 SUCCESS RDMA_WRITE 513",
                    "4 SUCCESS RDMA_WRITE 2",
                    "5 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.1(3): SE stands on the last packet of a solicited message only, and AckReq nowhere")
    void solicited() {
        try (Tape tape = setup().start()) {
            tape.post(
                    Send.of(1, tape.at(0, 300)).solicited(),
                    SendWithImmediate.of(2, 5).solicited(),
                    RdmaWriteWithImmediate.of(3, 6).to(VA, KEY).solicited());
            tape.out(
                    "UC_SEND_FIRST psn=100 len=256",
                    "UC_SEND_LAST psn=101 len=44 SE",
                    "UC_SEND_ONLY_WITH_IMMEDIATE psn=102 imm=0x5 SE",
                    "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE psn=103 va=0x8000 key=0xabcd dma=0 imm=0x6 SE");
        }
    }

    @Test
    @DisplayName("§6.1(9): inline data are copied when they are posted")
    void inline() {
        try (Tape tape = setup().start()) {
            byte[] bytes = {1, 2, 3};
            tape.linkTakes(0).post(Send.inline(1, bytes).signaled());
            Arrays.fill(bytes, (byte) 9);
            tape.sendDone().linkTakes(1).run().out("UC_SEND_ONLY psn=100 len=3");
            assertThat(tape.payload(0)).containsExactly(1, 2, 3);
            tape.sendDone("1 SUCCESS SEND 3");
        }
    }

    @Test
    @DisplayName("§6.1(7): what the link does not take waits for it, in the middle of a message too")
    void linkRefuses() {
        try (Tape tape = setup().start()) {
            tape.linkTakes(2)
                    .post(Send.of(1, tape.at(0, 600)).signaled(), Send.of(2).signaled());
            tape.out("UC_SEND_FIRST psn=100 len=256", "UC_SEND_MIDDLE psn=101 len=256")
                    .sendDone();
            tape.linkTakes(1).run().out("UC_SEND_LAST psn=102 len=88").sendDone("1 SUCCESS SEND 600");
            tape.linkTakes(1).run().out("UC_SEND_ONLY psn=103").sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§6.2: unsignaled requests leave no completion; with sq_sig_all every request does")
    void signaling() {
        try (Tape tape = setup().start()) {
            tape.post(Send.of(1), Send.of(2).signaled()).sendDone("2 SUCCESS SEND 0");
            tape.forget();
        }
        try (Tape tape = setup().signalAll().start()) {
            tape.post(Send.of(1)).sendDone("1 SUCCESS SEND 0");
            tape.forget();
        }
    }

    @Test
    @DisplayName("§14: nothing is outstanding: no timer runs, nothing is sent again, no window closes, PSNs wrap")
    void nothingOutstanding() {
        TapeSetup setup = setup().psn(0xFFFF00, 500).sendRequests(1);
        try (Tape tape = setup.start()) {
            for (int i = 0; i < 6; i++) {
                tape.post(Send.of(i, tape.at(0, 64 << 10)).signaled()).sendDone(i + " SUCCESS SEND 65536");
                assertThat(tape.sent()).hasSize(256);
            }
            assertThat(tape.engine.nextDeadlineNs()).isEqualTo(EngineLimits.NO_DEADLINE);
            tape.elapse(1_000_000 * Tape.MS).out();
            tape.post(Send.of(9).signaled()).out("UC_SEND_ONLY psn=1280").sendDone("9 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§14: a long message leaves others their turns, and nothing of the peer's budget is taken")
    void turns() {
        // The budget of the peer is 32 packets.
        TapeSetup setup = setup().receiveBuffer(16 << 10);
        try (Tape tape = setup.start();
                QueuePair other = tape.domain.createQueuePair(QueuePairConfig.unreliable(tape.sendQueue));
                QueuePair reliable = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue))) {
            setup.psn(1000, 2000).connect(other);
            new TapeSetup().psn(3000, 4000).connect(reliable);
            tape.qp.postSend(Send.of(1, tape.at(0, 130 * 256)));
            other.postSend(Send.of(2));
            reliable.postSend(Send.of(3));
            List<String> sent = tape.run().sent();
            assertThat(sent).hasSize(132);
            assertThat(sent.indexOf("UC_SEND_ONLY psn=1000")).isEqualTo(EngineLimits.SEND_TURN_PACKETS);
            assertThat(sent.indexOf("SEND_ONLY psn=3000 A")).isEqualTo(EngineLimits.SEND_TURN_PACKETS + 1);
            assertThat(tape.engine.queuePair(tape.qp.number()).peer.inFlightPackets())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§9: SQD lets a message that was started come to its end, without an ACK, and starts none")
    void drain() {
        QueuePairAttributes drain = QueuePairAttributes.builder()
                .state(QueuePairState.SQD)
                .sqdAsyncNotify(true)
                .build();
        try (Tape tape = setup().start()) {
            tape.linkTakes(1).post(Send.of(1, tape.at(0, 300)).signaled(), Send.of(2));
            tape.out("UC_SEND_FIRST psn=100 len=256").qp.modify(drain);
            assertThat(tape.run().qp.query().isSendQueueDraining()).isTrue();
            tape.events().linkTakes(9).run();
            tape.out("UC_SEND_LAST psn=101 len=44")
                    .sendDone("1 SUCCESS SEND 300")
                    .events("SQ_DRAINED");
            tape.post(Send.of(3)).out().state(QueuePairState.SQD);
            tape.qp.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RTS).build());
            tape.run().out("UC_SEND_ONLY psn=102", "UC_SEND_ONLY psn=103");
            // With nothing under way it is drained at once.
            tape.qp.modify(drain);
            tape.run().events("SQ_DRAINED");
        }
    }

    @Test
    @DisplayName("§9: in SQD a new address vector is a new path")
    void addressVector() {
        try (Tape tape = setup().start()) {
            tape.qp.modify(
                    QueuePairAttributes.builder().state(QueuePairState.SQD).build());
            tape.qp.modify(QueuePairAttributes.builder()
                    .addressVector(new AddressVector(Gid.parse("::ffff:192.0.2.9"), 8, 3, 0))
                    .build());
            tape.qp.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RTS).build());
            tape.sendsTo(Gid.parse("::ffff:192.0.2.9")).post(Send.of(1)).out("UC_SEND_ONLY psn=100");
            assertThat(tape.latestPath().trafficClass()).isEqualTo(8);
        }
    }
}
