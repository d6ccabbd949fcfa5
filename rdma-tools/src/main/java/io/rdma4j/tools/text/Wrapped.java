package io.rdma4j.tools.text;

import java.util.ArrayList;
import java.util.List;

/** Text in lines of a given width. */
public final class Wrapped {
    private Wrapped() {}

    /** Breaks a text between words; a word that is longer than a line stays whole. */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() > 0 ? " " : "").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
