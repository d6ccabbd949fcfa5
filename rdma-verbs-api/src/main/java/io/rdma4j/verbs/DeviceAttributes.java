package io.rdma4j.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Limits and identity of a device ({@code ibv_device_attr}, from {@code ibv_query_device}). The limits are what the device
 * really grants, over all its contexts: so many objects can be made, one more is refused with ENOMEM; a size beyond its
 * limit is refused with EINVAL.
 *
 * @param identity what the device is
 * @param queuePairs limits of queue pairs
 * @param queues limits of completion queues and shared receive queues
 * @param memory limits of protection domains and memory
 * @param datagrams limits of address handles and multicast
 * @param features what the device can do
 */
public record DeviceAttributes(
        Identity identity,
        QueuePairs queuePairs,
        Queues queues,
        Memory memory,
        Datagrams datagrams,
        Features features) {
    /**
     * What a device is.
     *
     * @param firmwareVersion version of the implementation ({@code fw_ver})
     * @param nodeGuid identity of the device ({@code node_guid})
     * @param systemImageGuid identity of what several devices may be parts of ({@code sys_image_guid})
     * @param vendorId vendor, 24 bits ({@code vendor_id})
     * @param vendorPartId product of the vendor ({@code vendor_part_id})
     * @param hardwareVersion version of the hardware, 0 where there is none ({@code hw_ver})
     */
    public record Identity(
            String firmwareVersion,
            long nodeGuid,
            long systemImageGuid,
            int vendorId,
            int vendorPartId,
            int hardwareVersion) {}

    /**
     * Limits of queue pairs.
     *
     * @param maxQueuePairs queue pairs ({@code max_qp})
     * @param maxWorkRequests work requests in one queue of a queue pair ({@code max_qp_wr})
     * @param maxScatterGather elements of one work request ({@code max_sge})
     * @param maxReadScatterGather elements of one READ ({@code max_sge_rd})
     * @param maxInlineData bytes of inline data of one work request ({@code max_inline_data})
     * @param maxReadAtomic READs and atomics a queue pair may have outstanding as responder ({@code max_qp_rd_atom})
     * @param maxInitiatorReadAtomic READs and atomics a queue pair may have outstanding as requester
     *     ({@code max_qp_init_rd_atom})
     * @param maxReadAtomicResources READs and atomics that all queue pairs may have outstanding as responders
     *     ({@code max_res_rd_atom})
     */
    public record QueuePairs(
            int maxQueuePairs,
            int maxWorkRequests,
            int maxScatterGather,
            int maxReadScatterGather,
            int maxInlineData,
            int maxReadAtomic,
            int maxInitiatorReadAtomic,
            int maxReadAtomicResources) {}

    /**
     * Limits of completion queues and shared receive queues.
     *
     * @param maxCompletionQueues completion queues ({@code max_cq})
     * @param maxCompletionQueueEntries entries of one completion queue ({@code max_cqe})
     * @param maxSharedReceiveQueues shared receive queues ({@code max_srq})
     * @param maxSharedReceiveQueueWorkRequests work requests in one shared receive queue ({@code max_srq_wr})
     * @param maxSharedReceiveQueueScatterGather elements of one of its work requests ({@code max_srq_sge})
     */
    public record Queues(
            int maxCompletionQueues,
            int maxCompletionQueueEntries,
            int maxSharedReceiveQueues,
            int maxSharedReceiveQueueWorkRequests,
            int maxSharedReceiveQueueScatterGather) {}

    /**
     * Limits of protection domains and memory.
     *
     * @param maxProtectionDomains protection domains ({@code max_pd})
     * @param maxMemoryRegions memory regions, null regions and those for fast registration included ({@code max_mr})
     * @param maxMemoryRegionSize bytes of one memory region ({@code max_mr_size})
     * @param maxMemoryWindows memory windows ({@code max_mw})
     * @param maxFastRegistrationBuffers buffers of one fast-registered region ({@code max_fast_reg_page_list_len})
     * @param pageSizes sizes of pages, a bit for each power of two ({@code page_size_cap})
     */
    public record Memory(
            int maxProtectionDomains,
            int maxMemoryRegions,
            long maxMemoryRegionSize,
            int maxMemoryWindows,
            int maxFastRegistrationBuffers,
            long pageSizes) {}

    /**
     * Limits of address handles and multicast.
     *
     * @param maxAddressHandles address handles ({@code max_ah})
     * @param maxMulticastGroups multicast groups with members here ({@code max_mcast_grp})
     * @param maxMulticastGroupMembers queue pairs in one group ({@code max_mcast_qp_attach})
     * @param maxMulticastMembers queue pairs in all groups together ({@code max_total_mcast_qp_attach})
     */
    public record Datagrams(
            int maxAddressHandles, int maxMulticastGroups, int maxMulticastGroupMembers, int maxMulticastMembers) {}

    /**
     * What a device can do.
     *
     * @param capabilities what not every device can; unmodifiable ({@code device_cap_flags})
     * @param atomicCapability among whom atomics are atomic ({@code atomic_cap})
     * @param maxPartitionKeys partitions ({@code max_pkeys})
     * @param localAckDelay how late the device may acknowledge, as the code of a timeout ({@code local_ca_ack_delay})
     * @param physicalPortCount ports ({@code phys_port_cnt})
     */
    public record Features(
            Set<DeviceCapability> capabilities,
            AtomicCapability atomicCapability,
            int maxPartitionKeys,
            int localAckDelay,
            int physicalPortCount) {
        /**
         * What a device can do.
         *
         * @param capabilities what not every device can
         * @param atomicCapability among whom atomics are atomic
         * @param maxPartitionKeys partitions
         * @param localAckDelay how late the device may acknowledge
         * @param physicalPortCount ports
         */
        public Features {
            EnumSet<DeviceCapability> own = EnumSet.noneOf(DeviceCapability.class);
            own.addAll(capabilities);
            capabilities = Collections.unmodifiableSet(own);
        }
    }

    /** {@return version of the implementation ({@code fw_ver})} */
    public String firmwareVersion() {
        return identity.firmwareVersion;
    }

    /** {@return identity of the device ({@code node_guid})} */
    public long nodeGuid() {
        return identity.nodeGuid;
    }

    /** {@return identity of what several devices may be parts of ({@code sys_image_guid})} */
    public long systemImageGuid() {
        return identity.systemImageGuid;
    }

    /** {@return vendor, 24 bits ({@code vendor_id})} */
    public int vendorId() {
        return identity.vendorId;
    }

    /** {@return product of the vendor ({@code vendor_part_id})} */
    public int vendorPartId() {
        return identity.vendorPartId;
    }

    /** {@return queue pairs ({@code max_qp})} */
    public int maxQueuePairs() {
        return queuePairs.maxQueuePairs;
    }

    /** {@return work requests in one queue of a queue pair ({@code max_qp_wr})} */
    public int maxQueuePairWorkRequests() {
        return queuePairs.maxWorkRequests;
    }

    /** {@return elements of one work request ({@code max_sge})} */
    public int maxScatterGather() {
        return queuePairs.maxScatterGather;
    }

    /** {@return bytes of inline data of one work request ({@code max_inline_data})} */
    public int maxInlineData() {
        return queuePairs.maxInlineData;
    }

    /** {@return READs and atomics a queue pair may have outstanding as responder ({@code max_qp_rd_atom})} */
    public int maxReadAtomic() {
        return queuePairs.maxReadAtomic;
    }

    /** {@return READs and atomics a queue pair may have outstanding as requester ({@code max_qp_init_rd_atom})} */
    public int maxInitiatorReadAtomic() {
        return queuePairs.maxInitiatorReadAtomic;
    }

    /** {@return completion queues ({@code max_cq})} */
    public int maxCompletionQueues() {
        return queues.maxCompletionQueues;
    }

    /** {@return entries of one completion queue ({@code max_cqe})} */
    public int maxCompletionQueueEntries() {
        return queues.maxCompletionQueueEntries;
    }

    /** {@return shared receive queues ({@code max_srq})} */
    public int maxSharedReceiveQueues() {
        return queues.maxSharedReceiveQueues;
    }

    /** {@return work requests in one shared receive queue ({@code max_srq_wr})} */
    public int maxSharedReceiveQueueWorkRequests() {
        return queues.maxSharedReceiveQueueWorkRequests;
    }

    /** {@return elements of one work request of a shared receive queue ({@code max_srq_sge})} */
    public int maxSharedReceiveQueueScatterGather() {
        return queues.maxSharedReceiveQueueScatterGather;
    }

    /** {@return protection domains ({@code max_pd})} */
    public int maxProtectionDomains() {
        return memory.maxProtectionDomains;
    }

    /** {@return memory regions ({@code max_mr})} */
    public int maxMemoryRegions() {
        return memory.maxMemoryRegions;
    }

    /** {@return bytes of one memory region ({@code max_mr_size})} */
    public long maxMemoryRegionSize() {
        return memory.maxMemoryRegionSize;
    }

    /** {@return memory windows ({@code max_mw})} */
    public int maxMemoryWindows() {
        return memory.maxMemoryWindows;
    }

    /** {@return buffers of one fast-registered region ({@code max_fast_reg_page_list_len})} */
    public int maxFastRegistrationBuffers() {
        return memory.maxFastRegistrationBuffers;
    }

    /** {@return address handles ({@code max_ah})} */
    public int maxAddressHandles() {
        return datagrams.maxAddressHandles;
    }

    /** {@return multicast groups with members here ({@code max_mcast_grp})} */
    public int maxMulticastGroups() {
        return datagrams.maxMulticastGroups;
    }

    /** {@return queue pairs in one multicast group ({@code max_mcast_qp_attach})} */
    public int maxMulticastGroupMembers() {
        return datagrams.maxMulticastGroupMembers;
    }

    /** {@return queue pairs in all multicast groups together ({@code max_total_mcast_qp_attach})} */
    public int maxMulticastMembers() {
        return datagrams.maxMulticastMembers;
    }

    /** {@return what not every device can; unmodifiable ({@code device_cap_flags})} */
    public Set<DeviceCapability> capabilities() {
        return features.capabilities;
    }

    /** {@return among whom atomics are atomic ({@code atomic_cap})} */
    public AtomicCapability atomicCapability() {
        return features.atomicCapability;
    }

    /** {@return ports ({@code phys_port_cnt})} */
    public int physicalPortCount() {
        return features.physicalPortCount;
    }
}
