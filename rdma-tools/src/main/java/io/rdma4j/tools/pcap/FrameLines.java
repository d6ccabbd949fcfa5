package io.rdma4j.tools.pcap;

import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.tools.text.Json;
import io.rdma4j.tools.text.Units;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints one line a frame: for people with the time since the first frame, or as JSON. */
final class FrameLines {
    private static final long NOT_SEEN = Long.MIN_VALUE;

    private final PrintWriter out;
    private final boolean json;
    private final boolean showProblems;
    private long firstNanos = NOT_SEEN;

    FrameLines(PrintWriter out, boolean json, boolean showProblems) {
        this.out = out;
        this.json = json;
        this.showProblems = showProblems;
    }

    void print(long number, PcapPacket packet, CapturedFrame frame, List<String> problems) {
        out.println(json ? Json.write(fields(number, packet, frame, problems)) : line(number, packet, frame, problems));
    }

    private String line(long number, PcapPacket packet, CapturedFrame frame, List<String> problems) {
        if (firstNanos == NOT_SEEN) {
            firstNanos = packet.timestampNanos();
        }
        double seconds = (packet.timestampNanos() - firstNanos) / 1e9;
        String line = Units.format("%5d %11.6f %s", number, seconds, frame.line());
        return showProblems && !problems.isEmpty() ? line + "  WRONG: " + String.join("; ", problems) : line;
    }

    private Map<String, Object> fields(long number, PcapPacket packet, CapturedFrame frame, List<String> problems) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("frame", number);
        if (frame instanceof RoceFrame roce) {
            fields.putAll(roce.fields());
        } else {
            fields.put("timestampNanos", packet.timestampNanos());
            fields.put("other", frame.line());
        }
        if (showProblems) {
            fields.put("ok", problems.isEmpty());
            fields.put("problems", problems);
        }
        return fields;
    }
}
