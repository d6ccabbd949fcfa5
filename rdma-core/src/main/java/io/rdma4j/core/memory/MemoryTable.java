package io.rdma4j.core.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All regions of a device by key. Owner thread only. */
public final class MemoryTable {
    private static final int FIRST_CAPACITY = 64;

    private final int limit;
    private final KeyAllocator keys;
    private final IovaAllocator addresses = new IovaAllocator();
    private @Nullable RegisteredMemory[] regions = new RegisteredMemory[FIRST_CAPACITY];
    private AccessFailure failure = AccessFailure.INVALID_KEY;

    public MemoryTable(int limit, RandomGenerator random) {
        this.limit = limit;
        this.keys = new KeyAllocator(limit, random);
    }

    /** An address range for a region whose first buffer is {@code first}. */
    public long allocateAddress(ByteBuffer first, long length) {
        return addresses.allocate(first, length);
    }

    /**
     * Registers direct buffers, position to limit, as one region.
     *
     * @return the region, or null when the table is full
     */
    public @Nullable RegisteredMemory register(ByteBuffer[] buffers, Grant grant) {
        int key = keys.allocate();
        if (key == 0) {
            return null;
        }
        int index = KeyAllocator.indexOf(key);
        if (index >= regions.length) {
            regions = Arrays.copyOf(regions, Math.min(limit + 1, Math.max(index + 1, regions.length * 2)));
        }
        RegisteredMemory region = new RegisteredMemory(buffers, grant, key);
        regions[index] = region;
        return region;
    }

    public void deregister(RegisteredMemory region) {
        regions[KeyAllocator.indexOf(region.key())] = null;
        keys.release(region.key());
    }

    /**
     * The region behind {@code key} if the access is allowed (§7.2, §11.1).
     *
     * @param right access bits that must all be granted; 0 for local reads, which are always allowed
     * @return null when refused; {@link #failure} then tells why
     */
    public @Nullable RegisteredMemory resolve(int key, int protectionDomain, int right, long address, long length) {
        RegisteredMemory region = find(key, protectionDomain);
        if (region == null) {
            return null;
        }
        if ((region.access() & right) != right) {
            failure = AccessFailure.MISSING_RIGHT;
        } else if (!region.contains(address, length)) {
            failure = AccessFailure.OUT_OF_RANGE;
        } else {
            return region;
        }
        return null;
    }

    /**
     * Ends a key for everybody, as a peer asks (§7.2(8)). What is in flight with it fails from here on (§11.1).
     *
     * @return whether it was done; if not, {@link #failure} tells why
     */
    public boolean invalidate(int key, int protectionDomain) {
        RegisteredMemory region = find(key, protectionDomain);
        if (region == null) {
            return false;
        }
        if (!region.isInvalidatable()) {
            failure = AccessFailure.NOT_INVALIDATABLE;
            return false;
        }
        region.invalidate();
        return true;
    }

    /** What a key of that domain stands for, null if it stands for nothing now. */
    private @Nullable RegisteredMemory find(int key, int protectionDomain) {
        int index = KeyAllocator.indexOf(key);
        RegisteredMemory region = index < regions.length ? regions[index] : null;
        if (region == null || region.key() != key) {
            failure = AccessFailure.INVALID_KEY;
        } else if (!region.isValid()) {
            failure = AccessFailure.INVALIDATED;
        } else if (region.protectionDomain() != protectionDomain) {
            failure = AccessFailure.WRONG_PROTECTION_DOMAIN;
        } else {
            return region;
        }
        return null;
    }

    /** Why the last {@link #resolve} or {@link #invalidate} was refused. */
    public AccessFailure failure() {
        return failure;
    }

    /** The last failure in words, for the cause of a completion. Allocates; error paths only. */
    public String describeFailure(int key, long address, long length) {
        int index = KeyAllocator.indexOf(key);
        RegisteredMemory region = index < regions.length ? regions[index] : null;
        String detail = failure == AccessFailure.OUT_OF_RANGE && region != null
                ? String.format(
                        " (the region is %s bytes at 0x%x)", Long.toUnsignedString(region.length()), region.address())
                : "";
        return String.format(
                "key 0x%08x %s: %s bytes at 0x%x%s",
                key, failure.words(), Long.toUnsignedString(length), address, detail);
    }
}
