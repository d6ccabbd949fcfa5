package io.rdma4j.tools.pcap;

import io.rdma4j.tools.cli.ToolCommand;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pcap}: decodes a capture of RoCEv2, one line a frame, and checks it. */
@Command(
        name = "pcap",
        description = {
            "Decodes RoCEv2 frames, one line each, with all header fields.",
            "Reads classic pcap files; Ethernet (also with VLAN tags) and raw IP, IPv4 and IPv6."
        },
        footer = {"", "With --check it exits 1 unless every frame is right, and names those that are not."})
public final class PcapCommand extends ToolCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "The capture, as tcpdump -w writes it.")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private Path file;

    @Option(
            names = "--check",
            description = "Fail unless each frame parses, re-encodes to the same bytes and has a right ICRC.")
    private boolean check;

    @Option(names = "--json", description = "Print each frame as one JSON object on a line of its own.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no frames, only what --check finds.")
    private boolean quiet;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Another UDP port that is RoCEv2; ports with frames that are right are found without it.")
    private List<Integer> ports = List.of();

    @Option(
            names = "--skip-others",
            description = "Pass over frames that are not RoCEv2, such as ARP, instead of failing the check.")
    private boolean skipOthers;

    @Override
    public Integer call() {
        FrameLines lines = new FrameLines(out(), json, check);
        CaptureCheck result = CaptureCheck.of(
                file, new FrameInspector(ports, skipOthers), quiet ? CaptureCheck.Visitor.NOBODY : lines::print);
        return check ? verdict(result) : 0;
    }

    private int verdict(CaptureCheck result) {
        result.failures().forEach(failure -> remark(file + ": " + failure));
        remark(file + ": " + result.summary());
        return result.passed() ? 0 : 1;
    }
}
