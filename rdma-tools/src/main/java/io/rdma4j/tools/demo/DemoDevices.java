package io.rdma4j.tools.demo;

import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaException;
import java.util.function.Consumer;

/** Opens the devices of the demo where there is room for them. */
final class DemoDevices {
    private static final String PORT = "port";
    private static final String ANY_PORT = "0";

    private DemoDevices() {}

    /**
     * Opens the device, on another port when the usual one is in use and no port was asked for.
     *
     * @param note is told when it is another port
     */
    static RdmaDevice open(DeviceConfig config, Consumer<String> note) {
        try {
            return RdmaDevices.open(config);
        } catch (RdmaException e) {
            if (e.code() != ErrorCode.EADDRINUSE || config.options().containsKey(PORT)) {
                throw e;
            }
            RdmaDevice device = RdmaDevices.open(config.with(PORT, ANY_PORT));
            note.accept("UDP port 4791 of " + config.host() + " is in use (another device, or the rdma_rxe module); "
                    + "took port " + device.gid().devicePort());
            return device;
        }
    }

    /**
     * Opens the peer's device: the address if this machine has it, else another port of the fallback's address.
     *
     * @param note is told when it is not the first choice
     */
    static RdmaDevice openPeer(DeviceConfig config, DeviceConfig fallback, Consumer<String> note) {
        try {
            return open(config, note);
        } catch (RdmaException e) {
            if (e.code() != ErrorCode.EADDRNOTAVAIL) {
                throw e;
            }
            RdmaDevice device = RdmaDevices.open(fallback.with(PORT, ANY_PORT));
            note.accept("this machine has no address " + config.host() + "; the peer took " + fallback.host() + " port "
                    + device.gid().devicePort());
            return device;
        }
    }
}
