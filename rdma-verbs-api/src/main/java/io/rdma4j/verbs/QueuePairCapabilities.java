package io.rdma4j.verbs;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}). Immutable.
 *
 * @param maxSendWorkRequests send requests that may be outstanding ({@code max_send_wr})
 * @param maxReceiveWorkRequests receive requests that may be outstanding ({@code max_recv_wr})
 * @param maxSendScatterGather elements of a send request ({@code max_send_sge})
 * @param maxReceiveScatterGather elements of a receive request ({@code max_recv_sge})
 * @param maxInlineData bytes of inline data of a send request ({@code max_inline_data})
 */
public record QueuePairCapabilities(
        int maxSendWorkRequests,
        int maxReceiveWorkRequests,
        int maxSendScatterGather,
        int maxReceiveScatterGather,
        int maxInlineData) {
    /** 128 requests each way, of 4 elements each, and 64 bytes inline. */
    public static final QueuePairCapabilities DEFAULT = new QueuePairCapabilities(128, 128, 4, 4, 64);
}
