package io.rdma4j.testkit.sweep;

/** How a sweep numbers its work requests: which queue pair, which of its two queues, and the place in that queue. */
final class WorkRequestIds {
    private static final int QUEUE_PAIR_SHIFT = 32;
    private static final long RECEIVE = 1L << 62;

    private WorkRequestIds() {}

    static long send(int queuePair, int index) {
        return (long) queuePair << QUEUE_PAIR_SHIFT | index;
    }

    static long receive(int queuePair, int index) {
        return RECEIVE | send(queuePair, index);
    }

    static boolean isReceive(long id) {
        return (id & RECEIVE) != 0;
    }

    static int queuePair(long id) {
        return (int) ((id & ~RECEIVE) >>> QUEUE_PAIR_SHIFT);
    }

    static int index(long id) {
        return (int) id;
    }
}
