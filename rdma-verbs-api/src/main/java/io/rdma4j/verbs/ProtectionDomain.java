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
     * Frees the domain ({@code ibv_dealloc_pd}); closing again does nothing.
     *
     * @throws RdmaException EBUSY while regions or queue pairs of it live, naming them
     */
    @Override
    void close();
}
