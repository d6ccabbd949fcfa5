package io.rdma4j.testkit.model;

/**
 * One queue of a node, as it is coded into its work request IDs: completions of one queue come in order.
 *
 * @param queuePair which queue pair
 * @param receive whether it is the receive queue
 */
record QueueKey(int queuePair, boolean receive) {
    private static final int SHIFT = 32;

    /** The ID of the {@code serial}-th request of a program, in this queue. */
    long id(int serial) {
        return ((long) queuePair * 2 + (receive ? 1 : 0)) << SHIFT | serial;
    }

    static QueueKey of(long id) {
        long queue = id >>> SHIFT;
        return new QueueKey((int) (queue / 2), queue % 2 == 1);
    }

    @Override
    public String toString() {
        return (receive ? "receive" : "send") + " queue of queue pair " + queuePair;
    }
}
