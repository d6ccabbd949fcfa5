package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a memory window is bound to ({@code ibv_mw_bind_info}). Checked when the bind is executed, not here. Immutable.
 *
 * @param region memory region, which must allow {@link AccessFlag#MEMORY_WINDOW_BIND} and must not be zero-based; null
 *     only to unbind
 * @param address first byte, as an address of the region
 * @param length bytes; 0 unbinds a window of type 1, whatever the region, and is refused for type 2
 * @param access what peers may do: remote rights, which need not be the region's own (but REMOTE_WRITE and REMOTE_ATOMIC
 *     need its LOCAL_WRITE), and ZERO_BASED for a window of type 2, whose addresses then start at 0; unmodifiable
 */
public record MemoryWindowBinding(@Nullable MemoryRegion region, long address, long length, Set<AccessFlag> access) {
    /**
     * What a memory window is bound to.
     *
     * @param region memory region, null only to unbind
     * @param address first byte, as an address of the region
     * @param length bytes
     * @param access what peers may do
     */
    public MemoryWindowBinding {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        flags.addAll(Arguments.all(access, "access"));
        access = Collections.unmodifiableSet(flags);
    }

    /**
     * Part of a region.
     *
     * @param region memory region
     * @param offset bytes from its start
     * @param length bytes
     * @param access what peers may do
     * @return the binding
     */
    public static MemoryWindowBinding of(MemoryRegion region, long offset, long length, AccessFlag... access) {
        return new MemoryWindowBinding(
                region,
                Arguments.required(region, "region").address() + offset,
                length,
                Set.copyOf(List.of(Arguments.all(access, "access"))));
    }

    /**
     * Nothing: unbinds a window of type 1.
     *
     * @return the binding
     */
    public static MemoryWindowBinding nothing() {
        return new MemoryWindowBinding(null, 0, 0, Set.of());
    }
}
