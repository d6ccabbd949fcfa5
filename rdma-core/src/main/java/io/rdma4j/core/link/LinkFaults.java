package io.rdma4j.core.link;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link FaultyLink} does to received frames. Immutable; each probability is per frame, from 0 to 1, and a frame may
 * meet several faults at once. The text form is {@code loss:0.01,duplicate:0.01,reorder:0.02,corrupt:0.001,delay:200us,
 * seed:7}, every part optional, in any order.
 *
 * @param loss the frame does not arrive
 * @param duplicate the frame arrives a second time, up to {@link FaultyLink#MAX_HOLD_NS} later
 * @param reorder 1 to {@link FaultyLink#MAX_OVERTAKING} later frames arrive before the frame
 * @param corrupt the frame arrives damaged, so that its ICRC is wrong
 * @param delayNs how much later every frame arrives, in nanoseconds
 * @param seed what all chance follows from; null for one that is different each time
 */
public record LinkFaults(
        double loss,
        double duplicate,
        double reorder,
        double corrupt,
        long delayNs,
        @Nullable Long seed) {
    /** Nothing at all. */
    public static final LinkFaults NONE = new LinkFaults(0, 0, 0, 0, 0, null);

    private static final Map<String, Long> UNITS =
            Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);
    private static final long MAX_DELAY_NS = 10_000_000_000L;

    public LinkFaults {
        requireProbability("loss", loss);
        requireProbability("duplicate", duplicate);
        requireProbability("reorder", reorder);
        requireProbability("corrupt", corrupt);
        if (delayNs < 0 || delayNs > MAX_DELAY_NS) {
            throw new IllegalArgumentException("delay must be from 0 to 10s");
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException that says in words what is wrong with it
     */
    public static LinkFaults parse(String text) {
        Map<String, String> parts = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon <= 0) {
                throw new IllegalArgumentException("\"" + part + "\" is not of the form name:value");
            }
            if (parts.put(part.substring(0, colon), part.substring(colon + 1)) != null) {
                throw new IllegalArgumentException(part.substring(0, colon) + " stands in it twice");
            }
        }
        LinkFaults faults = new LinkFaults(
                probability(parts, "loss"),
                probability(parts, "duplicate"),
                probability(parts, "reorder"),
                probability(parts, "corrupt"),
                nanos(parts.remove("delay")),
                seed(parts.remove("seed")));
        if (!parts.isEmpty()) {
            throw new IllegalArgumentException("it knows no " + String.join(", ", parts.keySet())
                    + ", only loss, duplicate, reorder, corrupt, delay and seed");
        }
        return faults;
    }

    /** The same with a seed that is not null. */
    public LinkFaults seed(long number) {
        return new LinkFaults(loss, duplicate, reorder, corrupt, delayNs, number);
    }

    private static double probability(Map<String, String> parts, String name) {
        String value = parts.remove(name);
        if (value == null) {
            return 0;
        }
        try {
            return new BigDecimal(value).doubleValue();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, not " + value, e);
        }
    }

    private static long nanos(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        int unitAt = value.length();
        while (unitAt > 0 && Character.isLetter(value.charAt(unitAt - 1))) {
            unitAt--;
        }
        Long unit = UNITS.get(value.substring(unitAt));
        try {
            if (unit != null) {
                return new BigDecimal(value.substring(0, unitAt))
                        .multiply(BigDecimal.valueOf(unit))
                        .longValueExact();
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // told below, together with a missing unit
        }
        throw new IllegalArgumentException("delay must be a number with a unit, as in 200us or 1.5ms, not " + value);
    }

    private static @Nullable Long seed(@Nullable String value) {
        try {
            return value == null ? null : Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("seed must be a whole number, not " + value, e);
        }
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, not " + value);
        }
    }

    /** The text form, which {@link #parse} reads back; what is 0 is left out. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        add(parts, "loss", loss);
        add(parts, "duplicate", duplicate);
        add(parts, "reorder", reorder);
        add(parts, "corrupt", corrupt);
        if (delayNs > 0) {
            parts.add("delay:" + delay());
        }
        if (seed != null) {
            parts.add("seed:" + seed);
        }
        return parts.isEmpty() ? "loss:0" : String.join(",", parts);
    }

    private String delay() {
        if (delayNs % 1_000_000 == 0) {
            return delayNs / 1_000_000 + "ms";
        }
        return delayNs % 1_000 == 0 ? delayNs / 1_000 + "us" : delayNs + "ns";
    }

    private static void add(List<String> parts, String name, double probability) {
        if (probability > 0) {
            parts.add(name + ":"
                    + BigDecimal.valueOf(probability).stripTrailingZeros().toPlainString());
        }
    }
}
