package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §10: events of completion queues, from arming to acknowledging. */
@Timeout(60)
class CompletionChannelTest {
    private final Tape tape = new Tape();
    private final CompletionChannel channel = tape.device.createCompletionChannel();
    private final Source one = new Source();
    private final Source two = new Source();

    /** A completion queue whose queue pair is in ERR, so that each receive completes at once. */
    private final class Source {
        private final WorkCompletion[] done = WorkCompletion.array(4);
        final CompletionQueue queue = tape.device.createCompletionQueue(8, channel);
        final QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(queue));

        Source() {
            TapeSetup setup = new TapeSetup();
            setup.connect(qp);
            qp.modify(setup.attributes(QueuePairState.ERR));
        }

        void complete() {
            qp.postReceive(ReceiveRequest.of(1));
            tape.run();
        }

        /** Arms, completes and polls: an event for the channel. */
        void raise() {
            assertThat(queue.arm(false)).isFalse();
            complete();
            assertThat(queue.poll(done)).isEqualTo(1);
        }
    }

    @AfterEach
    void close() {
        tape.device.close(); // whatever a test left open
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(words);
    }

    private List<CompletionQueue> drain() {
        List<CompletionQueue> queues = new ArrayList<>();
        CompletionQueue next = channel.await(Duration.ZERO);
        while (next != null) {
            next.acknowledgeEvents(1);
            queues.add(next);
            next = channel.await(Duration.ZERO);
        }
        return queues;
    }

    @Test
    @DisplayName("§10: the events of several queues come in the order in which they happened")
    void fifo() {
        two.raise();
        one.raise();
        assertThat(drain()).containsExactly(two.queue, one.queue);
        one.raise();
        two.raise();
        assertThat(drain()).containsExactly(one.queue, two.queue);
    }

    @Test
    @DisplayName("§10: a queue with several undelivered events gives one and lets the others have their turn")
    void takingTurns() {
        one.raise();
        one.raise();
        one.raise();
        two.raise();
        assertThat(drain()).containsExactly(one.queue, two.queue, one.queue, one.queue);
    }

    @Test
    @DisplayName("§10: a consumer that arms and never waits fills no memory, and yet finds every event later")
    void undeliveredEventsAreCounted() {
        SoftCompletionChannel soft = (SoftCompletionChannel) channel;
        for (int i = 0; i < 5_000; i++) {
            one.raise();
            two.raise();
            assertThat(soft.queuesInLine()).isEqualTo(2);
        }
        assertThat(drain()).hasSize(10_000);
        assertThat(soft.queuesInLine()).isZero();
    }

    @Test
    @DisplayName("§10: what was there before arming raises no event, and arm says that it is there")
    void armTooLate() {
        one.complete();
        assertThat(one.queue.arm(false)).as("poll again").isTrue();
        assertThat(channel.await(Duration.ZERO)).isNull();
        one.complete();
        assertThat(drain()).containsExactly(one.queue);
    }

    @Test
    @DisplayName("§10: one shot: after the event nothing comes until the queue is armed again")
    void oneShot() {
        one.raise();
        one.complete();
        one.complete();
        assertThat(drain()).containsExactly(one.queue);
        assertThat(one.queue.poll(one.done)).isEqualTo(2);
        one.raise();
        assertThat(drain()).containsExactly(one.queue);
    }

    @Test
    @DisplayName("§10: as many acknowledgements as events taken; more are EINVAL and change nothing")
    void accounting() {
        one.raise();
        one.raise();
        refused(ErrorCode.EINVAL, () -> one.queue.acknowledgeEvents(1), "1 of 0 unacknowledged");
        channel.await(Duration.ZERO);
        channel.await(Duration.ZERO);
        refused(ErrorCode.EINVAL, () -> one.queue.acknowledgeEvents(3), "3 of 2 unacknowledged");
        refused(ErrorCode.EINVAL, () -> one.queue.acknowledgeEvents(-1), "-1 of 2");
        refused(ErrorCode.EINVAL, () -> two.queue.acknowledgeEvents(1), "1 of 0");
        one.qp.close();
        one.queue.acknowledgeEvents(1);
        refused(ErrorCode.EBUSY, one.queue::close, "1 unacknowledged");
        one.queue.acknowledgeEvents(1);
        one.queue.acknowledgeEvents(0);
        one.queue.close();
    }

    @Test
    @DisplayName("§10: a queue without a channel has no events to acknowledge")
    void accountingWithoutChannel() {
        tape.sendQueue.acknowledgeEvents(0);
        refused(ErrorCode.EINVAL, () -> tape.sendQueue.acknowledgeEvents(1), "1 of 0");
    }

    @Test
    @DisplayName("§10: what nobody took of a queue goes with it, and nothing of the others")
    void closedQueueLeavesTheLine() {
        one.raise();
        two.raise();
        one.raise();
        one.qp.close();
        one.queue.close();
        assertThat(drain()).containsExactly(two.queue);
        refused(ErrorCode.EBUSY, channel::close, two.queue.toString());
        two.qp.close();
        two.queue.close();
        channel.close();
        refused(ErrorCode.EBADF, () -> channel.await(Duration.ZERO), "closed");
    }

    @Test
    @DisplayName("§10: an event is either taken, and the queue stays until it is acknowledged, or gone with the queue")
    void awaitAgainstClose() throws Exception {
        for (int round = 0; round < 3_000; round++) {
            Source source = new Source();
            source.raise();
            source.qp.close();
            CyclicBarrier together = new CyclicBarrier(2);
            CompletableFuture<CompletionQueue> taken = CompletableFuture.supplyAsync(() -> {
                meet(together);
                return channel.await(Duration.ZERO);
            });
            meet(together);
            boolean closed = true;
            try {
                source.queue.close();
            } catch (RdmaException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.EBUSY);
                closed = false;
            }
            CompletionQueue event = taken.get(10, TimeUnit.SECONDS);
            assertThat(closed).as("round %d", round).isEqualTo(event == null);
            if (event != null) {
                event.acknowledgeEvents(1);
                event.close();
            }
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000001S", "PT-2562047788015215H"})
    @DisplayName("§10: zero and negative timeouts look and return; short ones wait that long")
    void shortTimeouts(Duration timeout) {
        assertThat(channel.await(timeout)).isNull();
        one.raise();
        assertThat(channel.await(timeout)).isSameAs(one.queue);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("§10: closing wakes every waiter, of the channel and of the device, even those that wait for ever")
    void closeWakesAll(boolean closeDevice) throws Exception {
        CompletionChannel idle = tape.device.createCompletionChannel();
        List<CompletableFuture<ErrorCode>> outcomes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            outcomes.add(waiter(() -> idle.await(Duration.ofSeconds(Long.MAX_VALUE))));
            if (closeDevice) {
                outcomes.add(waiter(() -> tape.device.awaitAsyncEvent(Duration.ofSeconds(Long.MAX_VALUE))));
            }
        }
        if (closeDevice) {
            tape.device.close();
        } else {
            idle.close();
        }
        for (CompletableFuture<ErrorCode> outcome : outcomes) {
            assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(ErrorCode.EBADF);
        }
    }

    @Test
    @DisplayName("an interrupted waiter gets EINTR and stays interrupted; its event waits for the next")
    void interrupted() throws Exception {
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                channel.await(Duration.ofSeconds(Long.MAX_VALUE));
                stillInterrupted.complete(false);
            } catch (RdmaException e) {
                stillInterrupted.complete(
                        e.code() == ErrorCode.EINTR && Thread.currentThread().isInterrupted());
            }
        });
        thread.start();
        thread.interrupt();
        assertThat(stillInterrupted.get(10, TimeUnit.SECONDS)).isTrue();
        one.raise();
        assertThat(drain()).containsExactly(one.queue);
    }

    /** Starts a thread in a call and returns when it waits there; the future has the error that ended the wait. */
    private static CompletableFuture<ErrorCode> waiter(Runnable call) {
        CompletableFuture<ErrorCode> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                call.run();
                outcome.completeExceptionally(new AssertionError("the wait ended well"));
            } catch (RdmaException e) {
                outcome.complete(e.code());
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return outcome;
    }
}
