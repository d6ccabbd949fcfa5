package io.rdma4j.verbs;

import java.util.List;

/**
 * A send queue and a receive queue ({@code ibv_qp}).
 *
 * <p>Threading: all methods are thread-safe. Requests are started in the order of posting. Posting one request allocates
 * nothing; the request is copied, so the same instance can be posted for ever.
 */
public interface QueuePair extends AutoCloseable {
    /** {@return its number, 24 bits ({@code qp_num})} */
    int number();

    /** {@return its transport service ({@code qp_type})} */
    QueuePairType type();

    /** {@return its present state; errors show here too ({@code ibv_query_qp})} */
    QueuePairState state();

    /** {@return the domain it belongs to} */
    ProtectionDomain protectionDomain();

    /** {@return where its sends complete} */
    CompletionQueue sendCompletionQueue();

    /** {@return where its receives complete} */
    CompletionQueue receiveCompletionQueue();

    /** {@return its sizes, at least those asked for ({@code ibv_qp_cap})} */
    QueuePairCapabilities capabilities();

    /** {@return what to tell the peer: the number, a first PSN chosen by chance at creation, and the device's GID} */
    QueuePairAddress localAddress();

    /**
     * Changes attributes ({@code ibv_modify_qp}).
     *
     * @param attributes the attributes to change, most often with a new state
     * @throws RdmaException EINVAL if an attribute is missing, superfluous or has a bad value, each by name, or if SQD is
     *     left for RTS before the send queue has drained; ENOMEM if the device has no room for another peer. Then nothing is
     *     changed. EBADF if the queue pair is closed
     */
    void modify(QueuePairAttributes attributes);

    /** {@return all attributes, as set or by default, and the present state ({@code ibv_query_qp})} */
    QueuePairAttributes query();

    /**
     * Connects to a peer with {@link ConnectOptions#DEFAULT}.
     *
     * @param peer what the peer's {@link #localAddress()} says
     * @throws RdmaException as {@link #connect(QueuePairAddress, ConnectOptions)}
     */
    default void connect(QueuePairAddress peer) {
        connect(peer, ConnectOptions.DEFAULT);
    }

    /**
     * Connects to a peer: from RESET or INIT by INIT and RTR to RTS, with the PSN of {@link #localAddress()}. Nothing is
     * sent; the peer must do the same with this queue pair's address.
     *
     * @param peer what the peer's {@link #localAddress()} says
     * @param options path MTU, timers, retries, rights
     * @throws RdmaException EINVAL if the state is another, the type is UD, or an option is out of range
     */
    default void connect(QueuePairAddress peer, ConnectOptions options) {
        ConnectSequence.run(this, peer, options);
    }

    /**
     * Posts one send request ({@code ibv_post_send}). How it went is told by a completion, if it is signaled or fails.
     *
     * @param request what to do
     * @throws RdmaException ENOMEM if the send queue is full (a slot is freed when a completion at or after it is polled);
     *     EINVAL if the state is RESET, INIT or RTR, there are too many elements, or more inline data than
     *     {@link QueuePairCapabilities#maxInlineData()}; EBADF if the queue pair is closed
     */
    void postSend(SendRequest request);

    /**
     * Posts send requests in order ({@code ibv_post_send} of a list), up to the first bad one.
     *
     * @param requests what to do
     * @throws PostException if one is refused; those before it are posted
     */
    default void postSend(List<? extends SendRequest> requests) {
        for (int i = 0; i < requests.size(); i++) {
            try {
                postSend(requests.get(i));
            } catch (RdmaException e) {
                throw new PostException(i, e);
            }
        }
    }

    /**
     * Posts one receive request ({@code ibv_post_recv}); it completes always.
     *
     * @param request where to put a message
     * @throws RdmaException ENOMEM if the receive queue is full; EINVAL if the state is RESET or there are too many
     *     elements; EBADF if the queue pair is closed
     */
    void postReceive(ReceiveRequest request);

    /**
     * Posts receive requests in order ({@code ibv_post_recv} of a list), up to the first bad one.
     *
     * @param requests where to put messages
     * @throws PostException if one is refused; those before it are posted
     */
    default void postReceive(List<ReceiveRequest> requests) {
        for (int i = 0; i < requests.size(); i++) {
            try {
                postReceive(requests.get(i));
            } catch (RdmaException e) {
                throw new PostException(i, e);
            }
        }
    }

    /**
     * Destroys the queue pair ({@code ibv_destroy_qp}); closing again does nothing. Requests still posted do not complete,
     * and completions of it that were not polled are removed.
     */
    @Override
    void close();
}
