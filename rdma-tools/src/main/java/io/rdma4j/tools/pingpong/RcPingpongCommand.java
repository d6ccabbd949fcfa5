package io.rdma4j.tools.pingpong;

import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.verbs.DeviceOption;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaDevice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rc-pingpong}: options, output and TCP exchange of {@code ibv_rc_pingpong}, so that either end may be that. */
@Command(
        name = "rc-pingpong",
        description = {
            "Ping-pong over a reliable connection, as ibv_rc_pingpong; the other end may be that program.",
            "Without HOST it is the server and waits for a client; with HOST it is the client."
        },
        footer = {
            "",
            "Example, both ends on one machine:",
            "  rdma4j rc-pingpong -d udp://127.0.0.2 &",
            "  rdma4j rc-pingpong -d udp://127.0.0.1 localhost"
        })
public final class RcPingpongCommand extends ToolCommand {
    @Mixin
    private DeviceOption device = new DeviceOption();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST",
            description = "The server: a name, IPv4 or IPv6 address.")
    private @Nullable String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port of the exchange of addresses (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Port of the device; a device has one (default: ${DEFAULT-VALUE}).")
    private int devicePort;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Size of a message (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "MTU",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "500",
            description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
    private int receiveDepth;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Exchanges (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description = "Service level, 0 to 15; does nothing over UDP (default: ${DEFAULT-VALUE}).")
    private int serviceLevel;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep on completion events instead of polling.")
    private boolean events;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            defaultValue = "0",
            description =
                    "Index of the local GID. A device has one GID, the address in its URI, which is used for any index.")
    private int gidIndex;

    @Option(
            names = {"-c", "--chk"},
            description = "Validate the received buffer at the end.")
    private boolean validate;

    @Mixin
    private UnsupportedOptions unsupported = new UnsupportedOptions();

    @Override
    public Integer call() {
        PingpongPlan plan = plan();
        try (RdmaDevice opened = device.open()) {
            if (gidIndex >= opened.port().gidTableLength()) {
                remark("note: " + device.uri() + " has no GID " + gidIndex
                        + ", only the address in its URI, which is used");
            }
            new PingpongRun(opened, plan, out()).run();
        }
        return 0;
    }

    private PingpongPlan plan() {
        require(port >= 1 && port <= 65535, "--port has to be 1 to 65535, not " + port);
        require(size >= 1, "--size has to be at least 1, not " + size);
        require(receiveDepth >= 1, "--rx-depth has to be at least 1, not " + receiveDepth);
        require(iterations >= 1, "--iters has to be at least 1, not " + iterations);
        require(serviceLevel >= 0 && serviceLevel <= 15, "--sl has to be 0 to 15, not " + serviceLevel);
        require(gidIndex >= 0, "--gid-idx has to be 0 or more, not " + gidIndex);
        String refusal = unsupported.refusal();
        if (refusal != null) {
            throw new ToolException(refusal);
        }
        if (devicePort != 1) {
            throw new ToolException("--ib-port " + devicePort + ": the device has one port, 1");
        }
        return new PingpongPlan(host, port, size, pathMtu(), receiveDepth, iterations, events, validate);
    }

    private PathMtu pathMtu() {
        require(
                Arrays.stream(PathMtu.values()).anyMatch(known -> known.bytes() == mtu),
                "--mtu has to be 256, 512, 1024, 2048 or 4096, not " + mtu);
        return PathMtu.ofBytes(mtu);
    }
}
