package io.rdma4j.tools.pcap;

import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.OtherFrame;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the frames of a capture are worth.
 *
 * @param frames how many RoCEv2 frames there are
 * @param others how many frames that are not RoCEv2
 * @param failures a line for each problem, which names the frame by its number
 */
public record CaptureCheck(long frames, long others, List<String> failures) {
    /** Takes one look at each frame while a capture is checked. */
    interface Visitor {
        Visitor NOBODY = (number, packet, frame, problems) -> {};

        /**
         * Sees a frame.
         *
         * @param number counts from 1, as Wireshark does
         * @param problems what is wrong with it; empty when it is right
         */
        void frame(long number, PcapPacket packet, CapturedFrame frame, List<String> problems);
    }

    /** Checks a capture whose frames may be on any port. */
    public static CaptureCheck of(Path file) {
        return of(file, new FrameInspector(List.of(), false), Visitor.NOBODY);
    }

    static CaptureCheck of(Path file, FrameInspector inspector, Visitor visitor) {
        if (!Files.exists(file)) {
            throw new ToolException(file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw new ToolException(file + ": a directory, not a capture");
        }
        long number = 0;
        long others = 0;
        List<String> failures = new ArrayList<>();
        try (PcapReader reader = PcapReader.open(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                number++;
                CapturedFrame frame = inspector.decode(packet);
                List<String> problems = inspector.problems(frame);
                for (String problem : problems) {
                    failures.add("frame " + number + ": " + problem);
                }
                others += frame instanceof OtherFrame ? 1 : 0;
                visitor.frame(number, packet, frame, problems);
            }
        } catch (IOException e) {
            throw new ToolException(String.valueOf(e.getMessage()), e);
        }
        return new CaptureCheck(number - others, others, List.copyOf(failures));
    }

    /** Whether there is a RoCEv2 frame and nothing is wrong; a check of nothing proves nothing. */
    public boolean passed() {
        return frames > 0 && failures.isEmpty();
    }

    /** The verdict in one line. */
    public String summary() {
        String found = frames + " RoCEv2 frames" + (others > 0 ? " and " + others + " others" : "");
        if (!failures.isEmpty()) {
            return found + ", " + failures.size() + (failures.size() == 1 ? " problem" : " problems");
        }
        return found + (frames > 0 ? ": all parse, re-encode to the same bytes and have a right ICRC" : "");
    }
}
