package io.rdma4j.core.device;

import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.verbs.AtomicCapability;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.DeviceCapability;
import java.util.EnumSet;
import java.util.Set;

/** What a device tells of itself: its limits, and what else {@code ibv_query_device} wants to know. */
final class PublishedAttributes {
    /** No registered vendor: this is no hardware. */
    private static final int NO_VENDOR = 0;

    private static final int NO_HARDWARE = 0;

    /** Any page size of 4 KiB and more: nothing here depends on pages. */
    private static final long PAGE_SIZES = 0xFFFF_FFFF_FFFF_F000L;

    /** 4.096 us times 2^15, about 134 ms: garbage collection and scheduling may make an ACK that late. */
    private static final int LOCAL_ACK_DELAY = 15;

    private static final int PARTITION_KEYS = 1;
    private static final int PORTS = 1;

    private static final Set<DeviceCapability> CAPABILITIES = EnumSet.of(
            DeviceCapability.CURR_QP_STATE_MOD,
            DeviceCapability.PORT_ACTIVE_EVENT,
            DeviceCapability.SYS_IMAGE_GUID,
            DeviceCapability.RC_RNR_NAK_GEN,
            DeviceCapability.SRQ_RESIZE,
            DeviceCapability.MEM_WINDOW,
            DeviceCapability.MEM_MGT_EXTENSIONS,
            DeviceCapability.MEM_WINDOW_TYPE_2B);

    private PublishedAttributes() {}

    static DeviceAttributes of(EngineConfig config) {
        DeviceLimits limits = config.limits();
        long guid = NodeGuid.of(config.gid(), config.port());
        return new DeviceAttributes(
                new DeviceAttributes.Identity(Version.TEXT, guid, guid, NO_VENDOR, NO_VENDOR, NO_HARDWARE),
                queuePairs(limits),
                new DeviceAttributes.Queues(
                        limits.max(DeviceLimit.MAX_CQ),
                        limits.max(DeviceLimit.MAX_CQE),
                        limits.max(DeviceLimit.MAX_SRQ),
                        limits.max(DeviceLimit.MAX_SRQ_WR),
                        limits.max(DeviceLimit.MAX_SRQ_SGE)),
                new DeviceAttributes.Memory(
                        limits.max(DeviceLimit.MAX_PD),
                        limits.max(DeviceLimit.MAX_MR),
                        limits.maxLong(DeviceLimit.MAX_MR_SIZE),
                        limits.max(DeviceLimit.MAX_MW),
                        limits.max(DeviceLimit.MAX_FAST_REG_PAGE_LIST),
                        PAGE_SIZES),
                new DeviceAttributes.Datagrams(
                        limits.max(DeviceLimit.MAX_AH),
                        limits.max(DeviceLimit.MAX_MCAST_GRP),
                        limits.max(DeviceLimit.MAX_MCAST_QP_ATTACH),
                        limits.max(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH)),
                new DeviceAttributes.Features(
                        CAPABILITIES, AtomicCapability.HCA, PARTITION_KEYS, LOCAL_ACK_DELAY, PORTS));
    }

    private static DeviceAttributes.QueuePairs queuePairs(DeviceLimits limits) {
        return new DeviceAttributes.QueuePairs(
                limits.max(DeviceLimit.MAX_QP),
                limits.max(DeviceLimit.MAX_QP_WR),
                limits.max(DeviceLimit.MAX_SGE),
                limits.max(DeviceLimit.MAX_SGE),
                limits.max(DeviceLimit.MAX_INLINE_DATA),
                limits.max(DeviceLimit.MAX_QP_RD_ATOM),
                limits.max(DeviceLimit.MAX_QP_INIT_RD_ATOM),
                limits.max(DeviceLimit.MAX_RES_RD_ATOM));
    }
}
