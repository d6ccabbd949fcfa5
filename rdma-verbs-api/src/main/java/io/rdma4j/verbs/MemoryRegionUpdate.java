package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link MemoryRegion#reregister} changes of a region: its memory, its domain, its rights, or several of them at once
 * ({@code ibv_rereg_mr}). Immutable; each method returns a new instance.
 *
 * <pre>{@code
 * region.reregister(MemoryRegionUpdate.none().access(LOCAL_WRITE)); // peers are locked out
 * region.reregister(MemoryRegionUpdate.none().translation(larger).protectionDomain(other));
 * }</pre>
 */
public final class MemoryRegionUpdate {
    private static final MemoryRegionUpdate NONE = new MemoryRegionUpdate(null, OptionalLong.empty(), null, null);

    private final @Nullable List<ByteBuffer> buffers;
    private final OptionalLong iova;
    private final @Nullable ProtectionDomain domain;
    private final @Nullable Set<AccessFlag> access;

    private MemoryRegionUpdate(
            @Nullable List<ByteBuffer> buffers,
            OptionalLong iova,
            @Nullable ProtectionDomain domain,
            @Nullable Set<AccessFlag> access) {
        this.buffers = buffers;
        this.iova = iova;
        this.domain = domain;
        this.access = access;
    }

    /**
     * No change, to begin with; a region refuses it.
     *
     * @return the update
     */
    public static MemoryRegionUpdate none() {
        return NONE;
    }

    /**
     * The same with other memory ({@code IBV_REREG_MR_CHANGE_TRANSLATION}): the bytes from position to limit of each buffer.
     * The device chooses a new address, unless {@link #iova} says one or the region is zero-based.
     *
     * @param newBuffers direct buffers, at least one; their positions and limits may change afterwards
     * @return a new update
     * @throws RdmaException EINVAL if there is no buffer
     */
    public MemoryRegionUpdate translation(ByteBuffer... newBuffers) {
        return new MemoryRegionUpdate(MemoryRegionConfig.of(newBuffers).buffers(), iova, domain, access);
    }

    /**
     * The same with a chosen address for the new memory; it goes with {@link #translation}.
     *
     * @param address what peers and elements will call the first byte
     * @return a new update
     */
    public MemoryRegionUpdate iova(long address) {
        return new MemoryRegionUpdate(buffers, OptionalLong.of(address), domain, access);
    }

    /**
     * The same with another domain ({@code IBV_REREG_MR_CHANGE_PD}).
     *
     * @param newDomain a domain of the same device
     * @return a new update
     */
    public MemoryRegionUpdate protectionDomain(ProtectionDomain newDomain) {
        Arguments.required(newDomain, "newDomain");
        return new MemoryRegionUpdate(buffers, iova, newDomain, access);
    }

    /**
     * The same with these rights and no others ({@code IBV_REREG_MR_CHANGE_ACCESS}). Whether the region is zero-based stays,
     * unless its memory changes too.
     *
     * @param flags what may be done besides local reading
     * @return a new update
     */
    public MemoryRegionUpdate access(AccessFlag... flags) {
        Arguments.all(flags, "flags");
        EnumSet<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        Collections.addAll(set, flags);
        return new MemoryRegionUpdate(buffers, iova, domain, Collections.unmodifiableSet(set));
    }

    /** {@return the new memory, unmodifiable; null if it stays} */
    public @Nullable List<ByteBuffer> buffers() {
        return buffers;
    }

    /** {@return the chosen address of the new memory; empty if none was chosen} */
    public OptionalLong iova() {
        return iova;
    }

    /** {@return the new domain, null if it stays} */
    public @Nullable ProtectionDomain domain() {
        return domain;
    }

    /** {@return the new rights, unmodifiable; null if they stay} */
    public @Nullable Set<AccessFlag> accessFlags() {
        return access;
    }

    /** {@return what changes, in words} */
    @Override
    public String toString() {
        return (buffers == null ? "" : "new memory in " + buffers.size() + " buffers, ")
                + (iova.isPresent() ? "iova 0x" + Long.toHexString(iova.getAsLong()) + ", " : "")
                + (domain == null ? "" : "domain " + domain + ", ")
                + (access == null ? "the same access" : "access " + access);
    }
}
