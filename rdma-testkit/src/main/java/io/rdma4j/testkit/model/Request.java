package io.rdma4j.testkit.model;

import java.util.List;

/**
 * A request of the send queue as it is posted.
 *
 * @param id its work request ID
 * @param kind what it does
 * @param flags how it is posted
 * @param pieces own memory: gathered or scattered into, in order
 * @param remote the peer's memory; unused by a SEND
 * @param operands of an atomic
 */
record Request(long id, Kind kind, Flags flags, List<Piece> pieces, Remote remote, Operands operands) {
    int length() {
        return pieces.stream().mapToInt(Piece::length).sum();
    }

    /** What a request does. */
    enum Kind {
        SEND,
        WRITE,
        READ,
        FETCH_ADD,
        COMPARE_SWAP;

        boolean isAtomic() {
            return this == FETCH_ADD || this == COMPARE_SWAP;
        }

        /** Whether it brings something back into own memory. */
        boolean hasSink() {
            return this == READ || isAtomic();
        }
    }

    /**
     * How a request is posted.
     *
     * @param signaled asks for a completion
     * @param fenced waits for earlier READs and atomics
     */
    record Flags(boolean signaled, boolean fenced) {}

    /**
     * A place in the peer's memory.
     *
     * @param address where it begins
     * @param key the remote key
     */
    record Remote(long address, int key) {
        static final Remote NONE = new Remote(0, 0);
    }

    /**
     * The two values of an atomic.
     *
     * @param swapOrAdd what is stored, or added
     * @param compare what must be there for a swap
     */
    record Operands(long swapOrAdd, long compare) {
        static final Operands NONE = new Operands(0, 0);
    }
}
