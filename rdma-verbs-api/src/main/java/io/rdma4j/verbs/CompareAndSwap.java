package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Replaces eight bytes of the peer's memory if they have an expected value, and fetches what was there before
 * ({@code IBV_WR_ATOMIC_CMP_AND_SWP}). The bytes are
 * aligned to eight bytes at the peer, and little-endian in memory at both ends. Immutable.
 */
public final class CompareAndSwap extends RemoteRequestBody implements SendRequest {
    private final long compare;
    private final long swap;

    private CompareAndSwap(Untargeted operands, int flags, long remoteAddress, int remoteKey) {
        super(operands.workRequestId, operands.data, flags, remoteAddress, remoteKey);
        compare = operands.compare;
        swap = operands.swap;
    }

    /**
     * Begins a compare and swap; {@link Untargeted#at} completes it.
     *
     * @param workRequestId comes back in the completion
     * @param result eight bytes of local memory that get the former value; needs LOCAL_WRITE
     * @param compare what must be there for the swap to happen
     * @param swap what to store then
     * @return an atomic that still needs its target
     */
    public static Untargeted of(long workRequestId, ScatterGatherElement result, long compare, long swap) {
        return new Untargeted(workRequestId, LocalData.of(Arguments.required(result, "result")), compare, swap);
    }

    /** {@return what must be there for the swap to happen ({@code compare_add})} */
    @Override
    public long compare() {
        return compare;
    }

    /** {@return what to store then ({@code swap})} */
    public long swap() {
        return swap;
    }

    @Override
    public long swapOrAdd() {
        return swap;
    }

    /** {@return the same with a completion on success} */
    public CompareAndSwap signaled() {
        return withFlag(SIGNALED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public CompareAndSwap fenced() {
        return withFlag(FENCED);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.ATOMIC_CMP_AND_SWP;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof CompareAndSwap that
                && compare == that.compare
                && swap == that.swap;
    }

    @Override
    public int hashCode() {
        return (super.hashCode() * 31 + Long.hashCode(compare)) * 31 + Long.hashCode(swap);
    }

    @Override
    public String toString() {
        return text(
                opcode(),
                remoteText() + " compare 0x" + Long.toHexString(compare) + " swap 0x" + Long.toHexString(swap));
    }

    private CompareAndSwap withFlag(int flag) {
        Untargeted operands = new Untargeted(workRequestId, data, compare, swap);
        return new CompareAndSwap(operands, flags | flag, remoteAddress, remoteKey);
    }

    /** An atomic that does not know yet where. Immutable. */
    public static final class Untargeted {
        private final long workRequestId;
        private final LocalData data;
        private final long compare;
        private final long swap;

        private Untargeted(long workRequestId, LocalData data, long compare, long swap) {
            this.workRequestId = workRequestId;
            this.data = data;
            this.compare = compare;
            this.swap = swap;
        }

        /**
         * The atomic on a place in the peer's memory.
         *
         * @param address address of the eight bytes there, a multiple of 8
         * @param remoteKey key of that memory
         * @return the request
         */
        public CompareAndSwap at(long address, int remoteKey) {
            return new CompareAndSwap(this, 0, address, remoteKey);
        }
    }
}
