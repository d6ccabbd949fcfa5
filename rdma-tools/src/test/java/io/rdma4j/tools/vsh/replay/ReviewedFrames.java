package io.rdma4j.tools.vsh.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where the frames of our replays differ from those of Linux, as somebody has reviewed; of {@code frames.txt}. */
final class ReviewedFrames {
    private final Map<String, List<String>> byTranscript = new LinkedHashMap<>();

    /** Reads the list; a section without a reason is refused. */
    static ReviewedFrames read() {
        ReviewedFrames reviewed = new ReviewedFrames();
        List<String> section = new ArrayList<>();
        for (List<String> row : ReviewedLines.read("frames.txt", 1)) {
            String line = row.get(0);
            if (line.startsWith("== ")) {
                int colon = line.indexOf(": ");
                if (colon < 0) {
                    throw new AssertionError("frames.txt: no reason: " + line);
                }
                section = new ArrayList<>();
                reviewed.byTranscript.put(line.substring("== ".length(), colon), section);
            } else {
                section.add(line);
            }
        }
        return reviewed;
    }

    List<String> of(String transcript) {
        return byTranscript.getOrDefault(transcript, List.of());
    }

    /** The transcripts that have a section. */
    List<String> transcripts() {
        return List.copyOf(byTranscript.keySet());
    }
}
