package io.rdma4j.tools.vsh.replay;

import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.Trace;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Frames as short lines, in which those of Linux and ours can be compared: which way, what, PSN, syndrome, payload. */
final class FrameLines {
    private static final Pattern DECODED = Pattern.compile(
            " *[0-9.]+ (\\S+?):\\d+>\\S+ .* ([RU][CD]_\\S+) qpn=\\d+ psn=(\\d+)( A)?.*?(?: AETH\\(0x(..).*\\))? payload=(\\d+) .*");

    private FrameLines() {}

    static List<String> ofLinux(Transcript transcript) {
        return transcript.frames().stream().map(FrameLines::ofLinux).toList();
    }

    private static String ofLinux(String decoded) {
        Matcher field = DECODED.matcher(decoded);
        if (!field.matches()) {
            throw new AssertionError(decoded);
        }
        boolean fromFirst = field.group(1).matches(".*[:.]2(02)?");
        return line(
                fromFirst,
                field.group(2),
                Integer.parseInt(field.group(3)),
                field.group(4) != null,
                field.group(5) == null ? "" : field.group(5),
                Integer.parseInt(field.group(6)));
    }

    /** As seen at g1: without what was lost on its way there. */
    static List<String> ofOurs(Trace trace) {
        return trace.entries().stream()
                .filter(entry -> isFromFirst(entry.frame()) || entry.arrived())
                .map(entry -> ofOurs(entry.frame()))
                .toList();
    }

    private static boolean isFromFirst(FrameView frame) {
        return frame.from().equals("g1");
    }

    private static String ofOurs(FrameView frame) {
        String name = frame.opcode()
                .name()
                .replace("RDMA_", "")
                .replace("ACKNOWLEDGE", "ACK")
                .replace("RESPONSE", "RESP")
                .replace("REQUEST", "REQ")
                .replace("COMPARE_SWAP", "CMP_SWAP")
                .replace("WITH_IMMEDIATE", "IMM")
                .replace("WITH_INVALIDATE", "INV");
        return line(
                isFromFirst(frame),
                name,
                frame.psn(),
                frame.ackRequest(),
                frame.syndrome() < 0 ? "" : String.format("%02x", frame.syndrome()),
                frame.payloadLength());
    }

    private static String line(
            boolean fromFirst, String name, int psn, boolean ackRequest, String syndrome, int payload) {
        return (fromFirst ? "> " : "< ") + name + " psn=" + psn + (ackRequest ? " A" : "")
                + (syndrome.isEmpty() ? "" : " 0x" + syndrome) + (payload == 0 ? "" : " payload=" + payload);
    }
}
