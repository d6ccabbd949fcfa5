package io.rdma4j.tools.vsh.replay;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers of a verbs shell: their values, and what of them is comparable between two devices. */
final class AnswerFields {
    /** Names of objects and what a vendor chooses: different in every run. */
    private static final Pattern OWN = Pattern.compile(" ?\\b(addr|lkey|rkey|qpn|srcqp|dqpn|vendor|inline)=[^\\s\\]]+");

    private AnswerFields() {}

    /** The number behind {@code name=}, if it is there. */
    static OptionalLong number(String text, String name) {
        Matcher matcher = Pattern.compile("\\b" + name + "=(0x[0-9a-f]+|\\d+)").matcher(text);
        return matcher.find() ? OptionalLong.of(Long.decode(matcher.group(1))) : OptionalLong.empty();
    }

    /** The answer without what differs from run to run. */
    static String comparable(String answer) {
        return OWN.matcher(answer).replaceAll("").strip();
    }
}
