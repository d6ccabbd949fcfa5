package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** {@return the shared receive queue it takes from, null when its receives are its own ({@code srq})} */
    @Nullable
    SharedReceiveQueue sharedReceiveQueue();

    /**
     * {@return what it was made with: type, completion queues, sizes, whether every send completes, and the shared receive
     * queue ({@code ibv_qp_init_attr} of {@code ibv_query_qp})}
     *
     * @throws RdmaException EOPNOTSUPP where the provider does not tell
     */
    default QueuePairConfig config() {
        throw new RdmaException(ErrorCode.EOPNOTSUPP, "this provider does not tell how a queue pair was made");
    }

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
     * @throws RdmaException EINVAL if the state is another, the type is UD (see {@link #activate}), or an option is out of
     *     range
     */
    default void connect(QueuePairAddress peer, ConnectOptions options) {
        ConnectSequence.run(this, peer, options);
    }

    /**
     * Brings a datagram (UD) queue pair up: from RESET or INIT by INIT and RTR to RTS, with the first PSN of
     * {@link #localAddress()}. It has no peer; each send names its own. {@code receive} posted in INIT stays posted.
     *
     * <pre>{@code
     * QueuePair qp = domain.createQueuePair(QueuePairConfig.datagram(completions));
     * qp.activate(0x11111111);
     * AddressHandle way = domain.createAddressHandle(AddressVector.of(peer.gid()));
     * qp.postSend(Send.inline(1, "hello".getBytes(UTF_8)).to(way, peer.queuePairNumber(), 0x11111111));
     * }</pre>
     *
     * @param qkey the Q_Key, 32 bits: what a sender must name for its datagrams to be taken
     * @throws RdmaException EINVAL if the state is another, or the type is not UD
     */
    default void activate(int qkey) {
        ConnectSequence.activate(this, qkey);
    }

    /**
     * Posts one send request ({@code ibv_post_send}). How it went is told by a completion, if it is signaled or fails.
     *
     * @param request what to do
     * @throws RdmaException ENOMEM if the send queue is full (a slot is freed when a completion at or after it is polled);
     *     EINVAL if the state is RESET, INIT or RTR, there are too many elements, or more inline data than
     *     {@link QueuePairCapabilities#maxInlineData()}; EINVAL also for a send of a UD queue pair without a destination, or
     *     with a closed or foreign address handle, and for a destination elsewhere; EBADF if the queue pair is closed
     */
    void postSend(SendRequest request);

    /**
     * Posts send requests in order ({@code ibv_post_send} of a list), up to the first bad one.
     *
     * @param requests what to do
     * @throws PostException if one is refused; those before it are posted
     */
    default void postSend(List<? extends SendRequest> requests) {
        Arguments.required(requests, "requests");
        for (int i = 0; i < requests.size(); i++) {
            try {
                postSend(requests.get(i));
            } catch (RdmaException e) {
                throw new PostException(i, e);
            }
        }
    }

    /**
     * Starts a batch of send requests, which are built without an object for each and posted together
     * ({@code ibv_wr_start}). Allocates nothing, once as many batches have been completed as are open at a time.
     *
     * @return the batch, of the calling thread
     * @throws RdmaException EBADF if the queue pair is closed, EOPNOTSUPP where the provider has no batches
     */
    default SendBatch startSends() {
        throw new RdmaException(ErrorCode.EOPNOTSUPP, "ibv_wr_start is not supported by this provider");
    }

    /**
     * Binds a memory window of type 1, or unbinds it with length 0 ({@code ibv_bind_mw}). The bind takes effect in the
     * order of the send queue, and uses a place in it; the old key ends with it. A bind that breaks a rule fails with
     * MW_BIND_ERR, signaled or not, and with it the queue pair; the window is then what it was before.
     *
     * @param workRequestId comes back in the completion, whose opcode is BIND_MW
     * @param window what to bind
     * @param binding what to bind it to
     * @param signaled whether success is told by a completion too
     * @return the new key, also {@link MemoryWindow#remoteKey()}
     * @throws RdmaException EINVAL for a window of type 2, a foreign or closed object, or as {@link #postSend}; EPERM if
     *     window and region belong to different domains (if both belong to another one than the queue pair, the bind fails
     *     with MW_BIND_ERR); ENOMEM if the send queue is full
     */
    int bindMemoryWindow(long workRequestId, MemoryWindow window, MemoryWindowBinding binding, boolean signaled);

    /**
     * Joins a multicast group: datagrams to it arrive here too ({@code ibv_attach_mcast}). Joining again does nothing.
     *
     * @param group the group's GID: {@code ::ffff:224.0.0.0} to {@code ::ffff:239.255.255.255}, or one of {@code ff00::/8}
     * @throws RdmaException EINVAL if this is no UD queue pair or the GID is no group, ENOMEM at the device's limit of
     *     groups or members, EOPNOTSUPP if the network has no multicast
     */
    void attachMulticast(Gid group);

    /**
     * Leaves a multicast group ({@code ibv_detach_mcast}).
     *
     * @param group the group's GID
     * @throws RdmaException EINVAL if it is not a member
     */
    void detachMulticast(Gid group);

    /**
     * Posts one receive request ({@code ibv_post_recv}); it completes always.
     *
     * @param request where to put a message
     * @throws RdmaException ENOMEM if the receive queue is full; EINVAL if the state is RESET, there are too many
     *     elements, or the receives come from a shared receive queue; EBADF if the queue pair is closed
     */
    void postReceive(ReceiveRequest request);

    /**
     * Posts receive requests in order ({@code ibv_post_recv} of a list), up to the first bad one.
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
     * Destroys the queue pair ({@code ibv_destroy_qp}); closing again does nothing. Requests still posted do not complete,
     * and completions of it that were not polled are removed. Multicast groups are left.
     */
    @Override
    void close();
}
