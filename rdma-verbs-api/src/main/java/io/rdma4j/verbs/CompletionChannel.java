package io.rdma4j.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where armed completion queues report that something completed ({@code ibv_comp_channel}).
 *
 * <p>Threading: all methods are thread-safe; several threads may wait, each event wakes one.
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Waits for the next completion queue with an event ({@code ibv_get_cq_event}). The event must be acknowledged with
     * {@link CompletionQueue#acknowledgeEvents}; the queue must be armed again for the next one.
     *
     * <p>Each event is delivered, however late it is waited for. Queues take turns: one that has several events undelivered
     * gives one and stands behind the others with the rest.
     *
     * @param timeout how long to wait; {@link Duration#ZERO} looks and returns
     * @return the queue, or null if no event came in time
     * @throws RdmaException EBADF if the channel is or gets closed, EINTR if the thread is interrupted, EDEADLK on a loop
     *     thread
     */
    @Nullable
    CompletionQueue await(Duration timeout);

    /**
     * Closes the channel and wakes every waiter ({@code ibv_destroy_comp_channel}); closing again does nothing.
     *
     * @throws RdmaException EBUSY while completion queues use it, naming them
     */
    @Override
    void close();
}
