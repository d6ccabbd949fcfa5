package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.SendMessage;
import java.util.List;

/**
 * One direction of one queue pair: what {@code from} posts, and how the other side provides receives.
 *
 * @param queuePair which of the sweep's queue pairs
 * @param from the side that posts the operations
 * @param operations in posting order
 * @param receives how the receives of the SENDs among them are posted
 */
record LanePlan(int queuePair, Side from, List<Operation> operations, ReceivePolicy receives) {
    LanePlan {
        operations = List.copyOf(operations);
    }

    /** The SENDs, in order: the n-th takes the n-th receive. */
    List<SendMessage> sends() {
        return operations.stream()
                .filter(SendMessage.class::isInstance)
                .map(SendMessage.class::cast)
                .toList();
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
