package io.rdma4j.verbs;

/**
 * An entry of a device's GID table ({@code ibv_gid_entry}).
 *
 * @param index its place in the table, from 0 ({@code gid_index})
 * @param port the port it belongs to, 1 ({@code port_num})
 * @param gid the GID ({@code gid})
 * @param type how its frames look ({@code gid_type})
 */
public record GidEntry(int index, int port, Gid gid, GidType type) {}
