package io.rdma4j.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Ends a key of this side: of a memory window of type 2 that this queue pair bound, or of a fast-registered region
 * ({@code IBV_WR_LOCAL_INV}). It waits for all earlier requests of the queue pair. Immutable.
 */
public final class LocalInvalidate extends RequestBody implements SendRequest {
    private final int invalidateKey;

    private LocalInvalidate(long workRequestId, int flags, int invalidateKey) {
        super(workRequestId, LocalData.of(), flags);
        this.invalidateKey = invalidateKey;
    }

    /**
     * An invalidation.
     *
     * @param workRequestId comes back in the completion
     * @param key the key that is to end
     * @return the request
     */
    public static LocalInvalidate of(long workRequestId, int key) {
        return new LocalInvalidate(workRequestId, 0, key);
    }

    /** {@return the same with a completion on success} */
    public LocalInvalidate signaled() {
        return new LocalInvalidate(workRequestId, flags | SIGNALED, invalidateKey);
    }

    @Override
    public int invalidateKey() {
        return invalidateKey;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.LOCAL_INV;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof LocalInvalidate that && invalidateKey == that.invalidateKey;
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + invalidateKey;
    }

    @Override
    public String toString() {
        return text(opcode(), " key 0x" + Integer.toHexString(invalidateKey));
    }
}
