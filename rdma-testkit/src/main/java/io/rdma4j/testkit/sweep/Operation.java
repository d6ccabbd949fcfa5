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

    /** What a SEND or WRITE is sent with, besides its bytes; nothing for the others. */
    default Notice notice() {
        return Notice.NONE;
    }

    /** Whether it takes a receive of the other node. */
    default boolean takesReceive() {
        return false;
    }

    /** The pieces of the receive that it takes. */
    default List<Area> receive() {
        return List.of();
    }

    /**
     * What a SEND or WRITE is sent with, besides its bytes.
     *
     * @param value the immediate data, or which of the other node's keys it invalidates
     * @param solicited asks for a solicited event
     * @param inline brings its bytes along
     */
    record Notice(Kind kind, int value, boolean solicited, boolean inline) {
        static final Notice NONE = new Notice(Kind.NONE, 0, false, false);

        enum Kind {
            NONE,
            IMMEDIATE,
            INVALIDATE
        }
    }

    /**
     * A SEND.
     *
     * @param receive the pieces of the receive that takes it, together at least as long as the message
     * @param notice what it is sent with
     */
    record SendMessage(Flags flags, List<Area> local, List<Area> receive, Notice notice) implements Operation {
        SendMessage(Flags flags, List<Area> local, List<Area> receive) {
            this(flags, local, receive, Notice.NONE);
        }

        @Override
        public boolean takesReceive() {
            return true;
        }
    }

    /** An RDMA WRITE into {@code target} of the other node. */
    record WriteMessage(Flags flags, List<Area> local, Area target, Notice notice) implements Operation {
        WriteMessage(Flags flags, List<Area> local, Area target) {
            this(flags, local, target, Notice.NONE);
        }

        @Override
        public boolean takesReceive() {
            return notice.kind() == Notice.Kind.IMMEDIATE;
        }
    }

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
