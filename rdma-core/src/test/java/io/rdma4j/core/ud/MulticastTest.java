package io.rdma4j.core.ud;

import static io.rdma4j.core.ud.DatagramTape.QKEY;
import static io.rdma4j.core.ud.DatagramTape.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §14: multicast groups: who is in them, what they get, and what the network is told. */
class MulticastTest {
    private static final Gid GROUP = Gid.parse("239.1.2.3");
    private static final Gid OTHER_GROUP = Gid.parse("224.0.0.1");
    private static final String TO_GROUP = "UD_SEND_ONLY psn=1 qp=0xffffff qkey=0x12345678 src=5 len=6";

    private static QueuePair another(Tape tape, int qkey) {
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.datagram(tape.receiveQueue));
        qp.activate(qkey);
        return qp;
    }

    private static void refused(ErrorCode code, String word, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code));
        assertThatThrownBy(call).hasMessageContaining(word);
    }

    @Test
    @DisplayName("§14: each attached queue pair takes its own receive; one without a receive just misses the datagram")
    void replication() {
        try (Tape tape = DatagramTape.start();
                QueuePair second = another(tape, QKEY);
                QueuePair third = another(tape, QKEY);
                QueuePair outsider = another(tape, QKEY)) {
            for (QueuePair member : List.of(tape.qp, second, third)) {
                member.attachMulticast(GROUP);
            }
            tape.receive(1, tape.at(0, 100));
            third.postReceive(ReceiveRequest.of(3, tape.at(200, 100)));
            outsider.postReceive(ReceiveRequest.of(4, tape.at(400, 100)));
            tape.inFrom(Tape.PEER, GROUP, 0, TO_GROUP);
            tape.receiveDone("1 SUCCESS RECV 46", "3 SUCCESS RECV 46");
            assertThat(tape.history(tape.receiveQueue))
                    .extracting(WorkCompletion::queuePairNumber)
                    .containsExactly(tape.qp.number(), third.number());
            assertThat(tape.count(DropReason.NO_RECEIVER)).isEqualTo(1);
            assertThat(tape.memory(36, 4)).as("the destination in the route").isEqualTo(new byte[] {(byte) 239, 1, 2, 3
            });
            assertThat(tape.memory(200, 46)).isEqualTo(tape.memory(0, 46));
        }
    }

    @Test
    @DisplayName("§14: a member with another Q_Key, or not yet in RTR, does not take a datagram to its group")
    void onlyThoseThatMatch() {
        try (Tape tape = DatagramTape.setup().upTo(QueuePairState.INIT).start();
                QueuePair otherKey = another(tape, 0x99);
                QueuePair right = another(tape, QKEY)) {
            for (QueuePair member : List.of(tape.qp, otherKey, right)) {
                member.attachMulticast(GROUP);
                member.postReceive(ReceiveRequest.of(member.number(), tape.at(0, 100)));
            }
            tape.inFrom(Tape.PEER, GROUP, 0, TO_GROUP);
            tape.receiveDone(right.number() + " SUCCESS RECV 46");
            assertThat(tape.count(DropReason.BAD_QKEY)).isEqualTo(1);
            assertThat(tape.count(DropReason.WRONG_STATE)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("§14: what goes to a group without members here, or to a group but one queue pair, is dropped")
    void misdirected() {
        try (Tape tape = DatagramTape.start()) {
            tape.receive(1, tape.at(0, 100)).qp.attachMulticast(GROUP);
            tape.inFrom(Tape.PEER, OTHER_GROUP, 0, TO_GROUP).inFrom(Tape.PEER, Tape.HERE, 0, TO_GROUP);
            assertThat(tape.count(DropReason.UNKNOWN_QP)).isEqualTo(2);
            tape.inFrom(Tape.PEER, GROUP, 0, "UD_SEND_ONLY psn=1 qkey=0x12345678");
            assertThat(tape.count(DropReason.WRONG_DESTINATION)).isEqualTo(1);
            tape.inFrom(Tape.PEER, GROUP, 0, "SEND_ONLY psn=1 qp=0xffffff");
            assertThat(tape.count(DropReason.WRONG_TRANSPORT)).isEqualTo(1);
            tape.inFrom(Tape.PEER, GROUP, 0, "0x66 psn=1 qp=0xffffff");
            assertThat(tape.count(DropReason.UNKNOWN_OPCODE)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "§14: joining twice is once: one copy, and one detach ends it; the network hears of first and last only")
    void membership() {
        try (Tape tape = DatagramTape.start();
                QueuePair second = another(tape, QKEY)) {
            tape.qp.attachMulticast(GROUP);
            tape.qp.attachMulticast(GROUP);
            second.attachMulticast(GROUP);
            assertThat(tape.driver.groups).containsExactly(GROUP);
            tape.receive(1, tape.at(0, 100)).receive(2, tape.at(0, 100)).inFrom(Tape.PEER, GROUP, 0, TO_GROUP);
            tape.receiveDone("1 SUCCESS RECV 46");
            tape.qp.detachMulticast(GROUP);
            assertThat(tape.driver.groups).containsExactly(GROUP);
            tape.inFrom(Tape.PEER, GROUP, 0, TO_GROUP).receiveDone();
            second.detachMulticast(GROUP);
            assertThat(tape.driver.groups).isEmpty();
            tape.qp.attachMulticast(GROUP);
            tape.inFrom(Tape.PEER, GROUP, 0, TO_GROUP).receiveDone("2 SUCCESS RECV 46");
        }
    }

    @Test
    @DisplayName("§14: a queue pair that is not in a group cannot leave it")
    void detachOfANonMember() {
        try (Tape tape = DatagramTape.start();
                QueuePair second = another(tape, QKEY)) {
            refused(ErrorCode.EINVAL, "is not in", () -> tape.qp.detachMulticast(GROUP));
            second.attachMulticast(GROUP);
            refused(ErrorCode.EINVAL, "is not in", () -> tape.qp.detachMulticast(GROUP));
            second.detachMulticast(GROUP);
            refused(ErrorCode.EINVAL, "is not in", () -> second.detachMulticast(GROUP));
        }
    }

    @ParameterizedTest
    @DisplayName("§14: what is no multicast group, or not one that this device reaches, is refused")
    @ValueSource(strings = {"192.0.2.2", "223.255.255.255", "240.0.0.0", "::", "fe80::1", "ff0e::1"})
    void noGroups(String text) {
        try (Tape tape = DatagramTape.start()) {
            refused(ErrorCode.EINVAL, "ibv_attach_mcast", () -> tape.qp.attachMulticast(Gid.parse(text)));
            assertThat(tape.driver.groups).isEmpty();
        }
    }

    @Test
    @DisplayName("§14: only a datagram queue pair joins groups")
    void onlyDatagrams() {
        try (Tape tape = new TapeSetup().start()) {
            refused(ErrorCode.EINVAL, "only UD", () -> tape.qp.attachMulticast(GROUP));
        }
    }

    @Test
    @DisplayName("§14: a group that the network refuses has no member, and may be tried again")
    void refusedByTheNetwork() {
        try (Tape tape = DatagramTape.start()) {
            tape.driver.refusesGroups = true;
            refused(ErrorCode.ENOMEM, "no more groups", () -> tape.qp.attachMulticast(GROUP));
            tape.receive(1, tape.at(0, 100))
                    .inFrom(Tape.PEER, GROUP, 0, TO_GROUP)
                    .receiveDone();
            tape.driver.refusesGroups = false;
            tape.qp.attachMulticast(GROUP);
            tape.inFrom(Tape.PEER, GROUP, 0, TO_GROUP).receiveDone("1 SUCCESS RECV 46");
        }
    }

    @Test
    @DisplayName("§14: groups are left when the queue pair is destroyed, reset, or its device closed")
    void leaving() {
        Tape tape = DatagramTape.start();
        try (tape) {
            QueuePair second = another(tape, QKEY);
            second.attachMulticast(GROUP);
            second.attachMulticast(OTHER_GROUP);
            tape.qp.attachMulticast(GROUP);
            second.close();
            assertThat(tape.driver.groups).containsExactly(GROUP);
            tape.qp.modify(DatagramTape.to(QueuePairState.ERR));
            assertThat(tape.driver.groups).as("ERR is no reason to leave").containsExactly(GROUP);
            tape.qp.modify(DatagramTape.to(QueuePairState.RESET));
            assertThat(tape.driver.groups).isEmpty();
            tape.qp.attachMulticast(OTHER_GROUP);
        }
        assertThat(tape.driver.groups).isEmpty();
    }

    @Test
    @DisplayName(
            "§14: a group has a limit of members, and a device one of groups: ENOMEM, and room again after a detach")
    void limits() {
        try (Tape tape = DatagramTape.start()) {
            List<QueuePair> members = new ArrayList<>();
            for (int i = 0; i < tape.engine.config().limits().max(DeviceLimit.MAX_MCAST_QP_ATTACH); i++) {
                members.add(another(tape, QKEY));
                members.get(i).attachMulticast(GROUP);
            }
            refused(ErrorCode.ENOMEM, "members", () -> tape.qp.attachMulticast(GROUP));
            members.get(3).detachMulticast(GROUP);
            tape.qp.attachMulticast(GROUP);
            members.forEach(QueuePair::close);

            for (int i = 1; i < tape.engine.config().limits().max(DeviceLimit.MAX_MCAST_GRP); i++) {
                tape.qp.attachMulticast(Gid.parse("225.0." + (i >> 8) + "." + (i & 255)));
            }
            refused(ErrorCode.ENOMEM, "groups", () -> tape.qp.attachMulticast(OTHER_GROUP));
            tape.qp.attachMulticast(GROUP); // it is there already
            tape.qp.detachMulticast(GROUP);
            tape.qp.attachMulticast(OTHER_GROUP);
        }
    }

    @Test
    @DisplayName("§14: a datagram to a group goes to its address and queue pair number 0xFFFFFF")
    void sending() {
        try (Tape tape = DatagramTape.start();
                AddressHandle way = tape.domain.createAddressHandle(AddressVector.of(GROUP))) {
            tape.sendsTo(GROUP).post(Send.of(1).to(way, DatagramDestination.MULTICAST_QUEUE_PAIR, QKEY));
            tape.out(line(tape, 100, " qp=16777215"));
        }
    }
}
