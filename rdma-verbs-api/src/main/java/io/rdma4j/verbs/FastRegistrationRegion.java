package io.rdma4j.verbs;

import java.nio.ByteBuffer;

/**
 * A memory region that is registered and invalidated at the speed of the data path (in the Linux kernel
 * {@code ib_alloc_mr}, {@code ib_map_mr_sg} and {@code IB_WR_REG_MR}). It starts without a valid key; {@link #map} says
 * what it shall cover, a posted {@link FastRegister} makes it valid, a {@link LocalInvalidate} or a peer's
 * {@link SendWithInvalidate} ends it again.
 */
public interface FastRegistrationRegion extends MemoryRegion {
    /**
     * Says what the next {@link FastRegister} shall cover ({@code ib_map_mr_sg}); {@link #address()} and {@link #length()}
     * tell it from now on.
     *
     * @param buffers direct buffers, position to limit of each, in order; no more than it was made for
     * @throws RdmaException EINVAL for a heap buffer or too many of them, EBUSY while the region is valid, EBADF if it is
     *     closed
     */
    void map(ByteBuffer... buffers);

    /** {@return whether its keys work now: it was registered and not invalidated since} */
    boolean isValid();
}
