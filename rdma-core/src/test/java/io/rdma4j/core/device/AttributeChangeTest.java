package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §9: attributes that are changed on a queue pair in use take effect. */
class AttributeChangeTest {
    private static final Gid OTHER = Gid.parse("::ffff:192.0.2.9");

    private static void change(Tape tape, Consumer<QueuePairAttributes.Builder> what) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder();
        what.accept(builder);
        tape.qp.modify(builder.build());
        tape.run();
    }

    private static void state(Tape tape, QueuePairState state) {
        change(tape, b -> b.state(state));
        tape.state(state);
    }

    /** Changes in SQD, with nothing under way, and goes back to RTS. */
    private static void changeDrained(Tape tape, Consumer<QueuePairAttributes.Builder> what) {
        state(tape, QueuePairState.SQD);
        change(tape, what);
        state(tape, QueuePairState.RTS);
    }

    @Test
    @DisplayName("§9: access flags and the RNR timer from RTR to RTS and in RTS")
    void responderAttributes() {
        TapeSetup setup = new TapeSetup().access().upTo(QueuePairState.RTR);
        try (Tape tape = setup.start()) {
            tape.qp.modify(setup.attributes(QueuePairState.RTS).toBuilder()
                    .accessFlags(AccessFlag.REMOTE_WRITE)
                    .minRnrTimer(1)
                    .build());
            tape.in("WRITE_ONLY psn=500 va=0x10000 key=mr dma=1 len=1 A").out("ACK psn=500 syn=0x1f msn=1");
            tape.in("SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x21 msn=1");
            change(tape, b -> b.minRnrTimer(2).accessFlags(AccessFlag.REMOTE_READ));
            tape.in("SEND_ONLY psn=501 A").out("ACK psn=501 syn=0x22 msn=1");
            tape.in("READ_REQUEST psn=501 va=0x10000 key=mr dma=1 A");
            tape.out("READ_RESPONSE_ONLY psn=501 syn=0x1f msn=2 len=1");
            tape.in("WRITE_ONLY psn=502 va=0x10000 key=mr dma=1 len=1 A").out("ACK psn=502 syn=0x61 msn=2");
            tape.events("QP_REQ_ERR");
        }
    }

    @Test
    @DisplayName("§9: in SQD a new address vector is a new path and a new peer")
    void addressVector() {
        try (Tape tape = new Tape()) {
            changeDrained(tape, b -> b.addressVector(new AddressVector(OTHER, 8, 3, 0)));
            tape.sendsTo(OTHER).post(Send.of(1)).out("SEND_ONLY psn=100 A");
            assertThat(tape.latestPath().trafficClass()).isEqualTo(8);
            assertThat(tape.latestPath().hopLimit()).isEqualTo(3);
            assertThat(tape.qp.query().addressVector()).isEqualTo(new AddressVector(OTHER, 8, 3, 0));
            // The old peer is a stranger now.
            tape.in("ACK psn=100").post(Send.of(2).fenced()).out("SEND_ONLY psn=101 A");
            tape.inFrom(OTHER, Tape.HERE, 0, "ACK psn=100");
            tape.inFrom(OTHER, Tape.HERE, 0, "SEND_ONLY psn=500 A").out("ACK psn=500 syn=0x2c msn=0");
        }
    }

    @Test
    @DisplayName("§9: an address vector that changes while draining takes the repetitions, and the budget, with it")
    void addressVectorWhileDraining() {
        try (Tape tape = new Tape()) {
            tape.post(Send.of(1).signaled()).out("SEND_ONLY psn=100 A");
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.addressVector(AddressVector.of(OTHER)));
            tape.sendsTo(OTHER).elapse(70 * Tape.MS).out("SEND_ONLY psn=100 A");
            tape.inFrom(OTHER, Tape.HERE, 0, "ACK psn=100").sendDone("1 SUCCESS SEND 0");
            state(tape, QueuePairState.RTS);
            tape.post(Send.of(2)).out("SEND_ONLY psn=101 A");
        }
    }

    @Test
    @DisplayName("§9: an address vector that changes while a message waits for budget lets it go on to the new peer")
    void addressVectorWhileWaitingForBudget() {
        // The budget is 32 packets.
        TapeSetup setup = new TapeSetup().receiveBuffer(16 << 10);
        try (Tape tape = setup.start();
                QueuePair other = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue))) {
            setup.psn(1000, 2000).connect(other);
            other.postSend(Send.of(1));
            tape.run().post(Send.of(2, tape.at(0, 33 * 256)));
            assertThat(tape.sent()).hasSize(32);
            other.postSend(Send.of(3, tape.at(0, 31 * 256)));
            tape.run().out();
            state(tape, QueuePairState.SQD);
            // The other one has come first, and takes all that is acknowledged.
            tape.in("ACK psn=130");
            assertThat(tape.sent()).hasSize(31).contains("SEND_LAST psn=1031 len=256 A");
            change(tape, b -> b.addressVector(AddressVector.of(OTHER)));
            tape.sendsTo(OTHER).out("SEND_MIDDLE psn=131 len=256", "SEND_LAST psn=132 len=256 A");
        }
    }

    @Test
    @DisplayName(
            "§9: what is acknowledged after the address vector has changed says nothing of the way to the new peer")
    void addressVectorBetweenSendingAndAcknowledgement() {
        // The budget is 32 packets.
        try (Tape tape = new TapeSetup().receiveBuffer(16 << 10).start()) {
            for (int last = 131; last <= 227; last += 32) {
                tape.post(Send.of(1, tape.at(0, 32 * 256))).in("ACK psn=" + last);
            }
            tape.post(Send.of(2));
            assertThat(tape.sent()).hasSize(4 * 32 + 1);
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.addressVector(AddressVector.of(OTHER)));
            tape.sendsTo(OTHER).inFrom(OTHER, Tape.HERE, 0, "ACK psn=228");
            state(tape, QueuePairState.RTS);
            tape.post(Send.of(3, tape.at(0, 64 * 256)));
            assertThat(tape.sent()).hasSize(32);
        }
    }

    @Test
    @DisplayName("§9, §4.4: timeout and retry count")
    void timers() {
        try (Tape tape = new TapeSetup().timeout(0).retries(7, 7).start()) {
            tape.post(Send.of(1))
                    .out("SEND_ONLY psn=100 A")
                    .elapse(100_000 * Tape.MS)
                    .out();
            state(tape, QueuePairState.SQD);
            // From here on, 4.096 us * 2^8, and one repetition.
            change(tape, b -> b.timeout(8).retryCount(1));
            tape.elapse(1_048_575).out().elapse(1).out("SEND_ONLY psn=100 A");
            tape.elapse(1_048_575).sendDone().elapse(1).sendDone("1 RETRY_EXC_ERR");
            assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("1 retries", "timeout code 8");
        }
    }

    @Test
    @DisplayName("§9, §4.4: a timeout made longer, or endless, while draining")
    void longerTimer() {
        try (Tape tape = new TapeSetup().timeout(8).start()) {
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A");
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.timeout(9));
            tape.elapse(2_097_151).out().elapse(1).out("SEND_ONLY psn=100 A");
            change(tape, b -> b.timeout(0));
            tape.elapse(100_000 * Tape.MS).out();
        }
    }

    @Test
    @DisplayName("§9, §6.3: RNR retries")
    void rnrRetries() {
        try (Tape tape = new Tape()) {
            changeDrained(tape, b -> b.rnrRetry(0));
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").in("ACK psn=100 syn=0x21");
            tape.sendDone("1 RNR_RETRY_EXC_ERR");
        }
    }

    @Test
    @DisplayName("§9, §6.1(4): more READs at once, fewer, none")
    void initiatorDepth() {
        try (Tape tape = new TapeSetup().readAtomic(1, 1).start()) {
            changeDrained(tape, b -> b.maxReadAtomic(2));
            RdmaRead read = RdmaRead.of(1, tape.at(0, 8)).from(0, 0);
            tape.post(read, read, read);
            tape.out("READ_REQUEST psn=100 va=0x0 key=0x0 dma=8 A", "READ_REQUEST psn=101 va=0x0 key=0x0 dma=8 A");
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.maxReadAtomic(1));
            tape.elapse(70 * Tape.MS)
                    .out("READ_REQUEST psn=100 va=0x0 key=0x0 dma=8 A", "READ_REQUEST psn=101 va=0x0 key=0x0 dma=8 A");
            tape.in("READ_RESPONSE_ONLY psn=100 len=8", "READ_RESPONSE_ONLY psn=101 len=8");
            tape.out().post(read);
            state(tape, QueuePairState.RTS);
            tape.out("READ_REQUEST psn=102 va=0x0 key=0x0 dma=8 A").in("READ_RESPONSE_ONLY psn=102 len=8");
            tape.out("READ_REQUEST psn=103 va=0x0 key=0x0 dma=8 A").in("READ_RESPONSE_ONLY psn=103 len=8");
            changeDrained(tape, b -> b.maxReadAtomic(0));
            tape.post(read).out().sendDone("1 LOC_QP_OP_ERR");
        }
    }

    @Test
    @DisplayName(
            "§9, §6.1(4): a READ in several requests goes on though the limit was set to 0; a READ not begun fails")
    void initiatorDepthZeroWhileReading() {
        // The budget lets a READ ask for 32 responses at a time.
        try (Tape tape =
                new TapeSetup().receiveBuffer(16 << 10).readAtomic(1, 1).start()) {
            tape.post(
                    RdmaRead.of(1, tape.at(0, 8200)).from(0, 0),
                    RdmaRead.of(2, tape.at(0, 8)).from(0, 0));
            tape.out("READ_REQUEST psn=100 va=0x0 key=0x0 dma=8192 A");
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.maxReadAtomic(0));
            tape.in("READ_RESPONSE_FIRST psn=100 len=256");
            for (int psn = 101; psn < 131; psn++) {
                tape.in("READ_RESPONSE_MIDDLE psn=" + psn + " len=256").out();
            }
            tape.in("READ_RESPONSE_LAST psn=131 len=256");
            tape.out("READ_REQUEST psn=132 va=0x2000 key=0x0 dma=8 A").in("READ_RESPONSE_ONLY psn=132 len=8");
            assertThat(tape.qp.query().isSendQueueDraining()).isFalse();
            change(tape, b -> b.state(QueuePairState.RTS));
            tape.out().sendDone("2 LOC_QP_OP_ERR").state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("§9, §7.4: responder resources grow and shrink with what they remember, newest first")
    void responderResources() {
        try (Tape tape = new TapeSetup().readAtomic(1, 2).start()) {
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=1 A", "FETCH_ADD psn=501 va=0x10000 key=mr add=1 A");
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0", "ATOMIC_ACK psn=501 syn=0x1f msn=2 orig=1");
            changeDrained(tape, b -> b.maxDestinationReadAtomic(3));
            tape.in("FETCH_ADD psn=502 va=0x10000 key=mr add=1 A", "FETCH_ADD psn=500 va=0x10000 key=mr add=1 A");
            tape.out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0", "ATOMIC_ACK psn=502 syn=0x1f msn=3 orig=2");
            changeDrained(tape, b -> b.maxDestinationReadAtomic(1));
            tape.in("FETCH_ADD psn=501 va=0x10000 key=mr add=1 A").out();
            tape.in("FETCH_ADD psn=502 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=502 syn=0x1f msn=3 orig=2");
            tape.in("FETCH_ADD psn=503 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=503 syn=0x1f msn=4 orig=3");
            changeDrained(tape, b -> b.maxDestinationReadAtomic(0));
            tape.in("READ_REQUEST psn=504 A").out("ACK psn=504 syn=0x61 msn=4").events("QP_REQ_ERR");
        }
    }

    @Test
    @DisplayName("§9: responder resources that shrink while answers are due keep those first")
    void responderResourcesWithAnswersDue() {
        try (Tape tape = new TapeSetup().readAtomic(1, 3).start()) {
            tape.in("FETCH_ADD psn=500 va=0x10000 key=mr add=1 A").out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0");
            tape.linkTakes(0)
                    .in(
                            "READ_REQUEST psn=501 va=0x10000 key=mr dma=300 A",
                            "FETCH_ADD psn=503 va=0x10000 key=mr add=1");
            state(tape, QueuePairState.SQD);
            change(tape, b -> b.maxDestinationReadAtomic(2));
            tape.linkTakes(9).run();
            tape.out(
                    "READ_RESPONSE_FIRST psn=501 syn=0x1f msn=2 len=256",
                    "READ_RESPONSE_LAST psn=502 syn=0x1f msn=2 len=44",
                    "ATOMIC_ACK psn=503 syn=0x1f msn=3 orig=1");
        }
    }

    @Test
    @DisplayName("§9: a path for whose peer there is no room is refused with ENOMEM, and nothing is changed")
    void noRoomForAnotherPeer() {
        try (Tape tape = new Tape()) {
            for (int i = 1; i < EngineLimits.MAX_PEERS; i++) {
                tape.engine.lifecycle().reservePeer(vector(i));
            }
            state(tape, QueuePairState.SQD);
            QueuePairAttributes before = tape.qp.query();
            assertThatThrownBy(
                            () -> change(tape, b -> b.timeout(3).minRnrTimer(4).addressVector(AddressVector.of(OTHER))))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ENOMEM));
            assertThat(tape.qp.query()).isEqualTo(before);
            state(tape, QueuePairState.RTS);
            tape.post(Send.of(1)).out("SEND_ONLY psn=100 A").in("ACK psn=100");
            changeDrained(tape, b -> b.timeout(3).addressVector(vector(7)));
            assertThat(tape.qp.query().timeout()).isEqualTo(3);
            // The peer that was left has made room.
            changeDrained(tape, b -> b.addressVector(AddressVector.of(OTHER)));
            tape.sendsTo(OTHER).post(Send.of(2)).out("SEND_ONLY psn=101 A");
        }
    }

    private static AddressVector vector(int i) {
        return AddressVector.of(Gid.parse("::ffff:10.0." + (i >> 8) + "." + (i & 0xFF)));
    }
}
