package io.rdma4j.testkit.fabric;

import io.rdma4j.core.wire.Opcode;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A fault for chosen frames, for scenarios such as "drop the third ACK": an action, a match, and which of the matches
 * it happens to. Immutable; the fabric counts the matches of each rule it was given.
 */
public final class FrameRule {
    /** What a rule does to a frame. */
    enum Action {
        DROP,
        DELAY,
        DUPLICATE,
        CORRUPT
    }

    private final Action action;
    private final long delayNs;
    private final Predicate<FrameView> match;
    private final long firstMatch;
    private final long lastMatch;

    private FrameRule(Action action, long delayNs, Predicate<FrameView> match, long firstMatch, long lastMatch) {
        this.action = action;
        this.delayNs = delayNs;
        this.match = match;
        this.firstMatch = firstMatch;
        this.lastMatch = lastMatch;
    }

    private static FrameRule of(Action action, long delayNs) {
        return new FrameRule(action, delayNs, frame -> true, 1, Long.MAX_VALUE);
    }

    /** The frame does not arrive. */
    public static FrameRule drop() {
        return of(Action.DROP, 0);
    }

    /** The frame arrives that much later than it would, and later frames overtake it. */
    public static FrameRule delay(long nanos) {
        return of(Action.DELAY, nanos);
    }

    /** The frame arrives a second time, that much later. */
    public static FrameRule duplicate(long nanosLater) {
        return of(Action.DUPLICATE, nanosLater);
    }

    /** The frame arrives damaged. */
    public static FrameRule corrupt() {
        return of(Action.CORRUPT, 0);
    }

    /** Only frames of one of these opcodes. */
    public FrameRule opcode(Opcode... opcodes) {
        Set<Opcode> wanted = Set.of(opcodes);
        return when(frame -> wanted.contains(frame.opcode()));
    }

    /** Only frames with this PSN. */
    public FrameRule psn(int psn) {
        return when(frame -> frame.psn() == psn);
    }

    /** Only frames sent by this device. */
    public FrameRule from(FabricDevice device) {
        return when(frame -> frame.from().equals(device.name()));
    }

    /** Only frames that also pass this test. */
    public FrameRule when(Predicate<FrameView> condition) {
        return new FrameRule(action, delayNs, match.and(condition), firstMatch, lastMatch);
    }

    /** Only the n-th frame that matches, counted from 1. */
    public FrameRule nth(long n) {
        return matches(n, n);
    }

    /** Only the first n frames that match. */
    public FrameRule first(long n) {
        return matches(1, n);
    }

    /** All matching frames from the n-th on, counted from 1. */
    public FrameRule fromNth(long n) {
        return matches(n, Long.MAX_VALUE);
    }

    private FrameRule matches(long first, long last) {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("matches are counted from 1, not " + first);
        }
        return new FrameRule(action, delayNs, match, first, last);
    }

    Action action() {
        return action;
    }

    long delayNs() {
        return delayNs;
    }

    boolean matches(FrameView frame) {
        return match.test(frame);
    }

    /** Whether the rule acts on its {@code n}-th match. */
    boolean actsOn(long n) {
        return n >= firstMatch && n <= lastMatch;
    }
}
