package io.rdma4j.core.memory;

import io.rdma4j.core.memory.RegisteredMemory.Kind;
import io.rdma4j.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * What a fast-registration region shall cover.
 *
 * @param extent the bytes
 * @param address what the first one is called
 */
public record Mapping(Extent extent, long address) {
    /** The address of what was mapped to nothing yet; the device never chooses it. */
    private static final long NOWHERE = 0;

    /** A region that was mapped to nothing yet. */
    public static final Mapping NONE = new Mapping(Extent.of(), NOWHERE);

    /** The first rule that registering this breaks (§11.1), in words; null when it is legal. */
    @Nullable
    String refusal(RegisteredMemory region, int access, int key, KeyUser user) {
        if (!region.isAlive() || region.kind() != Kind.FAST_REGISTRATION) {
            return "the region is closed";
        }
        if (KeyAllocator.indexOf(key) != KeyAllocator.indexOf(region.key())) {
            return String.format("key 0x%08x is not one of %s", key, region);
        }
        if (region.protectionDomain() != user.protectionDomain()) {
            return region + " belongs to another protection domain than the queue pair";
        }
        if (region.isValid()) {
            return region + " is registered, and was not invalidated";
        }
        if (address == NOWHERE) {
            return region + " is mapped to nothing";
        }
        if ((access & AccessFlag.ZERO_BASED.code()) != 0) {
            return "a fast registration cannot be zero-based";
        }
        if (extent.isReadOnly() && (access & AccessFlag.LOCAL_WRITE.code()) != 0) {
            return "a read-only buffer cannot be registered with LOCAL_WRITE";
        }
        String missing = RegisteredMemory.missingLocalWrite(access, access);
        if (missing != null || (access & AccessFlag.REMOTE_ATOMIC.code()) == 0) {
            return missing;
        }
        return extent.atomicMisfit(address);
    }
}
