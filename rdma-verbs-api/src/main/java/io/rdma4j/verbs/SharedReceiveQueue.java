package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.List;

/**
 * A receive queue that several queue pairs take from ({@code ibv_srq}), first posted first taken. Its receives complete on
 * the receive completion queue of the queue pair that took them, with its number.
 *
 * <p>Its receives are not flushed when a queue pair fails: only one that a message has begun to fill is, and then
 * QP_LAST_WQE_REACHED says that this queue pair completes no more of them. A queue pair that is reset or closed in the middle
 * of a message leaves its receive here, as if it had not been taken; completions that were not polled by then are removed
 * with the receives that they tell of, so wait for QP_LAST_WQE_REACHED and poll before that.
 *
 * <p>Threading: all methods are thread-safe. Posting one request allocates nothing.
 */
public interface SharedReceiveQueue extends AutoCloseable {
    /** {@return its number on the device, as in asynchronous events} */
    int number();

    /** {@return the domain it belongs to, whose local keys its receives use} */
    ProtectionDomain protectionDomain();

    /** {@return its sizes and the armed limit, 0 when none is ({@code ibv_query_srq})} */
    SharedReceiveQueueAttributes query();

    /**
     * Arms the limit, once: SRQ_LIMIT_REACHED is raised when fewer than {@code limit} receives are left, at once if it is
     * so already ({@code ibv_modify_srq} with {@code IBV_SRQ_LIMIT}).
     *
     * @param limit receives; 0 disarms
     * @throws RdmaException EINVAL if it is negative or above the size, EBADF if the queue is closed
     */
    void armLimit(int limit);

    /**
     * Changes how many receives fit; what is posted stays, in order ({@code ibv_modify_srq} with {@code IBV_SRQ_MAX_WR}).
     *
     * @param maxWorkRequests receives
     * @throws RdmaException EINVAL if more are posted, the armed limit is higher, or it is out of the device's range;
     *     EBADF if the queue is closed
     */
    void resize(int maxWorkRequests);

    /**
     * Posts one receive request ({@code ibv_post_srq_recv}). Its place is free again when a message takes it.
     *
     * @param request where to put a message
     * @throws RdmaException ENOMEM if the queue is full, EINVAL if there are too many elements, EBADF if the queue is
     *     closed
     */
    void postReceive(ReceiveRequest request);

    /**
     * Posts receive requests in order, up to the first bad one.
     *
     * @param requests where to put messages
     * @throws PostException if one is refused; those before it are posted
     */
    default void postReceive(List<ReceiveRequest> requests) {
        Arguments.required(requests, "requests");
        for (int i = 0; i < requests.size(); i++) {
            try {
                postReceive(requests.get(i));
            } catch (RdmaException e) {
                throw new PostException(i, e);
            }
        }
    }

    /**
     * Destroys the queue ({@code ibv_destroy_srq}); receives still posted do not complete. Closing again does nothing.
     *
     * @throws RdmaException EBUSY while queue pairs use it, naming them
     */
    @Override
    void close();
}
