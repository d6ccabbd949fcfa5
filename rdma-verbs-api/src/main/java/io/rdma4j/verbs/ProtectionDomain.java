package io.rdma4j.verbs;

import java.nio.ByteBuffer;

/**
 * Memory regions and queue pairs that may be used together ({@code ibv_pd}).
 *
 * <p>Threading: all methods are thread-safe.
 */
public interface ProtectionDomain extends AutoCloseable {
    /** {@return the device it was made from} */
    RdmaDevice device();

    /**
     * Registers the bytes from position to limit of a buffer, at an address the device chooses ({@code ibv_reg_mr}).
     *
     * @param buffer a direct buffer; the region keeps it reachable; its position and limit may change afterwards
     * @param access what may be done besides local reading
     * @return the region; close it when done
     * @throws RdmaException EINVAL for a heap buffer, a remote write or atomic right without LOCAL_WRITE, or a write
     *     right on a read-only buffer; EFAULT if the device cannot access the buffer; ENOMEM at the device's limit
     */
    default MemoryRegion registerMemory(ByteBuffer buffer, AccessFlag... access) {
        return registerMemory(MemoryRegionConfig.of(buffer).access(access));
    }

    /**
     * Registers memory with a chosen address, or several buffers as one region ({@code ibv_reg_mr_iova}).
     *
     * @param config what to register
     * @return the region; close it when done
     * @throws RdmaException as {@link #registerMemory(ByteBuffer, AccessFlag...)}; EINVAL also if the range wraps around
     */
    MemoryRegion registerMemory(MemoryRegionConfig config);

    /**
     * Makes a queue pair in the state RESET ({@code ibv_create_qp}).
     *
     * @param config type, completion queues and sizes
     * @return the queue pair; close it when done
     * @throws RdmaException EINVAL if a size is above the device's limit or a completion queue is of another device;
     *     ENOMEM at the device's limit
     */
    QueuePair createQueuePair(QueuePairConfig config);

    /**
     * A region that reads as zeros and swallows what is written, of any length, for local elements only
     * ({@code ibv_alloc_null_mr}).
     *
     * @return the region; close it when done
     * @throws RdmaException ENOMEM at the device's limit
     */
    MemoryRegion allocateNullRegion();

    /**
     * A region that {@link FastRegister} requests make valid (in the Linux kernel {@code ib_alloc_mr}).
     *
     * @param maxBuffers buffers it can be mapped to at once, 1 to {@link DeviceAttributes}' limit
     * @return the region, not valid yet; close it when done
     * @throws RdmaException EINVAL if the number is out of range, ENOMEM at the device's limit
     */
    FastRegistrationRegion allocateFastRegistration(int maxBuffers);

    /**
     * Makes a memory window, bound to nothing ({@code ibv_alloc_mw}).
     *
     * @param type how it is bound
     * @return the window; close it when done
     * @throws RdmaException ENOMEM at the device's limit
     */
    MemoryWindow allocateMemoryWindow(MemoryWindowType type);

    /**
     * Makes the way to a peer for datagrams ({@code ibv_create_ah}).
     *
     * @param vector the way
     * @return the handle; close it when done
     * @throws RdmaException EINVAL if the destination is empty or not reachable from this device, ENOMEM at the device's
     *     limit
     */
    AddressHandle createAddressHandle(AddressVector vector);

    /**
     * Makes the way back to the sender of a datagram ({@code ibv_create_ah_from_wc}): to its address, with the traffic
     * class and flow label that it came with and a hop limit of {@link AddressVector#DEFAULT_HOP_LIMIT}.
     *
     * @param completion the completion of the receive, with {@link WorkCompletion#FLAG_GRH}
     * @param header the first 40 bytes of what was received, from the buffer's position on; the position stays
     * @return the handle; close it when done
     * @throws RdmaException EINVAL if there is no GRH, or it is no IP header, or one of a datagram to another device;
     *     ENOMEM at the device's limit
     */
    AddressHandle createAddressHandle(WorkCompletion completion, ByteBuffer header);

    /**
     * Makes a receive queue for several queue pairs ({@code ibv_create_srq}).
     *
     * @param attributes its sizes
     * @return the queue; close it when done
     * @throws RdmaException EINVAL if a size is out of the device's range, ENOMEM at the device's limit
     */
    SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueAttributes attributes);

    /**
     * Frees the domain ({@code ibv_dealloc_pd}); closing again does nothing.
     *
     * @throws RdmaException EBUSY while regions, windows, queue pairs, shared receive queues or address handles of it live, naming them
     */
    @Override
    void close();
}
