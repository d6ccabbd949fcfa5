package io.rdma4j.verbs;

/**
 * A device that could be opened ({@code ibv_get_device_list}).
 *
 * @param uri what to give to {@link RdmaDevices#open(String)}
 * @param name short name, as tools print it
 * @param gid the GID the device would have
 * @param description a line for people
 */
public record DeviceInfo(String uri, String name, Gid gid, String description) {}
