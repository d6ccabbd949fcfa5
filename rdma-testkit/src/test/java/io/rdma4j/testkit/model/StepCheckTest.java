package io.rdma4j.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.model.Prediction.Alternative;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the comparison of a step notices: a device completes two receives flushed, and the reference says otherwise. */
class StepCheckTest {
    private static final QueueKey RECEIVES = new QueueKey(0, true);

    private final Fabric fabric = new Fabric(1);
    private final ModelNode node =
            new ModelNode(fabric.addDevice("a", Gid.parse("::ffff:192.0.2.2")), 1, true, new SplittableRandom(1));
    private final Prediction prediction = new Prediction();
    private final OutcomeTally tally = new OutcomeTally();

    @BeforeEach
    void flushTwoReceives() {
        modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(Rights.ALL));
        node.postReceive(0, new PostedReceive(RECEIVES.id(7), List.of()));
        node.postReceive(0, new PostedReceive(RECEIVES.id(8), List.of()));
        modify(QueuePairAttributes.builder().state(QueuePairState.ERR));
        fabric.runUntilIdle(1_000);
    }

    private void modify(QueuePairAttributes.Builder attributes) {
        node.queuePair(0).modify(attributes.build());
    }

    @AfterEach
    void close() {
        node.close();
        fabric.close();
    }

    @Test
    void whatIsAsForeseenPassesAndIsCounted() {
        prediction.exactly(RECEIVES, List.of(flushed(7)));
        prediction.exactly(RECEIVES, List.of(flushed(8)));

        check();

        assertThat(tally.of(WorkCompletionStatus.WR_FLUSH_ERR)).isEqualTo(2);
    }

    @Test
    void missingCompletionIsNoticed() {
        prediction.exactly(RECEIVES, List.of(flushed(7), flushed(8), flushed(9)));

        assertRefused();
    }

    @Test
    void completionThatNobodyForesawIsNoticed() {
        assertRefused();
    }

    @Test
    void wrongOrderIsNoticed() {
        prediction.exactly(RECEIVES, List.of(flushed(8), flushed(7)));

        assertRefused();
    }

    @Test
    void wrongStatusIsNoticed() {
        prediction.exactly(
                RECEIVES, List.of(flushed(7), Expected.error(RECEIVES.id(8), WorkCompletionStatus.LOC_LEN_ERR)));

        assertRefused();
    }

    @Test
    void successWithItsLengthIsNotAFlush() {
        Expected success = new Expected(RECEIVES.id(8), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0);
        prediction.exactly(RECEIVES, List.of(flushed(7), success));

        assertRefused();
    }

    @Test
    void ofSeveralWaysTheOneThatHappenedHasItsConsequences() {
        AtomicInteger consequences = new AtomicInteger();
        prediction.oneOf(
                RECEIVES,
                List.of(
                        new Alternative(List.of(flushed(8)), () -> consequences.addAndGet(1)),
                        new Alternative(List.of(flushed(7), flushed(8)), () -> consequences.addAndGet(10))));

        check();

        assertThat(consequences).hasValue(10);
    }

    @Test
    void wrongStateIsNoticed() {
        ReferenceQueuePair working = new ReferenceQueuePair();

        assertThatThrownBy(() -> StepCheck.state("A", 0, working, node))
                .isInstanceOf(ModelMismatch.class)
                .hasMessageContaining("ERR");
    }

    @Test
    void wrongByteIsNoticedUnlessAFailedRequestMayHaveWrittenIt() {
        byte[] other = {(byte) ~node.bytes()[100]};
        node.reference().write(100, other, 0, 1);

        assertThatThrownBy(() -> StepCheck.memory("A", node))
                .isInstanceOf(ModelMismatch.class)
                .hasMessageContaining("byte 100");

        node.reference().forget(100, 1);
        StepCheck.memory("A", node);
        StepCheck.memory("A", node); // it is known again, and right
    }

    private void check() {
        StepCheck.completions("A", prediction, node, tally);
    }

    private void assertRefused() {
        assertThatThrownBy(this::check).isInstanceOf(ModelMismatch.class).hasMessageContaining("instead of");
    }

    private static Expected flushed(int serial) {
        return Expected.flush(RECEIVES.id(serial));
    }
}
