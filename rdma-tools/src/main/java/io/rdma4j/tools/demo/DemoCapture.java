package io.rdma4j.tools.demo;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.pcap.CaptureCheck;
import io.rdma4j.verbs.DeviceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The capture that the demo leaves behind: written by the device, then checked like any other. */
final class DemoCapture {
    static final int FRAMES = 100;

    private static final String DEFAULT_NAME = "rdma4j-demo.pcap";

    private final Path file;

    private DemoCapture(Path file) {
        this.file = file;
    }

    /** The file that was asked for, else one in the working directory, else one in the temporary directory. */
    static DemoCapture choose(@Nullable Path asked) {
        if (asked != null) {
            return new DemoCapture(asked);
        }
        Path here = Path.of(DEFAULT_NAME);
        if (Files.exists(here) ? Files.isWritable(here) : Files.isWritable(Path.of("."))) {
            return new DemoCapture(here);
        }
        try {
            return new DemoCapture(Files.createTempFile("rdma4j-demo", ".pcap"));
        } catch (IOException e) {
            throw new ToolException("no place for the capture: name one with --pcap FILE", e);
        }
    }

    Path file() {
        return file;
    }

    /** The device that also writes the capture. */
    DeviceConfig recording(DeviceConfig config) {
        return config.with("pcap", file.toString()).with("pcapframes", FRAMES);
    }

    /** Checks what the device has written; to be called when the device is closed. */
    DemoStep check() {
        CaptureCheck check = CaptureCheck.of(file);
        return DemoStep.untimed(
                "capture of " + FRAMES + " frames",
                check.frames() == FRAMES && check.passed(),
                file + ": " + check.summary());
    }
}
