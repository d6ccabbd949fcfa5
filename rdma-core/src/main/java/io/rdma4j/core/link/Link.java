package io.rdma4j.core.link;

/**
 * The bottom of a device: an {@link Egress} that seals frames and hands them to a network. Middlewares that record or
 * disturb traffic wrap a link and are links themselves.
 */
public interface Link extends Egress {
    /** Hands everything committed so far to the network; called at the end of an {@code advance} turn. */
    void flush();

    /** The IPv4 identification of the frame committed last, so that a recorder can write the true header; 0 on IPv6. */
    int lastIdentification();
}
