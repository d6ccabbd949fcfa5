package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What to register as one memory region: one or more buffers that follow each other without gap, the rights, and the
 * address of the first byte. Immutable; each method returns a new instance.
 *
 * <pre>{@code
 * MemoryRegion log = pd.registerMemory(MemoryRegionConfig.of(firstGigabyte, secondGigabyte)
 *         .access(LOCAL_WRITE, REMOTE_READ)
 *         .iova(0x1000_0000L));
 * }</pre>
 */
public final class MemoryRegionConfig {
    private final List<ByteBuffer> buffers;
    private final Set<AccessFlag> access;
    private final OptionalLong iova;
    private final boolean isRemoteInvalidate;

    private MemoryRegionConfig(
            List<ByteBuffer> buffers, Set<AccessFlag> access, OptionalLong iova, boolean isRemoteInvalidate) {
        if (access.contains(AccessFlag.ZERO_BASED) && iova.isPresent()) {
            throw new RdmaException(ErrorCode.EINVAL, "a region is zero-based or has a chosen iova, not both");
        }
        this.buffers = buffers;
        this.access = access;
        this.iova = iova;
        this.isRemoteInvalidate = isRemoteInvalidate;
    }

    /**
     * The bytes from position to limit of each buffer, at an address the device chooses, for local reading only.
     *
     * @param buffers direct buffers, at least one; their positions and limits may change afterwards
     * @return the configuration
     * @throws RdmaException EINVAL if there is no buffer
     */
    public static MemoryRegionConfig of(ByteBuffer... buffers) {
        Arguments.all(buffers, "buffers");
        if (buffers.length == 0) {
            throw new RdmaException(ErrorCode.EINVAL, "a memory region needs at least one buffer");
        }
        List<ByteBuffer> slices = new ArrayList<>(buffers.length);
        for (ByteBuffer buffer : buffers) {
            slices.add(buffer.slice());
        }
        return new MemoryRegionConfig(
                Collections.unmodifiableList(slices), EnumSet.noneOf(AccessFlag.class), OptionalLong.empty(), false);
    }

    /**
     * The same with these rights and no others.
     *
     * @param flags what may be done besides local reading; {@link AccessFlag#ZERO_BASED} is as {@link #zeroBased()}
     * @return a new configuration
     * @throws RdmaException EINVAL if it would be zero-based and have a chosen address
     */
    public MemoryRegionConfig access(AccessFlag... flags) {
        Set<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        Collections.addAll(set, Arguments.all(flags, "flags"));
        return new MemoryRegionConfig(buffers, set, iova, isRemoteInvalidate);
    }

    /**
     * The same at a chosen address ({@code ibv_reg_mr_iova}).
     *
     * @param address what peers and elements call the first byte; all 64 bits are allowed
     * @return a new configuration
     * @throws RdmaException EINVAL if it would be zero-based and have a chosen address
     */
    public MemoryRegionConfig iova(long address) {
        return new MemoryRegionConfig(buffers, access, OptionalLong.of(address), isRemoteInvalidate);
    }

    /**
     * The same with addresses that start at 0 ({@code IBV_ACCESS_ZERO_BASED}).
     *
     * @return a new configuration
     * @throws RdmaException EINVAL if it would be zero-based and have a chosen address
     */
    public MemoryRegionConfig zeroBased() {
        EnumSet<AccessFlag> set = EnumSet.of(AccessFlag.ZERO_BASED);
        set.addAll(access);
        return new MemoryRegionConfig(buffers, set, iova, isRemoteInvalidate);
    }

    /**
     * The same, but a peer that knows the key may end it, with {@link SendWithInvalidate}. Then the region's keys, local
     * and remote, are refused as if they had never been, and the completion of the receive shows which key it was; the
     * region is still to be closed, and its bytes are still the program's. This is how a fast-registered region of the C
     * library behaves; one that was registered in the ordinary way cannot be invalidated.
     *
     * @return a new configuration
     */
    public MemoryRegionConfig remoteInvalidate() {
        return new MemoryRegionConfig(buffers, access, iova, true);
    }

    /** {@return whether a peer may invalidate the keys} */
    public boolean isRemoteInvalidate() {
        return isRemoteInvalidate;
    }

    /** {@return the bytes to register, in order; each buffer covers exactly its part; the list is unmodifiable} */
    public List<ByteBuffer> buffers() {
        return buffers;
    }

    /** {@return the rights; a copy} */
    public Set<AccessFlag> accessFlags() {
        return EnumSet.copyOf(access);
    }

    /** {@return the chosen address of the first byte; empty if the device chooses, or the region is zero-based} */
    public OptionalLong iova() {
        return iova;
    }

    /** {@return whether addresses start at 0} */
    public boolean isZeroBased() {
        return access.contains(AccessFlag.ZERO_BASED);
    }

    /** {@return the bytes of all buffers together} */
    public long length() {
        long length = 0;
        for (ByteBuffer buffer : buffers) {
            length += buffer.remaining();
        }
        return length;
    }

    /** {@return length, rights and address in words} */
    @Override
    public String toString() {
        return length() + " bytes in " + buffers.size() + " buffers, access " + access
                + (iova.isPresent() ? ", iova 0x" + Long.toHexString(iova.getAsLong()) : "")
                + (isRemoteInvalidate ? ", a peer may invalidate it" : "");
    }
}
