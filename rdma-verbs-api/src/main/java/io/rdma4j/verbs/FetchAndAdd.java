package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Adds to eight bytes of the peer's memory, modulo 2^64, and fetches what was there before
 * ({@code IBV_WR_ATOMIC_FETCH_AND_ADD}). The bytes are
 * aligned to eight bytes at the peer, and little-endian in memory at both ends. Immutable.
 */
public final class FetchAndAdd extends RemoteRequestBody implements SendRequest {
    private final long add;

    private FetchAndAdd(Untargeted operands, int flags, long remoteAddress, int remoteKey) {
        super(operands.workRequestId, operands.data, flags, remoteAddress, remoteKey);
        add = operands.add;
    }

    /**
     * Begins a fetch and add; {@link Untargeted#at} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param result eight bytes of local memory that get the former value; needs LOCAL_WRITE
     * @param add what to add; negative values subtract
     * @return an atomic that still needs its target
     */
    public static Untargeted of(long workRequestId, ScatterGatherElement result, long add) {
        return new Untargeted(workRequestId, LocalData.of(Arguments.required(result, "result")), add);
    }

    /** {@return what to add ({@code compare_add})} */
    public long add() {
        return add;
    }

    @Override
    public long swapOrAdd() {
        return add;
    }

    /** {@return the same with a completion on success} */
    public FetchAndAdd signaled() {
        return withFlag(SIGNALED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public FetchAndAdd fenced() {
        return withFlag(FENCED);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.ATOMIC_FETCH_AND_ADD;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof FetchAndAdd that && add == that.add;
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + Long.hashCode(add);
    }

    @Override
    public String toString() {
        return text(opcode(), remoteText() + " add 0x" + Long.toHexString(add));
    }

    private FetchAndAdd withFlag(int flag) {
        Untargeted operands = new Untargeted(workRequestId, data, add);
        return new FetchAndAdd(operands, flags | flag, remoteAddress, remoteKey);
    }

    /** An atomic that does not know yet where. Immutable. */
    public static final class Untargeted {
        private final long workRequestId;
        private final LocalData data;
        private final long add;

        private Untargeted(long workRequestId, LocalData data, long add) {
            this.workRequestId = workRequestId;
            this.data = data;
            this.add = add;
        }

        /**
         * The atomic on a place in the peer's memory.
         *
         * @param address address of the eight bytes there, a multiple of 8
         * @param remoteKey key of that memory
         * @return the request
         */
        public FetchAndAdd at(long address, int remoteKey) {
            return new FetchAndAdd(this, 0, address, remoteKey);
        }
    }
}
