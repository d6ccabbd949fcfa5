package io.rdma4j.tools.devinfo;

import io.rdma4j.tools.text.InternetText;
import io.rdma4j.tools.text.Units;
import io.rdma4j.verbs.AtomicCapability;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.DeviceCapability;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.PortAttributes;
import io.rdma4j.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.List;

/** The lines of {@code ibv_devinfo} for one device. Names and layout are that program's, for scripts that read them. */
final class DeviceReport {
    private static final int VALUE_COLUMN = 32; // from the line's start after its tabs, which count 8 each

    private final RdmaDevice device;
    private final boolean verbose;
    private final List<String> lines = new ArrayList<>();

    DeviceReport(RdmaDevice device, boolean verbose) {
        this.device = device;
        this.verbose = verbose;
    }

    List<String> lines() {
        lines.add("hca_id:\t" + device.name());
        DeviceAttributes attributes = device.attributes();
        identity(attributes);
        if (verbose) {
            limits(attributes);
        }
        line(1, "phys_port_cnt", attributes.physicalPortCount());
        port(device.port());
        return lines;
    }

    private void identity(DeviceAttributes attributes) {
        line(1, "transport", "InfiniBand (0)");
        line(1, "fw_ver", attributes.firmwareVersion());
        line(1, "node_guid", guid(attributes.nodeGuid()));
        line(1, "sys_image_guid", guid(attributes.systemImageGuid()));
        line(1, "vendor_id", Units.format("0x%04x", attributes.vendorId()));
        line(1, "vendor_part_id", attributes.vendorPartId());
        line(1, "hw_ver", Units.format("0x%x", attributes.identity().hardwareVersion()));
    }

    private void limits(DeviceAttributes attributes) {
        line(1, "max_mr_size", Units.format("0x%x", attributes.maxMemoryRegionSize()));
        line(1, "page_size_cap", Units.format("0x%x", attributes.memory().pageSizes()));
        line(1, "max_qp", attributes.maxQueuePairs());
        line(1, "max_qp_wr", attributes.maxQueuePairWorkRequests());
        line(1, "device_cap_flags", Units.format("0x%08x", DeviceCapability.bits(attributes.capabilities())));
        for (DeviceCapability capability : attributes.capabilities()) {
            lines.add("\t\t\t\t\t" + capability.name());
        }
        line(1, "max_sge", attributes.maxScatterGather());
        line(1, "max_sge_rd", attributes.queuePairs().maxReadScatterGather());
        line(1, "max_cq", attributes.maxCompletionQueues());
        line(1, "max_cqe", attributes.maxCompletionQueueEntries());
        line(1, "max_mr", attributes.maxMemoryRegions());
        line(1, "max_pd", attributes.maxProtectionDomains());
        line(1, "max_qp_rd_atom", attributes.maxReadAtomic());
        line(1, "max_res_rd_atom", attributes.queuePairs().maxReadAtomicResources());
        line(1, "max_qp_init_rd_atom", attributes.maxInitiatorReadAtomic());
        line(1, "atomic_cap", atomics(attributes.atomicCapability()));
        line(1, "max_mw", attributes.maxMemoryWindows());
        line(1, "max_mcast_grp", attributes.maxMulticastGroups());
        line(1, "max_mcast_qp_attach", attributes.maxMulticastGroupMembers());
        line(1, "max_total_mcast_qp_attach", attributes.maxMulticastMembers());
        line(1, "max_ah", attributes.maxAddressHandles());
        line(1, "max_srq", attributes.maxSharedReceiveQueues());
        line(1, "max_srq_wr", attributes.maxSharedReceiveQueueWorkRequests());
        line(1, "max_srq_sge", attributes.maxSharedReceiveQueueScatterGather());
        line(1, "max_pkeys", attributes.features().maxPartitionKeys());
        line(1, "local_ca_ack_delay", attributes.features().localAckDelay());
        line(1, "max_inline_data", attributes.maxInlineData());
        line(1, "max_fast_reg_page_list_len", attributes.maxFastRegistrationBuffers());
    }

    private void port(PortAttributes port) {
        lines.add("\t\tport:\t1");
        line(3, "state", "PORT_" + port.state().name() + " (" + port.state().code() + ")");
        line(3, "max_mtu", mtu(port.maxMtu()));
        line(3, "active_mtu", mtu(port.activeMtu()));
        line(3, "sm_lid", 0);
        line(3, "port_lid", 0);
        line(3, "port_lmc", "0x00");
        line(3, "link_layer", port.linkLayer());
        if (verbose) {
            line(3, "max_msg_sz", Units.format("0x%x", port.maxMessageSize()));
            line(3, "pkey_tbl_len", port.pkeyTableLength());
            line(3, "gid_tbl_len", port.gidTableLength());
            line(3, "GID[  0]", InternetText.of(device.gid()) + ", RoCE v2");
        }
    }

    private void line(int tabs, String name, Object value) {
        int used = name.length() + 1;
        int column = tabs == 1 ? VALUE_COLUMN : VALUE_COLUMN - 8;
        lines.add("\t".repeat(tabs) + name + ":" + "\t".repeat(Math.max(1, (column - used + 7) / 8)) + value);
    }

    private static String atomics(AtomicCapability capability) {
        return "ATOMIC_" + capability.name() + " (" + capability.code() + ")";
    }

    private static String mtu(PathMtu mtu) {
        return mtu.bytes() + " (" + mtu.code() + ")";
    }

    private static String guid(long guid) {
        return Units.format(
                "%04x:%04x:%04x:%04x", guid >>> 48, guid >>> 32 & 0xFFFF, guid >>> 16 & 0xFFFF, guid & 0xFFFF);
    }
}
