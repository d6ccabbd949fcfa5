package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What posting refuses, with which code (§9), and where in a list it stopped. */
class PostErrorsTest {
    private static void refused(ErrorCode code, ThrowingCallable post) {
        assertThatThrownBy(post)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static ScatterGatherElement[] elements(Tape tape, int count) {
        ScatterGatherElement[] elements = new ScatterGatherElement[count];
        for (int i = 0; i < count; i++) {
            elements[i] = tape.at(i, 1);
        }
        return elements;
    }

    @Test
    @DisplayName(
            "bug/36: post_recv in RESET is EINVAL, with a full queue ENOMEM, with too many SGEs EINVAL; bad_wr is told")
    void receives() {
        try (Tape tape = new Tape()) {
            QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.receiveQueue)
                    .maxReceiveWorkRequests(3)
                    .maxReceiveScatterGather(2));
            ReceiveRequest good = ReceiveRequest.of(1, elements(tape, 2));
            refused(ErrorCode.EINVAL, () -> qp.postReceive(good));
            new TapeSetup().upTo(QueuePairState.INIT).connect(qp);
            refused(ErrorCode.EINVAL, () -> qp.postReceive(ReceiveRequest.of(2, elements(tape, 3))));
            assertThatThrownBy(() -> qp.postReceive(List.of(good, good, good, good)))
                    .isInstanceOfSatisfying(PostException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.ENOMEM);
                        assertThat(e.index()).isEqualTo(3);
                        assertThat(e.code().code()).isPositive();
                    });
            qp.close();
        }
    }

    @Test
    @DisplayName(
            "bug/36: of a list with a bad request in the middle, those before it are posted and those after it are not")
    void badRequestInTheMiddle() {
        try (Tape tape = new Tape()) {
            ReceiveRequest good = ReceiveRequest.of(1, tape.at(0, 8));
            ReceiveRequest bad = ReceiveRequest.of(2, elements(tape, 5));
            assertThatThrownBy(() -> tape.qp.postReceive(List.of(good, bad, good)))
                    .isInstanceOfSatisfying(PostException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
                        assertThat(e.index()).isEqualTo(1);
                    });
            tape.in("SEND_ONLY psn=500 A", "SEND_ONLY psn=501 A").receiveDone("1 SUCCESS RECV 0");
            tape.out("ACK psn=501 syn=0x2c msn=1");
        }
    }

    @ParameterizedTest
    @DisplayName("§9: post_send before RTS is EINVAL")
    @EnumSource(names = {"RESET", "INIT", "RTR"})
    void sendsBeforeRts(QueuePairState state) {
        try (Tape tape = new TapeSetup().upTo(state).start()) {
            refused(ErrorCode.EINVAL, () -> tape.qp.postSend(Send.inline(1, new byte[1])));
            refused(ErrorCode.EINVAL, () -> tape.qp.postSend(Send.of(1)));
        }
    }

    @Test
    @DisplayName("§6.1: as many SGEs as were asked for go out, one more is EINVAL; a length of 2^32 is no length")
    void elementsOfASend() {
        try (Tape tape = new Tape()) {
            QueuePair qp = tape.domain.createQueuePair(
                    QueuePairConfig.reliable(tape.sendQueue).maxSendScatterGather(32));
            new TapeSetup().connect(qp);
            refused(ErrorCode.EINVAL, () -> qp.postSend(Send.of(1, elements(tape, 33))));
            refused(
                    ErrorCode.EINVAL,
                    () -> qp.postSend(Send.of(1, new ScatterGatherElement(0, 1L << 32, tape.region.localKey()))));
            qp.postSend(Send.of(1, elements(tape, 32)));
            tape.run().out("SEND_ONLY psn=100 len=32 A");
            qp.close();
        }
    }
}
