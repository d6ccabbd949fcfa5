package io.rdma4j.tools.text;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON on one line (RFC 8259) from maps, lists, strings, numbers, booleans and null. */
public final class Json {
    private Json() {}

    /** The JSON text of a value; maps keep their order. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            appendObject(out, map);
        } else if (value instanceof List<?> list) {
            appendArray(out, list);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            out.append("null"); // JSON has no word for it
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            appendString(out, value.toString());
        }
    }

    private static void appendObject(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<?, ?> entry = entries.next();
            appendString(out, String.valueOf(entry.getKey()));
            out.append(':');
            append(out, entry.getValue());
            if (entries.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private static void appendArray(StringBuilder out, List<?> list) {
        out.append('[');
        for (Iterator<?> elements = list.iterator(); elements.hasNext(); ) {
            append(out, elements.next());
            if (elements.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7F || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
