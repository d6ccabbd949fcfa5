package io.rdma4j.core.device;

import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegister;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that change what keys stand for, on their way into a slot. Whether they are legal is decided when they are
 * executed (§11.2); here only what names no object of this device is refused.
 */
final class MemoryRequests {
    private static final AccessFlag[] FLAGS = AccessFlag.values();

    private MemoryRequests() {}

    static void fill(SoftQueuePair queuePair, SendWorkEntry entry, SendRequest request) {
        if (request instanceof BindMemoryWindow bind) {
            bind(queuePair, entry, bind);
        } else if (request instanceof FastRegister registration) {
            register(queuePair, entry, registration);
        }
    }

    /** What the request is about tells its new key from here on; the objects were checked when the slot was filled. */
    static void announce(SendRequest request) {
        if (request instanceof BindMemoryWindow bind
                && bind.window() instanceof SoftMemoryWindow window
                && window.type() == MemoryWindowType.TYPE_2) {
            window.remoteKey(bind.remoteKey());
        } else if (request instanceof FastRegister registration
                && registration.region() instanceof SoftFastRegistration region) {
            region.posted(registration.key(), registration.access());
        }
    }

    private static void bind(SoftQueuePair queuePair, SendWorkEntry entry, BindMemoryWindow request) {
        SoftMemoryWindow window = queuePair.own(request.window(), SoftMemoryWindow.class);
        if (window.type() == MemoryWindowType.TYPE_1 && !window.binding.isHeldByCurrentThread()) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_post_send: " + window + " is of type 1, which bindMemoryWindow binds");
        }
        MemoryWindowBinding binding = request.binding();
        entry.window = window.memory();
        entry.region = regionOf(queuePair, binding);
        entry.remoteAddress = binding.address();
        entry.bindLength = binding.length();
        entry.access = bits(binding.access());
    }

    /** The region of a binding; an unbind needs none, so that it works when the region is gone. */
    private static @Nullable RegisteredMemory regionOf(SoftQueuePair queuePair, MemoryWindowBinding binding) {
        MemoryRegion region = binding.region();
        return region == null || binding.length() == 0
                ? null
                : queuePair.own(region, SoftMemoryRegion.class).memory();
    }

    private static void register(SoftQueuePair queuePair, SendWorkEntry entry, FastRegister request) {
        SoftFastRegistration region = queuePair.own(request.region(), SoftFastRegistration.class);
        entry.window = null;
        entry.region = region.memory();
        entry.mapping = region.mapping();
        entry.remoteKey = request.key();
        entry.access = bits(request.access());
    }

    /** Without an iterator, which would be an allocation. */
    private static int bits(Set<AccessFlag> flags) {
        int bits = 0;
        for (AccessFlag flag : FLAGS) {
            if (flags.contains(flag)) {
                bits |= flag.code();
            }
        }
        return bits;
    }
}
