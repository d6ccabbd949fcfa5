package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lists of requests, good ones and such as only a test would think of. */
@DisplayName("posting lists")
class PostListTest {
    private static final SendRequest GOOD = Send.of(1);
    private static final ReceiveRequest RECEIVE = ReceiveRequest.of(1);

    private static class Endless<T> extends AbstractList<T> {
        private final IntFunction<T> what;

        Endless(IntFunction<T> what) {
            this.what = what;
        }

        @Override
        public T get(int index) {
            return what.apply(index);
        }

        @Override
        public int size() {
            return Integer.MAX_VALUE;
        }
    }

    @Test
    @DisplayName("qp/OverflowSendWr: of max + 1 sends, and of an endless list, max are posted; ENOMEM names the next")
    void overflow() {
        try (Tape tape = new TapeSetup().sendRequests(4).start()) {
            refused(ErrorCode.ENOMEM, 4, () -> tape.qp.postSend(Collections.nCopies(5, GOOD)), "all 4 work requests");
            tape.run();
            assertThat(tape.sent()).hasSize(4);
            refused(ErrorCode.ENOMEM, 0, () -> tape.qp.postSend(List.of(GOOD)), "all 4 work requests");
            tape.run().out();
        }
        try (Tape tape = new TapeSetup().sendRequests(4).start()) {
            tape.post(GOOD);
            refused(ErrorCode.ENOMEM, 3, () -> tape.qp.postSend(new Endless<>(Send::of)), "all 4 work requests");
            tape.run();
            assertThat(tape.sent()).hasSize(4);
        }
    }

    @Test
    @DisplayName("the same for receives")
    void overflowOfReceives() {
        try (Tape tape = new Tape()) {
            QueuePair qp = tape.domain.createQueuePair(
                    QueuePairConfig.reliable(tape.sendQueue).maxReceiveWorkRequests(3));
            new TapeSetup().upTo(QueuePairState.INIT).connect(qp);
            refused(
                    ErrorCode.ENOMEM,
                    3,
                    () -> qp.postReceive(new Endless<>(ReceiveRequest::of)),
                    "all 3 work requests");
            refused(ErrorCode.ENOMEM, 0, () -> qp.postReceive(List.of(RECEIVE)), "all 3 work requests");
            qp.close();
        }
    }

    @Test
    @DisplayName("the same request may stand in a list many times")
    void repeated() {
        try (Tape tape = new Tape()) {
            tape.qp.postSend(List.of(GOOD, GOOD, GOOD));
            tape.run().out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A", "SEND_ONLY psn=102 A");
            tape.qp.postReceive(List.of(RECEIVE, RECEIVE));
            tape.in("SEND_ONLY psn=500", "SEND_ONLY psn=501 A").receiveDone("1 SUCCESS RECV 0", "1 SUCCESS RECV 0");
            tape.sent();
        }
    }

    @Test
    @DisplayName(
            "a list that holds null, itself, or what is no request: EINVAL at that place, what is before it is posted")
    void nonsense() {
        try (Tape tape = new Tape()) {
            refused(ErrorCode.EINVAL, 1, () -> tape.qp.postSend(Arrays.asList(GOOD, null, GOOD)), "request is null");
            tape.run().out("SEND_ONLY psn=100 A");
            List<Object> itself = new ArrayList<>(List.of(GOOD));
            itself.add(itself);
            refused(
                    ErrorCode.EINVAL,
                    1,
                    () -> tape.qp.postSend(PostListTest.<List<SendRequest>>disguised(itself)),
                    "the list fails");
            tape.run().out("SEND_ONLY psn=101 A");
            refused(ErrorCode.EINVAL, 1, () -> tape.qp.postReceive(Arrays.asList(RECEIVE, null)), "request is null");
            List<Object> mixed = new ArrayList<>(List.of(RECEIVE, GOOD));
            refused(
                    ErrorCode.EINVAL,
                    1,
                    () -> tape.qp.postReceive(PostListTest.<List<ReceiveRequest>>disguised(mixed)),
                    "the list fails");
            tape.in("SEND_ONLY psn=500", "SEND_ONLY psn=501 A").receiveDone("1 SUCCESS RECV 0", "1 SUCCESS RECV 0");
            tape.sent();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T disguised(List<Object> list) {
        return (T) list;
    }

    @Test
    @DisplayName("a list that shrinks, throws, or posts while it is read breaks nothing")
    void changing() {
        try (Tape tape = new Tape()) {
            List<SendRequest> shrinking = new ArrayList<>(List.of(GOOD, GOOD, GOOD));
            tape.qp.postSend(
                    new Endless<>(i -> {
                        shrinking.remove(0);
                        return shrinking.get(0);
                    }) {
                        @Override
                        public int size() {
                            return shrinking.size();
                        }
                    });
            tape.run().out("SEND_ONLY psn=100 A", "SEND_ONLY psn=101 A");
            refused(
                    ErrorCode.EINVAL,
                    1,
                    () -> tape.qp.postSend(new Endless<>(i -> {
                        if (i == 1) {
                            throw new IllegalStateException("no more");
                        }
                        return GOOD;
                    })),
                    "no more");
            tape.run().out("SEND_ONLY psn=102 A");
            tape.qp.postSend(new AbstractList<SendRequest>() {
                @Override
                public SendRequest get(int index) {
                    tape.qp.postSend(List.of(Send.of(7).solicited()));
                    return GOOD;
                }

                @Override
                public int size() {
                    return 2;
                }
            });
            tape.run()
                    .out(
                            "SEND_ONLY psn=103 A SE",
                            "SEND_ONLY psn=104 A SE",
                            "SEND_ONLY psn=105 A",
                            "SEND_ONLY psn=106 A");
        }
    }

    @Test
    @DisplayName("§9: in a state that refuses, the first place is named; an empty list is nothing")
    void state() {
        try (Tape tape = new TapeSetup().upTo(QueuePairState.RESET).start()) {
            refused(ErrorCode.EINVAL, 0, () -> tape.qp.postSend(List.of(GOOD, GOOD)), "it must be in RTS");
            refused(ErrorCode.EINVAL, 0, () -> tape.qp.postReceive(List.of(RECEIVE, RECEIVE)), "is in RESET");
            tape.qp.postSend(List.of());
            tape.qp.postReceive(List.of());
            tape.run().out();
        }
    }

    private static void refused(ErrorCode code, int index, ThrowingCallable call, String words) {
        assertThatExceptionOfType(PostException.class)
                .isThrownBy(call)
                .withMessageContaining(words)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code))
                .satisfies(e -> assertThat(e.index()).isEqualTo(index))
                .satisfies(e -> assertThat(e.getCause()).isInstanceOf(RdmaException.class));
    }
}
