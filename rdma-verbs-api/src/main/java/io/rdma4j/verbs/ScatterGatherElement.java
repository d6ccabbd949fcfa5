package io.rdma4j.verbs;

/**
 * A piece of registered local memory that a work request reads or fills ({@code ibv_sge}). Made most easily by
 * {@link MemoryRegion#slice}. Immutable.
 *
 * @param address address of the first byte, in the region's address space ({@code addr})
 * @param length bytes; 0 means none ({@code length})
 * @param localKey the region's local key ({@code lkey})
 */
public record ScatterGatherElement(long address, long length, int localKey) {
    /**
     * An element.
     *
     * @param address address of the first byte
     * @param length bytes
     * @param localKey the region's local key
     * @throws RdmaException EINVAL if the length is negative
     */
    public ScatterGatherElement {
        if (length < 0) {
            throw new RdmaException(ErrorCode.EINVAL, "element length " + length + " is negative");
        }
    }

    /** {@return address and key in hexadecimal, the length in bytes} */
    @Override
    public String toString() {
        return "0x" + Long.toHexString(address) + "+" + length + " (lkey 0x" + Integer.toHexString(localKey) + ")";
    }
}
