package io.rdma4j.tools.vsh.shell;

import java.util.List;

/**
 * What a command is answered.
 *
 * @param isOk whether it was done
 * @param text values, or what was refused and why
 * @param explanations more of it in words, for people
 */
public record Answer(boolean isOk, String text, List<String> explanations) {
    /** An answer whose explanations cannot change. */
    public Answer {
        explanations = List.copyOf(explanations);
    }

    static Answer ok() {
        return ok("");
    }

    static Answer ok(String values) {
        return new Answer(true, values, List.of());
    }

    static Answer error(String what) {
        return new Answer(false, what, List.of());
    }

    Answer explained(List<String> words) {
        return new Answer(isOk, text, words);
    }

    /** The one line that programs read: {@code OK key=value...} or {@code ERR what: reason}. */
    public String line() {
        return (isOk ? "OK" : "ERR") + (text.isEmpty() ? "" : " " + text);
    }
}
