package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.tape.InlineDriver;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Life and death of objects, posting by state, and the events of §10. */
class ObjectsTest {
    private final Tape tape = new Tape();

    @AfterEach
    void nothingMore() {
        tape.close();
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(List.of(words)).allSatisfy(word -> assertThat(e).hasMessageContaining(word));
        });
    }

    @Test
    @DisplayName("§10, §11.1: a parent in use refuses to close and names its children")
    void busy() {
        String qp = String.format("queue pair 0x%06x", tape.qp.number());
        String region = String.format("memory region 0x%08x", tape.region.localKey());
        refused(ErrorCode.EBUSY, tape.domain::close, qp, region);
        refused(ErrorCode.EBUSY, tape.sendQueue::close, qp);
        refused(ErrorCode.EBUSY, tape.receiveQueue::close, qp);
        CompletionChannel channel = tape.device.createCompletionChannel();
        CompletionQueue queue = tape.device.createCompletionQueue(1, channel);
        refused(ErrorCode.EBUSY, channel::close, "completion queue");
        queue.close();
        channel.close();
        tape.post(Send.of(1)).out("SEND_ONLY psn=100 A");
    }

    @Test
    @DisplayName("closing twice is closing once, also after the device")
    void idempotent() {
        Tape other = new Tape();
        other.qp.close();
        other.qp.close();
        other.device.close();
        other.device.close();
        other.domain.close();
        other.region.close();
        other.sendQueue.close();
        refused(ErrorCode.ENODEV, other.device::allocateProtectionDomain);
        refused(ErrorCode.EBADF, () -> other.device.awaitAsyncEvent(Duration.ZERO));
    }

    @Test
    @DisplayName("closing the device closes what is open, in order")
    void deviceCloses() {
        Tape other = new Tape();
        other.device.close();
        assertThat(other.qp.state()).isEqualTo(QueuePairState.RESET);
        refused(ErrorCode.EBADF, () -> other.qp.postReceive(ReceiveRequest.of(1)), "closed");
    }

    @Test
    @DisplayName("a closed object is refused")
    void closedObjects() {
        CompletionQueue closed = tape.device.createCompletionQueue(1);
        closed.close();
        refused(ErrorCode.EINVAL, () -> tape.domain.createQueuePair(QueuePairConfig.reliable(closed)), "closed");
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue));
        qp.close();
        refused(ErrorCode.EBADF, () -> qp.postSend(Send.of(1)), "closed");
        refused(ErrorCode.EBADF, () -> qp.postReceive(ReceiveRequest.of(1)), "closed");
        refused(ErrorCode.EBADF, qp::query, "closed");
        MemoryRegion region = tape.register("gone", ByteBuffer.allocateDirect(8), 0x90000);
        region.close();
        refused(ErrorCode.EBADF, () -> region.longAcquire(0), "closed");
        refused(ErrorCode.EBADF, () -> region.longRelease(0, 1), "closed");
        CompletionChannel channel = tape.device.createCompletionChannel();
        CompletionQueue queue = tape.device.createCompletionQueue(1, channel);
        queue.close();
        channel.close();
        refused(ErrorCode.EBADF, () -> queue.arm(false), "closed");
    }

    /** Lets something happen between a call and its turn on the owner thread. */
    private static final class OvertakenDriver implements DeviceDriver {
        private Runnable earlier = () -> {};

        @Override
        public <T> T call(Supplier<T> command) {
            Runnable first = earlier;
            earlier = () -> {};
            first.run();
            return command.get();
        }

        @Override
        public boolean isOwnerThread() {
            return false;
        }

        @Override
        public void close() {
            // The engine goes on for the other context.
        }
    }

    @Test
    @DisplayName("what closes while a command is on its way is closed for the command")
    void overtakenByClose() {
        OvertakenDriver driver = new OvertakenDriver();
        SoftDevice context = new SoftDevice("second", tape.engine, driver);
        CompletionChannel channel = context.createCompletionChannel();
        driver.earlier = channel::close;
        refused(ErrorCode.EINVAL, () -> context.createCompletionQueue(1, channel), "completion channel");
        driver.earlier = context::close;
        refused(ErrorCode.ENODEV, context::allocateProtectionDomain, "closed");
    }

    @Test
    @DisplayName("objects of another device or another context on the same are refused")
    void foreigners() {
        Tape other = new Tape();
        refused(
                ErrorCode.EINVAL,
                () -> tape.domain.createQueuePair(QueuePairConfig.reliable(other.sendQueue)),
                "another");
        CompletionChannel channel = other.device.createCompletionChannel();
        refused(ErrorCode.EINVAL, () -> tape.device.createCompletionQueue(1, channel), "another");
        channel.close();
        other.close();
        SoftDevice context = new SoftDevice("second", tape.engine, new InlineDriver());
        CompletionQueue queue = context.createCompletionQueue(1);
        refused(ErrorCode.EINVAL, () -> tape.domain.createQueuePair(QueuePairConfig.reliable(queue)), "another");
        context.close();
    }

    @Test
    @DisplayName("events of an object go to the context that made it")
    void eventsPerContext() {
        SoftDevice context = new SoftDevice("second", tape.engine, new InlineDriver());
        tape.in("SEND_LAST psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
        assertThat(context.awaitAsyncEvent(Duration.ZERO)).isNull();
        AsyncEvent event = tape.device.awaitAsyncEvent(Duration.ZERO);
        assertThat(event).isNotNull();
        assertThat(event.elementNumber()).isEqualTo(tape.qp.number());
        context.close();
    }

    @Test
    @DisplayName("events that nobody takes are bounded, and counted when lost")
    void eventBound() {
        TapeSetup setup = new TapeSetup();
        for (int i = 0; i < EngineLimits.MAX_ASYNC_EVENTS + 3; i++) {
            tape.in("SEND_LAST psn=500 len=1");
            tape.qp.modify(setup.attributes(QueuePairState.RESET));
            setup.connect(tape.qp);
        }
        assertThat(tape.count(Counter.ASYNC_EVENT_DROPPED)).isEqualTo(3);
        for (int i = 0; i < EngineLimits.MAX_ASYNC_EVENTS; i++) {
            assertThat(tape.device.awaitAsyncEvent(Duration.ZERO)).isNotNull();
        }
        tape.sent();
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairState.class,
            names = {"RESET", "INIT", "RTR"})
    @DisplayName("§8.2, §9: posting a send before RTS, and a receive in RESET, is EINVAL")
    void postingByState(QueuePairState state) {
        Tape early = new TapeSetup().upTo(state).start();
        refused(ErrorCode.EINVAL, () -> early.qp.postSend(Send.of(1)), "ibv_post_send", state.toString());
        if (state == QueuePairState.RESET) {
            refused(ErrorCode.EINVAL, () -> early.qp.postReceive(ReceiveRequest.of(1)), "ibv_post_recv");
        } else {
            early.receive(1);
        }
        early.close();
    }

    @Test
    @DisplayName("§9: receives posted in INIT serve the first message")
    void receivesInInit() {
        TapeSetup setup = new TapeSetup().upTo(QueuePairState.INIT);
        Tape early = setup.start();
        early.receive(1, early.at(0, 8));
        early.qp.modify(setup.attributes(QueuePairState.RTR));
        early.in("SEND_ONLY psn=500 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        early.receiveDone("1 SUCCESS RECV 8").events("COMM_EST").close();
    }

    @Test
    @DisplayName("§6.1: too many elements, or too many requests")
    void postLimits() {
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue)
                .maxSendWorkRequests(0)
                .maxReceiveWorkRequests(1)
                .maxReceiveScatterGather(1));
        new TapeSetup().connect(qp);
        refused(ErrorCode.ENOMEM, () -> qp.postSend(Send.of(1)));
        refused(
                ErrorCode.EINVAL,
                () -> qp.postReceive(ReceiveRequest.of(1, tape.at(0, 1), tape.at(1, 1))),
                "at most 1");
        qp.postReceive(ReceiveRequest.of(1));
        refused(ErrorCode.ENOMEM, () -> qp.postReceive(ReceiveRequest.of(2)));
        qp.close();
    }

    @Test
    @DisplayName("§10: capacities of queues and sizes of queue pairs have limits")
    void creationLimits() {
        for (int capacity : new int[] {-1, 0, DeviceLimits.DEFAULT.max(DeviceLimit.MAX_CQE) + 1}) {
            refused(ErrorCode.EINVAL, () -> tape.device.createCompletionQueue(capacity), "ibv_create_cq");
        }
        QueuePairConfig config = QueuePairConfig.reliable(tape.sendQueue);
        refused(
                ErrorCode.EINVAL,
                () -> tape.domain.createQueuePair(
                        config.maxSendWorkRequests(DeviceLimits.DEFAULT.max(DeviceLimit.MAX_QP_WR) + 1)),
                "max_send_wr");
    }

    @Test
    @DisplayName("§10: an armed queue gives one event to its channel; events are acknowledged before it closes")
    void channel() {
        CompletionChannel channel = tape.device.createCompletionChannel();
        CompletionQueue queue = tape.device.createCompletionQueue(8, channel);
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(queue));
        new TapeSetup().connect(qp);
        assertThat(queue.arm(false)).isFalse();
        assertThat(channel.await(Duration.ZERO)).isNull();
        qp.modify(new TapeSetup().attributes(QueuePairState.ERR));
        qp.postReceive(ReceiveRequest.of(1));
        qp.postReceive(ReceiveRequest.of(2));
        tape.run();
        assertThat(channel.await(Duration.ZERO)).isSameAs(queue);
        assertThat(channel.await(Duration.ofNanos(1))).isNull();
        assertThat(queue.arm(true)).as("completions are waiting").isTrue();
        WorkCompletion[] done = WorkCompletion.array(4);
        assertThat(queue.poll(done)).isEqualTo(2);
        qp.close();
        refused(ErrorCode.EBUSY, queue::close, "1 unacknowledged");
        refused(ErrorCode.EINVAL, () -> queue.acknowledgeEvents(2));
        queue.acknowledgeEvents(1);
        queue.close();
        refused(ErrorCode.EBADF, () -> queue.poll(done));
        channel.close();
        refused(ErrorCode.EINVAL, () -> tape.sendQueue.arm(false), "no completion channel");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(20)
    @DisplayName("closing a channel or the device wakes whoever waits")
    void closeWakes(boolean closeDevice) throws Exception {
        Tape other = new Tape();
        CompletionChannel channel = other.device.createCompletionChannel();
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<ErrorCode> outcome = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            started.countDown();
            try {
                channel.await(Duration.ofDays(100_000_000));
            } catch (RdmaException e) {
                outcome.complete(e.code());
            }
        });
        waiter.start();
        assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        if (closeDevice) {
            other.device.close();
        } else {
            channel.close();
            other.device.close();
        }
        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(ErrorCode.EBADF);
        waiter.join();
    }

    @Test
    @Timeout(20)
    @DisplayName("a wait for an event ends when it comes from another thread")
    void eventWakes() {
        CompletableFuture<AsyncEvent> seen =
                CompletableFuture.supplyAsync(() -> tape.device.awaitAsyncEvent(Duration.ofSeconds(15)));
        tape.in("SEND_LAST psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
        assertThat(seen.join().type().name()).isEqualTo("QP_REQ_ERR");
    }

    @Test
    @Timeout(20)
    @DisplayName("waiting for memory to change, if need be for ever")
    void awaitLong() {
        CompletableFuture<Boolean> seen =
                CompletableFuture.supplyAsync(() -> tape.region.awaitLong(8, 3, Duration.ofSeconds(Long.MAX_VALUE)));
        tape.region.longRelease(8, 3);
        assertThat(seen.join()).isTrue();
        assertThat(tape.region.awaitLong(8, 3, Duration.ZERO)).isTrue();
        assertThat(tape.region.awaitLong(8, 4, Duration.ofNanos(1))).isFalse();
        assertThat(tape.region.longAcquire(8)).isEqualTo(3);
        for (long offset : new long[] {-8, 4, Tape.REGION_BYTES - 4, Tape.REGION_BYTES, Long.MAX_VALUE}) {
            refused(ErrorCode.EINVAL, () -> tape.region.longAcquire(offset), "offset");
        }
    }

    @Test
    @DisplayName("read-only memory takes no word")
    void longReleaseReadOnly() {
        MemoryRegion region =
                tape.register("readOnly", ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), 0x90000);
        refused(ErrorCode.EINVAL, () -> region.longRelease(0, 1), "read-only");
        assertThat(region.longAcquire(0)).isZero();
        region.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(20)
    @DisplayName("closing a region ends the wait for its memory to change, and so does an interrupt")
    void awaitLongEnds(boolean byClose) throws Exception {
        MemoryRegion region = tape.register("watched", ByteBuffer.allocateDirect(8), 0x90000);
        CompletableFuture<ErrorCode> outcome = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                region.awaitLong(0, 1, Duration.ofDays(1));
            } catch (RdmaException e) {
                outcome.complete(e.code());
            }
        });
        waiter.setDaemon(true);
        waiter.start();
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        if (byClose) {
            region.close();
        } else {
            waiter.interrupt();
        }
        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(byClose ? ErrorCode.EBADF : ErrorCode.EINTR);
        waiter.join();
        region.close();
    }
}
