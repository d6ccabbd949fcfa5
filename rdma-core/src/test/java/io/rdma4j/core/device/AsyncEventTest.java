package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.tape.InlineDriver;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §10: asynchronous events: to whom they go, in which order, for how long, and about what. */
class AsyncEventTest {
    private final Tape tape = new Tape();

    @AfterEach
    void nothingMore() {
        tape.close();
    }

    private static List<AsyncEvent> drain(SoftDevice device) {
        List<AsyncEvent> events = new ArrayList<>();
        AsyncEvent next = device.awaitAsyncEvent(Duration.ZERO);
        while (next != null) {
            events.add(next);
            next = device.awaitAsyncEvent(Duration.ZERO);
        }
        return events;
    }

    /** A queue pair in ERR on a queue of its own, which a second receive overruns. */
    private static QueuePair failed(Tape tape, CompletionQueue queue) {
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(queue));
        TapeSetup setup = new TapeSetup();
        setup.connect(qp);
        qp.modify(setup.attributes(QueuePairState.ERR));
        return qp;
    }

    private void overrun(QueuePair qp) {
        qp.postReceive(ReceiveRequest.of(1));
        qp.postReceive(ReceiveRequest.of(2));
        tape.run();
    }

    @Test
    @DisplayName("§10: events come in order, and CQ_ERR names the queue, QP_FATAL each queue pair on it, once")
    void orderAndElements() {
        CompletionQueue queue = tape.device.createCompletionQueue(1);
        QueuePair alive = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue, queue));
        QueuePair sendsThere = tape.domain.createQueuePair(QueuePairConfig.reliable(queue, tape.receiveQueue));
        new TapeSetup().connect(alive);
        new TapeSetup().upTo(QueuePairState.INIT).connect(sendsThere);
        QueuePair failed = failed(tape, queue);
        overrun(failed);
        tape.in("SEND_LAST psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
        assertThat(drain(tape.device))
                .containsExactly(
                        new AsyncEvent(AsyncEventType.CQ_ERR, queue.number()),
                        new AsyncEvent(AsyncEventType.QP_FATAL, alive.number()),
                        new AsyncEvent(AsyncEventType.QP_FATAL, sendsThere.number()),
                        new AsyncEvent(AsyncEventType.QP_REQ_ERR, tape.qp.number()));
        assertThat(alive.state()).isEqualTo(QueuePairState.ERR);
        assertThat(sendsThere.state()).isEqualTo(QueuePairState.ERR);
        alive.close();
        sendsThere.close();
        failed.close();
        queue.close();
    }

    @Test
    @DisplayName("§10: what is about the device or a port goes to every context, what is about an object to its own")
    void sharedDevice() {
        SoftDevice second = new SoftDevice("second", tape.engine, new InlineDriver());
        CompletionQueue queue = tape.device.createCompletionQueue(1);
        QueuePair failed = failed(tape, queue);
        overrun(failed);
        tape.engine.linkLost();
        AsyncEvent fatal = new AsyncEvent(AsyncEventType.DEVICE_FATAL, 0);
        assertThat(drain(second)).containsExactly(fatal);
        assertThat(drain(tape.device)).containsExactly(new AsyncEvent(AsyncEventType.CQ_ERR, queue.number()), fatal);
        second.close();
        tape.engine.linkLost();
        assertThat(drain(tape.device)).containsExactly(fatal);
        failed.close();
        queue.close();
    }

    @Test
    @DisplayName("§10: events of an object that is destroyed are not delivered afterwards, those of others are")
    void destroyedObjects() {
        CompletionQueue queue = tape.device.createCompletionQueue(1);
        QueuePair gone = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue, queue));
        new TapeSetup().connect(gone);
        QueuePair failed = failed(tape, queue);
        overrun(failed);
        tape.in("SEND_LAST psn=500 len=1").out("ACK psn=500 syn=0x61 msn=0");
        gone.close();
        failed.close();
        queue.close();
        assertThat(drain(tape.device)).containsExactly(new AsyncEvent(AsyncEventType.QP_REQ_ERR, tape.qp.number()));
    }

    @Test
    @DisplayName("§10: when nobody takes events the oldest 1,024 are kept; dropped ones are counted for each context")
    void bounded() {
        SoftDevice second = new SoftDevice("second", tape.engine, new InlineDriver());
        for (int i = 0; i < EngineLimits.MAX_ASYNC_EVENTS + 2; i++) {
            tape.engine.linkLost();
        }
        assertThat(drain(second)).hasSize(EngineLimits.MAX_ASYNC_EVENTS);
        tape.engine.linkLost();
        assertThat(tape.count(Counter.ASYNC_EVENT_DROPPED)).isEqualTo(2 + 3);
        assertThat(drain(second)).as("room again").hasSize(1);
        assertThat(drain(tape.device)).hasSize(EngineLimits.MAX_ASYNC_EVENTS);
        second.close();
    }
}
