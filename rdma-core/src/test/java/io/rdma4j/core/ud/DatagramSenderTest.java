package io.rdma4j.core.ud;

import static io.rdma4j.core.ud.DatagramTape.QKEY;
import static io.rdma4j.core.ud.DatagramTape.line;
import static io.rdma4j.core.ud.DatagramTape.to;
import static io.rdma4j.core.ud.DatagramTape.toPeer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
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

/** §14, §6.1(7): a datagram queue pair sends, each request one packet that is done when it is out. */
class DatagramSenderTest {
    private static final int PEER = Tape.PEER_QP;

    @Test
    @DisplayName("§14, §6.1(7): one packet for each SEND, complete when the link has it, without an answer")
    void sends() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.bytes.put(7, PacketText.payload(9, 33));
            tape.post(
                    Send.of(1, tape.at(7, 33)).to(way, PEER, QKEY).signaled(),
                    Send.of(2).to(way, PEER, QKEY),
                    SendWithImmediate.of(3, 0x01020304, tape.at(0, 4096))
                            .to(way, PEER, 0x55)
                            .solicited()
                            .signaled());
            tape.out(
                    line(tape, 100, " len=33"),
                    line(tape, 101, ""),
                    line(tape, "UD_SEND_ONLY_WITH_IMMEDIATE", 102, 0x55, " imm=0x1020304 len=4096 SE"));
            assertThat(tape.payload(2)).isEqualTo(PacketText.payload(9, 33));
            tape.sendDone("1 SUCCESS SEND 33", "3 SUCCESS SEND 4096");
            assertThat(tape.engine.nextDeadlineNs()).as("nothing is awaited").isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    @DisplayName("§14: each request has its own destination: address, queue pair and Q_Key")
    void destinations() {
        Gid other = Gid.parse("192.0.2.77");
        try (Tape tape = DatagramTape.start();
                AddressHandle way = tape.domain.createAddressHandle(new AddressVector(other, 0x68, 9, 0x12345))) {
            tape.sendsTo(other).post(Send.of(1).to(way, 0x99, 5));
            tape.out(line(tape, "UD_SEND_ONLY", 100, 5, " qp=153"));
            assertThat(tape.latestPath()).isEqualTo(new Path(Tape.HERE, other, 0x68, 9, 0x12345));
        }
    }

    @Test
    @DisplayName(
            "§3: a remote Q_Key with the top bit set stands for the queue pair's own, as it is when the packet goes")
    void ownQkey() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.post(Send.of(1).to(way, PEER, 0x80000001)).out(line(tape, 100, ""));
            tape.qp.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.RTS)
                    .qkey(0x77)
                    .build());
            tape.post(Send.of(1).to(way, PEER, -1)).out(line(tape, "UD_SEND_ONLY", 101, 0x77, ""));
        }
    }

    @Test
    @DisplayName("§6.1(9): inline data is copied when posted")
    void inline() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            byte[] bytes = {1, 2, 3};
            tape.qp.postSend(Send.inline(1, bytes).to(way, PEER, QKEY));
            bytes[0] = 9;
            tape.run().out(line(tape, 100, " len=3"));
            assertThat(tape.payload(0)).containsExactly(1, 2, 3);
        }
    }

    @Test
    @DisplayName("§14: what was posted goes its way though its address handle was closed meanwhile")
    void closedHandle() {
        try (Tape tape = DatagramTape.start()) {
            AddressHandle way = toPeer(tape);
            tape.qp.postSend(Send.of(1).to(way, PEER, QKEY).signaled());
            way.close();
            tape.run().out(line(tape, 100, "")).sendDone("1 SUCCESS SEND 0");
            refused(tape, Send.of(2).to(way, PEER, QKEY), "address handle to", "is closed");
        }
    }

    @Test
    @DisplayName(
            "§6.1(7): a link that takes nothing for a while: requests wait, none completes before its packet is out")
    void blocked() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.linkTakes(1);
            for (int id = 1; id <= 3; id++) {
                tape.qp.postSend(Send.of(id).to(way, PEER, QKEY).signaled());
            }
            tape.run().out(line(tape, 100, "")).sendDone("1 SUCCESS SEND 0");
            tape.linkTakes(9).run().out(line(tape, 101, ""), line(tape, 102, ""));
            tape.sendDone("2 SUCCESS SEND 0", "3 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("bug/10: a datagram whose completion was seen is out, whatever becomes of its queue pair")
    void destroyed() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.post(Send.of(1, tape.at(0, 9)).to(way, PEER, QKEY).signaled());
            tape.sendDone("1 SUCCESS SEND 9");
            String line = line(tape, 100, " len=9");
            tape.qp.close();
            tape.run().out(line);
        }
    }

    @Test
    @DisplayName("§5: PSNs wrap")
    void psnWraps() {
        try (Tape tape = DatagramTape.setup().psn(0xFFFFFF, 0).start();
                AddressHandle way = toPeer(tape)) {
            tape.post(Send.of(1).to(way, PEER, QKEY), Send.of(2).to(way, PEER, QKEY));
            tape.out(line(tape, 0xFFFFFF, ""), line(tape, 0, ""));
        }
    }

    static List<SendRequest> otherOperations() {
        ScatterGatherElement nothing = new ScatterGatherElement(0, 0, 0);
        ScatterGatherElement word = new ScatterGatherElement(Tape.BASE, 8, 0);
        return List.of(
                RdmaWrite.of(1, nothing).to(Tape.BASE, 1),
                RdmaWriteWithImmediate.of(1, 5, nothing).to(Tape.BASE, 1),
                RdmaRead.of(1, nothing).from(Tape.BASE, 1),
                FetchAndAdd.of(1, word, 1).at(Tape.BASE, 1),
                CompareAndSwap.of(1, word, 1, 2).at(Tape.BASE, 1),
                SendWithInvalidate.of(1, 7));
    }

    @ParameterizedTest
    @DisplayName("§8.2, §14: any other operation is LOC_QP_OP_ERR, and the send queue goes to SQE")
    @MethodSource("otherOperations")
    void otherOperation(SendRequest request) {
        try (Tape tape = DatagramTape.start()) {
            tape.post(request).out().sendDone("1 LOC_QP_OP_ERR").state(QueuePairState.SQE);
        }
    }

    @Test
    @DisplayName("§6.1(12), §8.2: a message longer than the MTU of the port is LOC_LEN_ERR")
    void tooLong() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.post(Send.of(1, tape.at(0, 4097)).to(way, PEER, QKEY));
            tape.out().sendDone("1 LOC_LEN_ERR").state(QueuePairState.SQE);
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("4097 bytes", "MTU of the port is 4096");
        }
    }

    @Test
    @DisplayName("§8.2: a bad lkey is LOC_PROT_ERR; so is memory of another domain")
    void badKey() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape);
                ProtectionDomain otherDomain = tape.device.allocateProtectionDomain();
                MemoryRegion foreign =
                        otherDomain.registerMemory(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE)) {
            tape.post(Send.of(1, new ScatterGatherElement(Tape.BASE, 4, tape.region.localKey() ^ 1))
                    .to(way, PEER, QKEY));
            tape.out().sendDone("1 LOC_PROT_ERR").state(QueuePairState.SQE);
            tape.qp.modify(to(QueuePairState.RTS));
            tape.post(Send.of(2, foreign.slice(0, 4)).to(way, PEER, QKEY));
            tape.out().sendDone("2 LOC_PROT_ERR").state(QueuePairState.SQE);
        }
    }

    @Test
    @DisplayName("§14, §8.2: an address handle of another protection domain is LOC_QP_OP_ERR")
    void handleOfAnotherDomain() {
        try (Tape tape = DatagramTape.start();
                ProtectionDomain otherDomain = tape.device.allocateProtectionDomain();
                AddressHandle way = otherDomain.createAddressHandle(AddressVector.of(Tape.PEER))) {
            tape.post(Send.of(1).to(way, PEER, QKEY));
            tape.out().sendDone("1 LOC_QP_OP_ERR").state(QueuePairState.SQE);
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("address handle", "protection domain");
        }
    }

    @Test
    @DisplayName("§9, §8.2: a failed send leads to SQE: later sends are flushed, receives go on, and RTS sends again")
    void sendQueueError() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.receive(10, tape.at(0, 99)).receive(11, tape.at(0, 99));
            tape.post(
                    Send.of(1).to(way, PEER, QKEY).signaled(),
                    RdmaWrite.of(2).to(0, 0),
                    Send.of(3).to(way, PEER, QKEY),
                    Send.of(4).to(way, PEER, QKEY).signaled());
            tape.out(line(tape, 100, "")).state(QueuePairState.SQE).events();
            tape.sendDone("1 SUCCESS SEND 0", "2 LOC_QP_OP_ERR", "3 WR_FLUSH_ERR", "4 WR_FLUSH_ERR");
            assertThat(tape.history(tape.sendQueue).get(3).cause()).contains("LOC_QP_OP_ERR");

            tape.in("UD_SEND_ONLY qkey=0x12345678 len=5").receiveDone("10 SUCCESS RECV 45");
            tape.post(Send.of(5).to(way, PEER, QKEY)).out().sendDone("5 WR_FLUSH_ERR");

            tape.qp.modify(to(QueuePairState.RTS));
            tape.post(Send.of(6).to(way, PEER, QKEY).signaled());
            tape.out(line(tape, 101, "")).sendDone("6 SUCCESS SEND 0");
            tape.in("UD_SEND_ONLY qkey=0x12345678").receiveDone("11 SUCCESS RECV 40");
        }
    }

    @Test
    @DisplayName("§9: in SQD requests wait, and RTS sends them; nothing is ever in progress, so it is drained at once")
    void drained() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = toPeer(tape)) {
            tape.post(Send.of(1).to(way, PEER, QKEY)).out(line(tape, 100, ""));
            tape.qp.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.SQD)
                    .sqdAsyncNotify(true)
                    .build());
            tape.run().events("SQ_DRAINED");
            tape.post(Send.of(2).to(way, PEER, QKEY).signaled()).out();
            tape.qp.modify(to(QueuePairState.RTS));
            tape.run().out(line(tape, 101, "")).sendDone("2 SUCCESS SEND 0");
        }
    }

    @Test
    @DisplayName("§14: a send without destination is refused when posted, with words")
    void withoutDestination() {
        try (Tape tape = DatagramTape.start()) {
            refused(tape, Send.of(1), "without destination");
            refused(tape, SendWithImmediate.of(1, 2), "without destination");
            tape.state(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("§14: a destination is refused on a connection, which has its peer")
    void destinationOfAConnection() {
        try (Tape tape = new Tape();
                AddressHandle way = toPeer(tape)) {
            refused(tape, Send.of(1).to(way, PEER, QKEY), "is a connection (");
        }
    }

    @Test
    @DisplayName("§14: an address handle of another device context is refused when posted")
    void handleOfAnotherDevice() {
        try (Tape tape = DatagramTape.start();
                Tape otherTape = new Tape();
                AddressHandle way = toPeer(otherTape)) {
            refused(tape, Send.of(1).to(way, PEER, QKEY), "another device context");
        }
    }

    private static void refused(Tape tape, SendRequest request, String... words) {
        assertThatThrownBy(() -> tape.qp.postSend(request)).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
            assertThat(e).hasMessageContainingAll(words);
        });
        tape.run().nothingMore();
    }
}
