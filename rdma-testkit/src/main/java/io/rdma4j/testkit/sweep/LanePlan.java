package io.rdma4j.testkit.sweep;

import java.util.List;

/**
 * One direction of one queue pair: what {@code from} posts, and how the other side provides receives.
 *
 * @param queuePair which of the sweep's queue pairs
 * @param from the side that posts the operations
 * @param operations in posting order
 * @param receives how the receives that some of them take are posted
 */
record LanePlan(int queuePair, Side from, List<Operation> operations, ReceivePolicy receives) {
    LanePlan {
        operations = List.copyOf(operations);
    }

    /** Those that take a receive, in order: the n-th takes the n-th. */
    List<Operation> received() {
        return operations.stream().filter(Operation::takesReceive).toList();
    }

    /**
     * How receives are posted.
     *
     * @param initially how many before the traffic starts
     * @param batch how many at a time afterwards
     * @param everyNs how long the application waits between batches: often too long for the sender, which then meets RNR
     */
    record ReceivePolicy(int initially, int batch, long everyNs) {}
}
