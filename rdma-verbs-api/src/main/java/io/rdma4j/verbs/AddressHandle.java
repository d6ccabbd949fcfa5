package io.rdma4j.verbs;

/**
 * The way to a peer as datagrams take it ({@code ibv_ah}), for queue pairs of its protection domain. Made by
 * {@link ProtectionDomain#createAddressHandle}. What was posted with it goes its way even if it is closed meanwhile.
 *
 * <p>Threading: all methods are thread-safe.
 */
public interface AddressHandle extends AutoCloseable {
    /** {@return the domain it belongs to} */
    ProtectionDomain protectionDomain();

    /** {@return the way it stands for} */
    AddressVector addressVector();

    /** Frees the handle ({@code ibv_destroy_ah}); closing again does nothing. */
    @Override
    void close();
}
