package io.rdma4j.tools.verbs;

import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import picocli.CommandLine.Option;

/** Names the device, where the C tools take a device name. */
public final class DeviceOption {
    /** What is opened when nothing is said: works on every machine without a setting. */
    public static final String DEFAULT_URI = "udp://127.0.0.1";

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "URI",
            defaultValue = DEFAULT_URI,
            description =
                    "The device, such as udp://192.0.2.1 or udp://127.0.0.1?port=14791 (default: ${DEFAULT-VALUE}).")
    private String uri = DEFAULT_URI;

    /** The URI as given. */
    public String uri() {
        return uri;
    }

    /** Opens the device. */
    public RdmaDevice open() {
        return RdmaDevices.open(uri);
    }
}
