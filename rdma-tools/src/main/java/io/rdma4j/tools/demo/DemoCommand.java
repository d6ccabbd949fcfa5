package io.rdma4j.tools.demo;

import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.tools.text.Json;
import io.rdma4j.tools.text.Terminal;
import io.rdma4j.tools.verbs.DeviceOption;
import io.rdma4j.verbs.DeviceConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code demo}: shows in a few seconds that RDMA works on this machine, and proves it. */
@Command(
        name = "demo",
        description = {
            "Runs RDMA between two JVMs of this machine over UDP, and verifies it.",
            "A greeting by SEND, a WRITE and a READ of 64 MiB, 1,000 atomic increments, and an access error on purpose."
        },
        footer = {"", "Exits 0 only if everything was verified."})
public final class DemoCommand extends ToolCommand {
    private static final String DEFAULT_PEER_URI = "udp://127.0.0.2";

    @Mixin
    private DeviceOption device = new DeviceOption();

    @Option(
            names = "--peer",
            paramLabel = "URI",
            description = "The other process's device (default: udp://127.0.0.2, or another port of -d's address).")
    private @Nullable String peer;

    @Option(
            names = "--pcap",
            paramLabel = "FILE",
            description =
                    "Where the first 100 frames go (default: rdma4j-demo.pcap here, or in the temporary directory).")
    private @Nullable Path pcap;

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    @Override
    public Integer call() {
        try {
            return run();
        } catch (RuntimeException e) {
            if (json) { // a program that reads the object gets one in any case
                out().println(Json.write(DemoResult.failure(e)));
            }
            throw e;
        }
    }

    private int run() {
        DeviceConfig own = DeviceConfig.parse(device.uri());
        boolean interactive = !json && Terminal.isInteractive();
        DemoPrinter printer = new DemoPrinter(out(), interactive, json);
        DeviceConfig other = peerOf(own);
        // An address that the user has named is not to be exchanged for another behind their back.
        DeviceConfig fallback = peer == null ? own : other;
        DemoResult result = new Demo(own, other, fallback, DemoCapture.choose(pcap), verbose(), printer).run();
        if (json) {
            out().println(Json.write(result.toMap()));
        } else {
            printer.summary(result);
        }
        return result.verified() ? 0 : 1;
    }

    /** A device that the user has chosen says where packets can go, so its peer stays at the same address. */
    private DeviceConfig peerOf(DeviceConfig own) {
        if (peer != null) {
            return DeviceConfig.parse(peer);
        }
        return device.uri().equals(DeviceOption.DEFAULT_URI)
                ? DeviceConfig.parse(DEFAULT_PEER_URI)
                : own.with("port", 0);
    }
}
