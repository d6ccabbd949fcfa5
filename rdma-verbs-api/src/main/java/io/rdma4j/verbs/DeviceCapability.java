package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.Set;

/** What a device can do that not every device can ({@code ibv_device_cap_flags}). */
public enum DeviceCapability {
    /** The sizes of a queue pair can be changed. */
    RESIZE_MAX_WR(1),
    /** Packets with a bad P_Key are counted. */
    BAD_PKEY_CNTR(1 << 1),
    /** Packets with a bad Q_Key are counted. */
    BAD_QKEY_CNTR(1 << 2),
    /** Multicast of raw packets. */
    RAW_MULTI(1 << 3),
    /** Automatic path migration. */
    AUTO_PATH_MIG(1 << 4),
    /** A queue pair can move to another port. */
    CHANGE_PHY_PORT(1 << 5),
    /** The port of an address handle must be that of the queue pair. */
    UD_AV_PORT_ENFORCE(1 << 6),
    /** A modify may name the current state of the queue pair. */
    CURR_QP_STATE_MOD(1 << 7),
    /** The port can be shut down. */
    SHUTDOWN_PORT(1 << 8),
    /** The port's initialisation type can be set. */
    INIT_TYPE(1 << 9),
    /** An event tells that the port is active. */
    PORT_ACTIVE_EVENT(1 << 10),
    /** The device has a system image GUID. */
    SYS_IMAGE_GUID(1 << 11),
    /** Responders of reliable connections answer with RNR NAKs. */
    RC_RNR_NAK_GEN(1 << 12),
    /** Shared receive queues can be resized. */
    SRQ_RESIZE(1 << 13),
    /** A completion queue can be armed for the n-th completion. */
    N_NOTIFY_CQ(1 << 14),
    /** Memory windows of type 1. */
    MEM_WINDOW(1 << 17),
    /** Checksums of UD over IP. */
    UD_IP_CSUM(1 << 18),
    /** Extended reliable connections. */
    XRC(1 << 20),
    /** Fast registration, local invalidate, sends with invalidate. */
    MEM_MGT_EXTENSIONS(1 << 21),
    /** Memory windows of type 2A. */
    MEM_WINDOW_TYPE_2A(1 << 23),
    /** Memory windows of type 2B. */
    MEM_WINDOW_TYPE_2B(1 << 24);

    private final int code;

    DeviceCapability(int code) {
        this.code = code;
    }

    /** {@return the bit in the C library} */
    public int code() {
        return code;
    }

    /**
     * {@return the bits of several, as {@code device_cap_flags} has them}
     *
     * @param capabilities which
     */
    public static int bits(Set<DeviceCapability> capabilities) {
        Arguments.required(capabilities, "capabilities");
        int bits = 0;
        for (DeviceCapability capability : capabilities) {
            bits |= capability.code;
        }
        return bits;
    }

    @Override
    public String toString() {
        return "IBV_DEVICE_" + name();
    }
}
