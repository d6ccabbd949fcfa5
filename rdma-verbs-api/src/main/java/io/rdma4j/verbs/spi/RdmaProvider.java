package io.rdma4j.verbs.spi;

import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.DeviceInfo;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.util.List;
import java.util.Set;

/**
 * A kind of device, found by {@link java.util.ServiceLoader} and chosen by the scheme of the device URI.
 *
 * <p>Declare an implementation both in {@code module-info.java} ({@code provides}) and in {@code META-INF/services}, so
 * that it is found on the module path and on the class path.
 *
 * <p>Threading: any method may be called by any thread at any time.
 */
public interface RdmaProvider {
    /** {@return the URI scheme this provider answers to, in lower case, such as {@code udp}} */
    String scheme();

    /**
     * The names of all options this provider knows. {@link io.rdma4j.verbs.RdmaDevices} refuses every other option, and
     * takes the defaults of these from the system properties {@code rdma4j.<option>}, before it calls {@link #open}.
     *
     * @return names as they stand in a device URI, such as {@code port}
     */
    Set<String> optionNames();

    /**
     * Opens a device.
     *
     * @param config what to open; its options are all known and complete with the defaults from system properties
     * @return the open device, never null
     * @throws RdmaException EINVAL for an option value that makes no sense, EADDRINUSE or EADDRNOTAVAIL where the address
     *     cannot be had
     */
    RdmaDevice open(DeviceConfig config);

    /** {@return what could be opened here now, best first; empty if nothing} */
    List<DeviceInfo> list();
}
