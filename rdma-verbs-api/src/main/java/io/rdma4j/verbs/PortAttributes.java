package io.rdma4j.verbs;

/**
 * Attributes of a device's only port, number 1 ({@code ibv_port_attr}, from {@code ibv_query_port}).
 *
 * @param state whether the port carries data ({@code state})
 * @param maxMtu the largest path MTU the device can do ({@code max_mtu})
 * @param activeMtu the largest path MTU the link can carry now ({@code active_mtu})
 * @param gidTableLength entries of the GID table ({@code gid_tbl_len})
 * @param pkeyTableLength entries of the P_Key table ({@code pkey_tbl_len})
 * @param maxMessageSize bytes of the longest message ({@code max_msg_sz})
 * @param linkLayer {@code Ethernet}, as tools print it ({@code link_layer})
 */
public record PortAttributes(
        PortState state,
        PathMtu maxMtu,
        PathMtu activeMtu,
        int gidTableLength,
        int pkeyTableLength,
        long maxMessageSize,
        String linkLayer) {}
