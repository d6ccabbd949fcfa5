package io.rdma4j.verbs;

/**
 * Limits and identity of a device ({@code ibv_device_attr}, from {@code ibv_query_device}).
 *
 * @param firmwareVersion version of the implementation ({@code fw_ver})
 * @param nodeGuid identity of the device ({@code node_guid})
 * @param vendorId vendor, 24 bits ({@code vendor_id})
 * @param vendorPartId product of the vendor ({@code vendor_part_id})
 * @param maxQueuePairs queue pairs ({@code max_qp})
 * @param maxQueuePairWorkRequests work requests in one queue of a queue pair ({@code max_qp_wr})
 * @param maxScatterGather elements of one work request ({@code max_sge})
 * @param maxCompletionQueues completion queues ({@code max_cq})
 * @param maxCompletionQueueEntries entries of one completion queue ({@code max_cqe})
 * @param maxMemoryRegions memory regions ({@code max_mr})
 * @param maxMemoryRegionSize bytes of one memory region ({@code max_mr_size})
 * @param maxProtectionDomains protection domains ({@code max_pd})
 * @param maxReadAtomic READs and atomics a queue pair may have outstanding as responder ({@code max_qp_rd_atom})
 * @param maxInitiatorReadAtomic READs and atomics a queue pair may have outstanding as requester
 *     ({@code max_qp_init_rd_atom})
 * @param maxInlineData bytes of inline data of one work request ({@code max_inline_data})
 * @param physicalPortCount ports ({@code phys_port_cnt})
 */
public record DeviceAttributes(
        String firmwareVersion,
        long nodeGuid,
        int vendorId,
        int vendorPartId,
        int maxQueuePairs,
        int maxQueuePairWorkRequests,
        int maxScatterGather,
        int maxCompletionQueues,
        int maxCompletionQueueEntries,
        int maxMemoryRegions,
        long maxMemoryRegionSize,
        int maxProtectionDomains,
        int maxReadAtomic,
        int maxInitiatorReadAtomic,
        int maxInlineData,
        int physicalPortCount) {}
