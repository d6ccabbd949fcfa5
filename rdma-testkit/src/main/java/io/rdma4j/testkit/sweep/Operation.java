package io.rdma4j.testkit.sweep;

import java.util.List;

/** One work request of a plan, in terms of areas of the two nodes' memories. */
sealed interface Operation {
    Flags flags();

    /** The pieces of own memory: gathered from or scattered to, in order. */
    List<Area> local();

    /**
     * How the request is posted.
     *
     * @param signaled asks for a completion
     * @param fenced waits for earlier READs and atomics of the queue
     */
    record Flags(boolean signaled, boolean fenced) {}

    /**
     * A SEND.
     *
     * @param receive the pieces of the receive that takes it, together at least as long as the message
     */
    record SendMessage(Flags flags, List<Area> local, List<Area> receive) implements Operation {}

    /** An RDMA WRITE into {@code target} of the other node. */
    record WriteMessage(Flags flags, List<Area> local, Area target) implements Operation {}

    /** An RDMA READ of {@code source} of the other node. */
    record ReadMessage(Flags flags, List<Area> local, Area source) implements Operation {}

    /** A FETCH&ADD on the 8 bytes at {@code word} of the other node. */
    record AddMessage(Flags flags, Area sink, Word word, long add) implements Operation {
        @Override
        public List<Area> local() {
            return List.of(sink);
        }
    }

    /** A COMPARE&SWAP on the 8 bytes at {@code word} of the other node. */
    record SwapMessage(Flags flags, Area sink, Word word, long compare, long swap) implements Operation {
        @Override
        public List<Area> local() {
            return List.of(sink);
        }
    }

    /**
     * A 64-bit target of atomics.
     *
     * @param offset bytes from the start of the node's memory, a multiple of 8
     * @param shared whether several queue pairs use it; then only FETCH&ADD does
     */
    record Word(int offset, boolean shared) {}
}
