package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is built wrong is told at the end, and then nothing of the batch is posted. */
@DisplayName("mistakes in send batches (§19)")
class SendBatchMistakesTest {
    private static final long THERE = 0x7000;
    private static final int KEY = 0x4711;
    private static final int INLINE = 32;

    /** What is wrong with the second request of a batch, and words that the refusal must have. */
    private enum Mistake {
        INLINE_READ(batch -> batch.rdmaRead(THERE, KEY).inlineData(bytes(1)), "no inline data"),
        INLINE_ATOMIC(batch -> batch.fetchAndAdd(THERE, KEY, 1).inlineData(new byte[8], 0, 8), "no inline data"),
        TOO_MUCH_INLINE(
                batch -> batch.send().inlineData(new byte[INLINE], 0, INLINE).inlineData(bytes(1)),
                "max_inline_data is 32"),
        INLINE_AND_ELEMENTS(batch -> batch.send().inlineData(bytes(1)).element(0, 1, 1), "it has inline data"),
        ELEMENTS_AND_INLINE(batch -> batch.send().element(0, 1, 1).inlineData(bytes(1)), "it has elements"),
        TOO_MANY_ELEMENTS(
                batch -> {
                    batch.send();
                    for (int i = 0; i < 5; i++) {
                        batch.element(0, 1, 1);
                    }
                },
                "more than 4"),
        NEGATIVE_LENGTH(batch -> batch.send().element(0, -1, 1), "-1 is no 32-bit length"),
        LONG_ELEMENT(batch -> batch.send().element(0, 1L << 32, 1), "no 32-bit length"),
        BEYOND_THE_ARRAY(batch -> batch.send().inlineData(new byte[4], 3, 2), "not within an array of 4"),
        NULL_REQUEST(batch -> batch.add(SendBatchMistakesTest.nothing()), "request is null"),
        NULL_DATA(batch -> batch.send().inlineData(SendBatchMistakesTest.<ByteBuffer>nothing()), "data is null"),
        NULL_ARRAY(batch -> batch.send().inlineData(SendBatchMistakesTest.<byte[]>nothing(), 0, 0), "data is null"),
        NULL_REGION(
                batch -> batch.send().element(SendBatchMistakesTest.<MemoryRegion>nothing(), 0, 0), "region is null"),
        NULL_ELEMENTS(batch -> batch.send().elements(nothing()), "elements is null"),
        NULL_PIECES(batch -> batch.send().inlineDataList(nothing()), "pieces is null"),
        NULL_PIECE(batch -> batch.send().inlineDataList(Arrays.asList(bytes(1), null)), "data is null"),
        NULL_WINDOW(batch -> batch.bindMemoryWindow(nothing(), nothing(), 0), "window is null"),
        CONNECTION_WITH_ADDRESS(batch -> batch.send().to(nothing(), 1, 2), "");

        private final Consumer<SendBatch> make;
        private final String words;

        Mistake(Consumer<SendBatch> make, String words) {
            this.make = make;
            this.words = words;
        }
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    @DisplayName("complete tells the first error and its place, posts nothing, and the next batch is a fresh one")
    void firstError(Mistake mistake) {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends();
            batch.signaled().send();
            mistake.make.accept(batch);
            batch.send().element(0, -7, 1);
            assertThatExceptionOfType(RdmaException.class)
                    .isThrownBy(batch::complete)
                    .withMessageStartingWith("EINVAL: request 1 of the batch: ")
                    .withMessageContaining(mistake.words)
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL));
            tape.run().out();
            SendBatch next = tape.qp.startSends();
            assertThat(next).isSameAs(batch);
            assertThat(next.size()).isZero();
            next.send().complete();
            tape.run().out("SEND_ONLY psn=100 A");
        }
    }

    @Test
    @DisplayName("elements without a request are an error too")
    void noRequest() {
        try (Tape tape = tape()) {
            SendBatch batch = tape.qp.startSends().element(0, 1, 1).send();
            refused(ErrorCode.EINVAL, batch::complete, "no request is begun");
            refused(
                    ErrorCode.EINVAL,
                    () -> tape.qp.startSends().inlineData(bytes(1)).complete(),
                    "no request is begun");
        }
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private static Tape tape() {
        return new TapeSetup().inlineData(INLINE).start();
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String words) {
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(call)
                .withMessageContaining(words)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
