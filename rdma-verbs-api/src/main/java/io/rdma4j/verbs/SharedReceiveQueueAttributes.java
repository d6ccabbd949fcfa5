package io.rdma4j.verbs;

/**
 * Sizes of a shared receive queue ({@code ibv_srq_attr}).
 *
 * @param maxWorkRequests receives that fit ({@code max_wr})
 * @param maxScatterGather elements of one receive ({@code max_sge})
 * @param limit the armed limit, 0 when none is; ignored at creation ({@code srq_limit})
 */
public record SharedReceiveQueueAttributes(int maxWorkRequests, int maxScatterGather, int limit) {
    /**
     * Sizes for a new queue.
     *
     * @param maxWorkRequests receives that fit
     * @param maxScatterGather elements of one receive
     * @return the attributes
     */
    public static SharedReceiveQueueAttributes of(int maxWorkRequests, int maxScatterGather) {
        return new SharedReceiveQueueAttributes(maxWorkRequests, maxScatterGather, 0);
    }
}
