package io.rdma4j.core.link;

import java.nio.ByteBuffer;

/**
 * Where frames leave. The engine claims room, writes from the BTH to the last pad byte, and commits; the bottom link
 * alone seals the frame with its ICRC, because only it knows the IP header and the identification the frame will carry.
 *
 * <p>Order on the wire is the order of claims. Between {@link #claim} and {@link #commit} or {@link #cancel} no other
 * claim is made. Owner thread only.
 */
public interface Egress {
    /**
     * Claims room for one frame.
     *
     * @param path where the frame goes
     * @param length bytes from the BTH to the last pad byte, a multiple of 4, without the ICRC
     * @return false when nothing can be sent now; the engine tries again in a later {@code advance}
     */
    boolean claim(Path path, int length);

    /** The buffer that holds the claimed frame; absolute access only. */
    ByteBuffer buffer();

    /** Index of the claimed frame's BTH in {@link #buffer()}. */
    int offset();

    /** Seals the claimed frame and puts it on its way. */
    void commit();

    /** Gives the claimed room back; nothing is sent. */
    void cancel();
}
