package io.rdma4j.tools.devinfo;

import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.verbs.DeviceInfo;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code devinfo}: what {@code ibv_devinfo} tells of a device, in its layout. */
@Command(name = "devinfo", description = "Tells about RDMA devices, as ibv_devinfo; -v tells all.")
public final class DevinfoCommand extends ToolCommand {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "URI",
            description = "The device, such as udp://192.0.2.1 (default: all that -l lists).")
    private @Nullable String uri;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Port of the device; a device has one (default: ${DEFAULT-VALUE}).")
    private int devicePort;

    @Option(
            names = {"-l", "--list"},
            description = "Only list the devices that this machine's addresses give.")
    private boolean list;

    @Override
    public Integer call() {
        if (devicePort != 1) {
            throw new ToolException("--ib-port " + devicePort + ": a device has one port, 1");
        }
        if (list) {
            printList(RdmaDevices.list());
            return 0;
        }
        if (uri != null) {
            print(uri);
            return 0;
        }
        return printAll(RdmaDevices.list());
    }

    private void printList(List<DeviceInfo> devices) {
        out().println(devices.size() + (devices.size() == 1 ? " HCA found:" : " HCAs found:"));
        for (DeviceInfo device : devices) {
            out().println("\t" + device.uri());
        }
        out().println();
    }

    /** A device that another process has open does not hide the others. */
    private int printAll(List<DeviceInfo> devices) {
        if (devices.isEmpty()) {
            throw new ToolException("no RDMA device found; name one with -d udp://ADDRESS");
        }
        int failed = 0;
        for (DeviceInfo device : devices) {
            try {
                print(device.uri());
            } catch (RdmaException e) {
                failed++;
                remark(device.uri() + ": " + e.getMessage());
            }
        }
        return failed == devices.size() ? 1 : 0;
    }

    private void print(String deviceUri) {
        try (RdmaDevice device = RdmaDevices.open(deviceUri)) {
            new DeviceReport(device, verbose()).lines().forEach(out()::println);
            out().println();
        }
    }
}
