package io.rdma4j.tools.demo;

import io.rdma4j.tools.cli.ToolException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line between the two processes of the demo: a verb and named values. Only questions and answers go this way, such
 * as "what is your checksum"; the data itself goes over RDMA.
 *
 * @param verb what is asked or answered
 * @param values by name; neither holds a space or line end, see {@link #withText}
 */
record PeerMessage(String verb, Map<String, String> values) {
    /** Every line begins so; a line that does not is noise of the JVM and is passed over. */
    private static final String MARK = "rdma4j-demo:";

    static PeerMessage of(String verb) {
        return new PeerMessage(verb, Map.of());
    }

    /** The same with one more value. */
    PeerMessage with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value.toString());
        return new PeerMessage(verb, more);
    }

    /** The same with one more value of any characters. */
    PeerMessage withText(String name, String text) {
        return with(name, HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A value that has to be there. */
    String value(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new ToolException("the peer process sent '" + verb + "' without '" + name + "'");
        }
        return value;
    }

    /** A number that has to be there, in hexadecimal. */
    long number(String name) {
        return Long.parseUnsignedLong(value(name), 16);
    }

    /** A text that {@link #withText} put in. */
    String text(String name) {
        return new String(HexFormat.of().parseHex(value(name)), StandardCharsets.UTF_8);
    }

    /** The line. */
    String encode() {
        StringBuilder line = new StringBuilder(MARK).append(' ').append(verb);
        values.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }

    /** Reads a line; null for one that is not a message. */
    static @Nullable PeerMessage decode(String line) {
        String[] words = line.split(" ", -1);
        if (words.length < 2 || !words[0].equals(MARK)) {
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals > 0) {
                values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
            }
        }
        return new PeerMessage(words[1], values);
    }
}
