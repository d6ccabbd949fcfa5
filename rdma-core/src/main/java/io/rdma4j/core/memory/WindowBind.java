package io.rdma4j.core.memory;

import org.jspecify.annotations.Nullable;

/** What a window is to be bound to (§11.2). A reused argument: it carries a request to {@link MemoryTable#bind}. */
public final class WindowBind {
    /** The region, null when nothing is named; then the length is 0. */
    public @Nullable RegisteredMemory region;

    /** The first byte, as an address of the region. */
    public long address;

    /** Bytes; 0 unbinds a window of type 1. */
    public long length;

    /** Bits of {@code ibv_access_flags}; remote rights and ZERO_BASED count. */
    public int access;

    /** The key that the window shall have. */
    public int key;
}
