package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * What queue pair to make ({@code ibv_qp_init_attr}). Immutable; each method that takes a value returns a new instance.
 */
public final class QueuePairConfig {
    private final QueuePairType type;
    private final CompletionQueue sendCompletionQueue;
    private final CompletionQueue receiveCompletionQueue;
    private final QueuePairCapabilities capabilities;
    private final boolean isSignalAll;
    private final @Nullable SharedReceiveQueue sharedReceiveQueue;

    private QueuePairConfig(
            QueuePairType type,
            CompletionQueue sendCompletionQueue,
            CompletionQueue receiveCompletionQueue,
            QueuePairCapabilities capabilities,
            boolean isSignalAll,
            @Nullable SharedReceiveQueue sharedReceiveQueue) {
        this.type = Arguments.required(type, "type");
        this.sendCompletionQueue = Arguments.required(sendCompletionQueue, "sendCompletionQueue");
        this.receiveCompletionQueue = Arguments.required(receiveCompletionQueue, "receiveCompletionQueue");
        this.capabilities = Arguments.required(capabilities, "sizes");
        this.isSignalAll = isSignalAll;
        this.sharedReceiveQueue = sharedReceiveQueue;
    }

    /**
     * A reliable connection (RC) of default sizes, with one completion queue for both directions.
     *
     * @param completionQueue where sends and receives complete
     * @return the configuration
     */
    public static QueuePairConfig reliable(CompletionQueue completionQueue) {
        return reliable(completionQueue, completionQueue);
    }

    /**
     * A reliable connection (RC) of default sizes.
     *
     * @param sendCompletionQueue where sends complete
     * @param receiveCompletionQueue where receives complete
     * @return the configuration
     */
    public static QueuePairConfig reliable(
            CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue) {
        return of(QueuePairType.RC, sendCompletionQueue, receiveCompletionQueue);
    }

    /**
     * An unreliable connection (UC) of default sizes, with one completion queue for both directions.
     *
     * @param completionQueue where sends and receives complete
     * @return the configuration
     */
    public static QueuePairConfig unreliable(CompletionQueue completionQueue) {
        return of(QueuePairType.UC, completionQueue, completionQueue);
    }

    /**
     * A queue pair for datagrams (UD) of default sizes, with one completion queue for both directions.
     *
     * @param completionQueue where sends and receives complete
     * @return the configuration
     */
    public static QueuePairConfig datagram(CompletionQueue completionQueue) {
        return of(QueuePairType.UD, completionQueue, completionQueue);
    }

    /**
     * A queue pair of default sizes.
     *
     * @param type its transport service
     * @param sendCompletionQueue where sends complete
     * @param receiveCompletionQueue where receives complete
     * @return the configuration
     */
    public static QueuePairConfig of(
            QueuePairType type, CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue) {
        return new QueuePairConfig(
                type, sendCompletionQueue, receiveCompletionQueue, QueuePairCapabilities.DEFAULT, false, null);
    }

    /**
     * The same with other sizes.
     *
     * @param sizes all sizes
     * @return a new configuration
     */
    public QueuePairConfig capabilities(QueuePairCapabilities sizes) {
        return new QueuePairConfig(
                type, sendCompletionQueue, receiveCompletionQueue, sizes, isSignalAll, sharedReceiveQueue);
    }

    /**
     * The same with room for so many send requests.
     *
     * @param count requests
     * @return a new configuration
     */
    public QueuePairConfig maxSendWorkRequests(int count) {
        return capabilities(new QueuePairCapabilities(
                count,
                capabilities.maxReceiveWorkRequests(),
                capabilities.maxSendScatterGather(),
                capabilities.maxReceiveScatterGather(),
                capabilities.maxInlineData()));
    }

    /**
     * The same with room for so many receive requests.
     *
     * @param count requests
     * @return a new configuration
     */
    public QueuePairConfig maxReceiveWorkRequests(int count) {
        return capabilities(new QueuePairCapabilities(
                capabilities.maxSendWorkRequests(),
                count,
                capabilities.maxSendScatterGather(),
                capabilities.maxReceiveScatterGather(),
                capabilities.maxInlineData()));
    }

    /**
     * The same with so many elements per send request.
     *
     * @param count elements
     * @return a new configuration
     */
    public QueuePairConfig maxSendScatterGather(int count) {
        return capabilities(new QueuePairCapabilities(
                capabilities.maxSendWorkRequests(),
                capabilities.maxReceiveWorkRequests(),
                count,
                capabilities.maxReceiveScatterGather(),
                capabilities.maxInlineData()));
    }

    /**
     * The same with so many elements per receive request.
     *
     * @param count elements
     * @return a new configuration
     */
    public QueuePairConfig maxReceiveScatterGather(int count) {
        return capabilities(new QueuePairCapabilities(
                capabilities.maxSendWorkRequests(),
                capabilities.maxReceiveWorkRequests(),
                capabilities.maxSendScatterGather(),
                count,
                capabilities.maxInlineData()));
    }

    /**
     * The same with so much inline data per send request.
     *
     * @param bytes bytes
     * @return a new configuration
     */
    public QueuePairConfig maxInlineData(int bytes) {
        return capabilities(new QueuePairCapabilities(
                capabilities.maxSendWorkRequests(),
                capabilities.maxReceiveWorkRequests(),
                capabilities.maxSendScatterGather(),
                capabilities.maxReceiveScatterGather(),
                bytes));
    }

    /**
     * The same with a completion for every send request, signaled or not ({@code sq_sig_all}).
     *
     * @return a new configuration
     */
    public QueuePairConfig signalAll() {
        return new QueuePairConfig(
                type, sendCompletionQueue, receiveCompletionQueue, capabilities, true, sharedReceiveQueue);
    }

    /**
     * The same, taking its receives from a shared receive queue ({@code srq}); its own sizes of receives do not count then.
     *
     * @param queue a queue of the same device, of any domain
     * @return a new configuration
     */
    public QueuePairConfig sharedReceiveQueue(SharedReceiveQueue queue) {
        return new QueuePairConfig(
                type,
                sendCompletionQueue,
                receiveCompletionQueue,
                capabilities,
                isSignalAll,
                Arguments.required(queue, "queue"));
    }

    /** {@return the shared receive queue it takes from, null when its receives are its own ({@code srq})} */
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return sharedReceiveQueue;
    }

    /** {@return the transport service ({@code qp_type})} */
    public QueuePairType type() {
        return type;
    }

    /** {@return where sends complete ({@code send_cq})} */
    public CompletionQueue sendCompletionQueue() {
        return sendCompletionQueue;
    }

    /** {@return where receives complete ({@code recv_cq})} */
    public CompletionQueue receiveCompletionQueue() {
        return receiveCompletionQueue;
    }

    /** {@return the sizes ({@code cap})} */
    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    /** {@return whether every send request completes, signaled or not ({@code sq_sig_all})} */
    public boolean isSignalAll() {
        return isSignalAll;
    }
}
