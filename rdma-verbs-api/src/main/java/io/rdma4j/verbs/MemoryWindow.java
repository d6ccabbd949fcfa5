package io.rdma4j.verbs;

/**
 * A window that opens part of a memory region to peers, with rights of its own, and is bound and unbound at the speed of
 * the data path ({@code ibv_mw}).
 *
 * <p>Threading: all methods are thread-safe.
 */
public interface MemoryWindow extends AutoCloseable {
    /** {@return the domain it belongs to} */
    ProtectionDomain protectionDomain();

    /** {@return how it is bound} */
    MemoryWindowType type();

    /**
     * {@return the key to tell to peers ({@code rkey}): of type 1 that of the newest {@link QueuePair#bindMemoryWindow}, of
     * type 2 that of the newest posted {@link BindMemoryWindow}; before the first bind one that nobody can use}
     */
    int remoteKey();

    /** Frees the window, bound or not ({@code ibv_dealloc_mw}); its key ends. Closing again does nothing. */
    @Override
    void close();
}
