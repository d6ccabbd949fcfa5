package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a fast-registration region valid, with what it was mapped to, a key and rights (in the Linux kernel
 * {@code IB_WR_REG_MR}). It takes effect in the order of the send queue. Immutable.
 */
public final class FastRegister extends RequestBody implements SendRequest {
    private final FastRegistrationRegion region;
    private final int key;
    private final Set<AccessFlag> access;

    private FastRegister(
            long workRequestId, int flags, FastRegistrationRegion region, int key, Set<AccessFlag> access) {
        super(workRequestId, LocalData.of(), flags);
        this.region = region;
        this.key = key;
        this.access = access;
    }

    /**
     * A fast registration.
     *
     * @param workRequestId comes back in the completion
     * @param region what to make valid
     * @param key the key it shall have: the low 8 bits are free to choose, the others are the region's
     * @param access what may be done besides local reading
     * @return the request
     */
    public static FastRegister of(long workRequestId, FastRegistrationRegion region, int key, AccessFlag... access) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        flags.addAll(List.of(Arguments.all(access, "access")));
        return new FastRegister(
                workRequestId, 0, Arguments.required(region, "region"), key, Collections.unmodifiableSet(flags));
    }

    /** {@return the same with a completion on success} */
    public FastRegister signaled() {
        return new FastRegister(workRequestId, flags | SIGNALED, region, key, access);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public FastRegister fenced() {
        return new FastRegister(workRequestId, flags | FENCED, region, key, access);
    }

    /** {@return what becomes valid} */
    public FastRegistrationRegion region() {
        return region;
    }

    /** {@return the key it shall have} */
    public int key() {
        return key;
    }

    /** {@return what may be done besides local reading; unmodifiable} */
    public Set<AccessFlag> access() {
        return access;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.REG_MR;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof FastRegister that
                && region.equals(that.region)
                && key == that.key
                && access.equals(that.access);
    }

    @Override
    public int hashCode() {
        return (super.hashCode() * 31 + region.hashCode()) * 31 + key;
    }

    @Override
    public String toString() {
        return text(opcode(), " " + region + " key 0x" + Integer.toHexString(key) + " " + access);
    }
}
