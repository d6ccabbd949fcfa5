package io.rdma4j.core.memory;

import io.rdma4j.core.memory.RegisteredMemory.Kind;
import io.rdma4j.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/** What a bind of a memory window must keep to (§11.2). */
final class BindRules {
    private BindRules() {}

    /** The first rule that a bind breaks, in words; null when it is legal. */
    static @Nullable String refusal(RegisteredMemory window, WindowBind bind, KeyUser user) {
        if (!window.isAlive()) {
            return "the window has been freed";
        }
        if (KeyAllocator.indexOf(bind.key) != KeyAllocator.indexOf(window.key())) {
            return String.format("key 0x%08x is not one of %s", bind.key, window);
        }
        if (window.protectionDomain() != user.protectionDomain()) {
            return window + " belongs to another protection domain than the queue pair";
        }
        if (window.kind() == Kind.WINDOW_TYPE_2) {
            if (window.isValid()) {
                return window + " is bound, and was not invalidated";
            }
            if (bind.length == 0) {
                return "a window of type 2 cannot be bound to 0 bytes";
            }
        } else if (bind.length == 0) {
            return null; // it unbinds
        } else if (isZeroBased(bind.access)) {
            return "a window of type 1 cannot be zero-based";
        }
        RegisteredMemory region = bind.region;
        return region == null ? "no region is named" : onRegion(region, bind, user);
    }

    private static @Nullable String onRegion(RegisteredMemory region, WindowBind bind, KeyUser user) {
        if (!region.isAlive() || !region.isValid()) {
            return "the region is deregistered or invalidated";
        }
        if (region.protectionDomain() != user.protectionDomain()) {
            return region + " belongs to another protection domain than the queue pair";
        }
        if ((region.access() & AccessFlag.MEMORY_WINDOW_BIND.code()) == 0) {
            return region + " does not allow MW_BIND";
        }
        if (isZeroBased(region.access())) {
            return region + " is zero-based";
        }
        if (!region.contains(bind.address, bind.length)) {
            return String.format(
                    "%s bytes at 0x%x are not within %s (%s)",
                    Long.toUnsignedString(bind.length), bind.address, region, region.describeRange());
        }
        // The region's own remote rights do not count: to be more open than they are is what a window is for.
        String missing = RegisteredMemory.missingLocalWrite(bind.access, region.access());
        if (missing != null) {
            return missing + " of " + region;
        }
        return (bind.access & AccessFlag.REMOTE_ATOMIC.code()) == 0 ? null : onAtomics(region, bind);
    }

    private static @Nullable String onAtomics(RegisteredMemory region, WindowBind bind) {
        if (isZeroBased(bind.access) && (bind.address & (Long.BYTES - 1)) != 0) {
            return "REMOTE_ATOMIC and zero-based need a window that begins at a multiple of 8";
        }
        return region.extent().atomicMisfit(region.address());
    }

    private static boolean isZeroBased(int access) {
        return (access & AccessFlag.ZERO_BASED.code()) != 0;
    }
}
