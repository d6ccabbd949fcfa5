package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Events of several completion queues, in order (§10). */
final class SoftCompletionChannel extends SoftObject implements CompletionChannel {
    private final EventQueue<SoftCompletionQueue> events;

    SoftCompletionChannel(SoftDevice device, int number) {
        super(device, "completion channel " + number);
        // Each event takes an arming by the consumer, who alone can make this long; none may be lost (§10).
        this.events = new EventQueue<>(device.driver(), Integer.MAX_VALUE, this + " is closed");
    }

    /** Owner thread. */
    void signal(SoftCompletionQueue queue) {
        events.offer(queue);
    }

    /** Drops the undelivered events of a queue that goes away. */
    void forget(SoftCompletionQueue queue) {
        events.remove(queue);
        orphan(queue);
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) {
        SoftCompletionQueue queue = events.await(timeout);
        if (queue != null) {
            queue.eventDelivered();
        }
        return queue;
    }

    @Override
    void release() {
        events.close();
        device.numbers().release(ObjectNumbers.Kind.COMPLETION_CHANNEL);
        device.orphan(this);
    }
}
