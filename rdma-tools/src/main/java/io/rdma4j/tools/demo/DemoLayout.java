package io.rdma4j.tools.demo;

/** Where things lie in the registered memory of either side, and how much of each there is. */
final class DemoLayout {
    /** What is written and read back. */
    static final int DATA_BYTES = 64 << 20;

    static final int DATA_OFFSET = 0;

    /** The counter that the initiator increments; on its own side, where the old values arrive. */
    static final int COUNTER_OFFSET = DATA_BYTES;

    static final int COUNTER_BYTES = 8;

    /** The greeting that goes out, and beside it the one that comes in. */
    static final int GREETING_OUT_OFFSET = DATA_BYTES + 4096;

    static final int GREETING_IN_OFFSET = DATA_BYTES + 8192;
    static final int GREETING_BYTES = 1024;

    /** What the peer registers. */
    static final int PEER_BYTES = DATA_BYTES + 12288;

    /** Where the initiator puts what it reads back: memory that has never seen the data. */
    static final int READ_BACK_OFFSET = PEER_BYTES;

    /** What the initiator registers. */
    static final int INITIATOR_BYTES = PEER_BYTES + DATA_BYTES;

    static final int ATOMIC_INCREMENTS = 1000;

    private DemoLayout() {}
}
