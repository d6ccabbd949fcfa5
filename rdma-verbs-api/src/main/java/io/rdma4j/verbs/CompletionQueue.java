package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;

/**
 * Where work requests report their end ({@code ibv_cq}).
 *
 * <p>To sleep until something completes: {@linkplain #arm arm}, poll until empty, wait on the channel. Whatever completed
 * before arming raises no event, so polling after arming is a must; {@code arm} returns whether it would find something.
 *
 * <pre>{@code
 * WorkCompletion[] done = WorkCompletion.array(16);
 * while (true) {
 *     int n = cq.poll(done);
 *     for (int i = 0; i < n; i++) {
 *         handle(done[i]);
 *     }
 *     if (n == 0 && !cq.arm(false)) {
 *         CompletionQueue ready = channel.await(Duration.ofSeconds(1));
 *         if (ready == null) {
 *             break;
 *         }
 *         ready.acknowledgeEvents(1);
 *     }
 * }
 * }</pre>
 *
 * <p>Threading: all methods are thread-safe. Polling allocates nothing.
 */
public interface CompletionQueue extends AutoCloseable {
    /** {@return the device it was made from} */
    RdmaDevice device();

    /** {@return its number on the device, which names it in asynchronous events and messages} */
    int number();

    /**
     * {@return completions it can hold} One more is an overrun: that completion is lost, {@link AsyncEventType#CQ_ERR} is
     * raised, and the queue pairs that use the queue fail with {@link AsyncEventType#QP_FATAL}. What is in the queue can
     * still be polled; apart from that it can only be closed.
     */
    int capacity();

    /**
     * Changes how many completions it can hold ({@code ibv_resize_cq}). Completions that wait stay, in order; other threads
     * may poll meanwhile.
     *
     * @param capacity completions, 1 to {@link DeviceAttributes#maxCompletionQueueEntries}, and no fewer than wait
     * @throws RdmaException EINVAL if that is out of range or fewer than wait, EIO if the queue has overrun, EBADF if it is
     *     closed; the queue is as it was then
     */
    void resize(int capacity);

    /**
     * Takes completions, oldest first ({@code ibv_poll_cq}); never blocks.
     *
     * @param into filled from the start; made by {@link WorkCompletion#array}, reused for ever
     * @return how many were taken, 0 if there are none
     * @throws RdmaException EBADF if the queue is closed, EIO if it has overrun and nothing is left in it
     */
    default int poll(WorkCompletion[] into) {
        return poll(into, Arguments.required(into, "into").length);
    }

    /**
     * Takes at most so many completions, oldest first ({@code ibv_poll_cq}); never blocks.
     *
     * @param into filled from the start
     * @param count how many at most, 0 to the length of the array
     * @return how many were taken, 0 if there are none
     * @throws RdmaException EINVAL if the count is out of range, EBADF if the queue is closed, EIO if it has overrun and
     *     nothing is left in it
     */
    int poll(WorkCompletion[] into, int count);

    /**
     * Asks for one event when the next completion is added ({@code ibv_req_notify_cq}).
     *
     * @param solicitedOnly only for receives whose message asked for it, and for errors; never weakens an earlier request
     * @return whether completions are waiting already, which raise no event: poll again before sleeping
     * @throws RdmaException EINVAL if the queue has no channel, EBADF if it is closed, EIO if it has overrun
     */
    boolean arm(boolean solicitedOnly);

    /**
     * Acknowledges events taken from the channel ({@code ibv_ack_cq_events}).
     *
     * @param count how many, at most those taken and not yet acknowledged
     * @throws RdmaException EINVAL if the count is out of range
     */
    void acknowledgeEvents(int count);

    /**
     * Destroys the queue ({@code ibv_destroy_cq}); never blocks; closing again does nothing.
     *
     * <p>Events of it that nobody has taken from the channel are dropped.
     *
     * @throws RdmaException EBUSY while queue pairs use it, naming them, or events of it are not acknowledged
     */
    @Override
    void close();
}
