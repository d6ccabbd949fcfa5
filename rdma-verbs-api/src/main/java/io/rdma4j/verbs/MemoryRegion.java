package io.rdma4j.verbs;

import java.time.Duration;
import java.util.Set;

/**
 * Registered memory ({@code ibv_mr}): one or more direct buffers with one contiguous range of addresses. It keeps its
 * buffers reachable until it is closed.
 *
 * <pre>{@code
 * qp.postReceive(ReceiveRequest.of(7L, region.slice(0, 1024)));
 * qp.postSend(Send.of(8L, region.slice(1024, 16)).signaled());
 * boolean isThere = region.awaitLong(4088, 42L, Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>Threading: all methods are thread-safe. A peer may write while the program reads; {@link #longAcquire},
 * {@link #longRelease} and {@link #awaitLong} are the supported ways to meet it.
 */
public interface MemoryRegion extends AutoCloseable {
    /** {@return the domain it belongs to} */
    ProtectionDomain protectionDomain();

    /** {@return what peers and elements call the first byte ({@code addr}, or the chosen iova)} */
    long address();

    /** {@return bytes ({@code length})} */
    long length();

    /** {@return the key for the elements of local work requests ({@code lkey})} */
    int localKey();

    /** {@return the key to tell to peers ({@code rkey})} */
    int remoteKey();

    /** {@return what may be done besides local reading; unmodifiable or a copy} */
    Set<AccessFlag> access();

    /**
     * A part of the region, for a work request.
     *
     * @param offset bytes from the region's start
     * @param length bytes
     * @return the element
     * @throws RdmaException EINVAL if the part does not lie within the region
     */
    default ScatterGatherElement slice(long offset, long length) {
        if (offset < 0 || length < 0 || offset > length() - length) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    length + " bytes at offset " + offset + " are not within the " + length() + " bytes of the region");
        }
        return new ScatterGatherElement(address() + offset, length, localKey());
    }

    /** {@return the whole region as one element} */
    default ScatterGatherElement all() {
        return slice(0, length());
    }

    /**
     * Reads eight bytes, little-endian, such that everything a peer wrote before them on the same queue pair is visible
     * afterwards.
     *
     * @param offset bytes from the region's start; the address there must be a multiple of 8
     * @return the value
     * @throws RdmaException EINVAL if it is not aligned or not within the region, EBADF if the region is closed
     */
    long longAcquire(long offset);

    /**
     * Writes eight bytes, little-endian, such that everything this thread wrote before is visible to whoever reads them.
     *
     * @param offset bytes from the region's start; the address there must be a multiple of 8
     * @param value the value
     * @throws RdmaException EINVAL if it is not aligned or not within the region, or the memory is read-only; EBADF if the
     *     region is closed
     */
    void longRelease(long offset, long value);

    /**
     * Waits until eight bytes have a value: spins for a moment, then yields, then parks in small steps. The read is as
     * {@link #longAcquire}.
     *
     * @param offset bytes from the region's start; the address there must be a multiple of 8
     * @param expected the value to wait for
     * @param timeout how long to wait; {@link Duration#ZERO} looks once
     * @return whether the value was seen; false when the time ran out
     * @throws RdmaException EINVAL if it is not aligned or not within the region, EBADF if the region is or gets closed,
     *     EINTR if the thread is interrupted, EDEADLK on a loop thread
     */
    boolean awaitLong(long offset, long expected, Duration timeout);

    /**
     * Changes memory, domain or rights of the region, all at once or nothing ({@code ibv_rereg_mr}). The keys stay. Requests
     * in flight and receives that are posted meet what the region is when their bytes are moved: an element that names an
     * address of the old memory fails as after {@link #close}, with LOC_PROT_ERR here and REM_OP_ERR for a peer that sends
     * to it; a peer's READ or WRITE that has lost address or right fails with REM_ACCESS_ERR.
     *
     * @param update what to change
     * @throws RdmaException EINVAL if nothing would change, an object is of another device, the new state is one that
     *     {@link ProtectionDomain#registerMemory} would refuse, a peer has invalidated the region, or it is a null region or
     *     one for fast registration; EBUSY while a memory window is bound to it, naming it; EFAULT if the device cannot
     *     access a buffer; EBADF if it is closed. After any of them the region is what it was
     *     ({@code IBV_REREG_MR_ERR_INPUT}, never {@code IBV_REREG_MR_ERR_CMD})
     */
    void reregister(MemoryRegionUpdate update);

    /**
     * Deregisters the memory ({@code ibv_dereg_mr}); closing again does nothing. Requests in flight that still need it
     * fail, local ones with LOC_PROT_ERR, a peer's with REM_ACCESS_ERR.
     *
     * @throws RdmaException EBUSY while a memory window is bound to it
     */
    @Override
    void close();
}
