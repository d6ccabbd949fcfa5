package io.rdma4j.testkit.fabric;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A fault for chosen frames, for scenarios such as "drop the third ACK": an action, a match, and which of the matches
 * it happens to. Immutable; the fabric counts the matches of each rule it was given, and {@link #toString} says in words
 * what the rule does.
 */
public final class FrameRule {
    /** How long a frame is held back at most that waits for others to pass, in nanoseconds. */
    public static final long MAX_HOLD_NS = 1_000_000;

    private final Effect effect;
    private final Predicate<FrameView> match;
    private final List<String> conditions;
    private final Occurrence occurrence;

    private FrameRule(Effect effect, Predicate<FrameView> match, List<String> conditions, Occurrence occurrence) {
        this.effect = effect;
        this.match = match;
        this.conditions = conditions;
        this.occurrence = occurrence;
    }

    private static FrameRule of(Effect effect) {
        return new FrameRule(effect, frame -> true, List.of(), Occurrence.ALL);
    }

    /** The frame does not arrive. */
    public static FrameRule drop() {
        return of(new Effect(Effect.Action.DROP, 0, "drop"));
    }

    /** The frame arrives that much later than it would, and later frames overtake it. */
    public static FrameRule delay(long nanos) {
        return of(new Effect(Effect.Action.DELAY, nanos, "delay by " + nanos + " ns"));
    }

    /** The frame arrives a second time, that much later. */
    public static FrameRule duplicate(long nanosLater) {
        return of(new Effect(Effect.Action.DUPLICATE, nanosLater, "duplicate " + nanosLater + " ns later"));
    }

    /** The frame arrives with this MigReq bit (§3), and with the ICRC that belongs to it. */
    public static FrameRule migrated(boolean bit) {
        return of(new Effect(Effect.Action.SET_MIGRATED, bit ? 1 : 0, "set MigReq to " + (bit ? 1 : 0) + " in"));
    }

    /** The frame arrives damaged. */
    public static FrameRule corrupt() {
        return of(new Effect(Effect.Action.CORRUPT, 0, "corrupt"));
    }

    /**
     * The frame changes place with the next so many frames of its direction: it arrives right after the last of them, or
     * after {@link #MAX_HOLD_NS} if they do not come.
     */
    public static FrameRule reorder(int frames) {
        if (frames < 1) {
            throw new IllegalArgumentException("a frame changes place with 1 frame at least, not " + frames);
        }
        return of(new Effect(Effect.Action.REORDER, frames, "swap with the next " + frames));
    }

    /**
     * The request does not arrive; a forged NAK goes back in its place (§4.1), with the responder's MSN as it is when the
     * request would have arrived, and its expected PSN where the syndrome is 0x60, else the request's own (§5). Frames
     * that are no requests do not match.
     *
     * @param syndrome of the AETH, 0 to 255, reserved ones too
     */
    public static FrameRule nak(int syndrome) {
        if (syndrome < 0 || syndrome > 0xFF) {
            throw new IllegalArgumentException("a syndrome is a byte, not " + syndrome);
        }
        String words = String.format(Locale.ROOT, "answer with 0x%02x (%s)", syndrome, Syndrome.describe(syndrome));
        return of(new Effect(Effect.Action.NAK, syndrome, words)).requests();
    }

    /**
     * The same with a receiver-not-ready NAK (§7.5).
     *
     * @param timerCode how long the requester is to wait, a code of §4.3, 0 to 31
     */
    public static FrameRule rnrNak(int timerCode) {
        if (timerCode < 0 || timerCode > RnrTimer.MAX_CODE) {
            throw new IllegalArgumentException("RNR timer codes are 0 to 31, not " + timerCode);
        }
        return nak(Syndrome.rnrNak(timerCode));
    }

    /** For a rule that answers with a NAK: the request arrives all the same, right after the NAK was sent. */
    public FrameRule andDeliver() {
        return new FrameRule(effect.andDeliver(), match, conditions, occurrence);
    }

    private FrameRule requests() {
        return when("a request", frame -> frame.opcode().isRequest());
    }

    /** Only frames of one of these opcodes. */
    public FrameRule opcode(Opcode... opcodes) {
        Set<Opcode> wanted = Set.of(opcodes);
        String words = Arrays.stream(opcodes).map(Enum::name).collect(Collectors.joining(" or "));
        return when(words, frame -> wanted.contains(frame.opcode()));
    }

    /** Only frames with this PSN. */
    public FrameRule psn(int psn) {
        return when("PSN " + psn, frame -> frame.psn() == psn);
    }

    /** Only frames sent by this device. */
    public FrameRule from(FabricDevice device) {
        return when("from " + device.name(), frame -> frame.from().equals(device.name()));
    }

    /** Only frames sent to this device. */
    public FrameRule to(FabricDevice device) {
        return when("to " + device.name(), frame -> frame.to().equals(device.name()));
    }

    /** Only frames to a multicast group, each member's copy by itself. */
    public FrameRule toGroup(Gid group) {
        return when("to group " + group, frame -> frame.destination().equals(group));
    }

    /** Only frames to the queue pair of this number, which several devices may have. */
    public FrameRule queuePair(int number) {
        return when("to QP " + number, frame -> frame.queuePair() == number);
    }

    /** Only frames to a queue pair of this number. */
    public FrameRule queuePair(QueuePair queuePair) {
        return queuePair(queuePair.number());
    }

    /** Only frames that also pass this test. */
    public FrameRule when(Predicate<FrameView> condition) {
        return when("that pass a test", condition);
    }

    /**
     * Only frames that also pass this test.
     *
     * @param words the test in words, for reports
     */
    public FrameRule when(String words, Predicate<FrameView> condition) {
        List<String> more = new ArrayList<>(conditions);
        more.add(words);
        return new FrameRule(effect, match.and(condition), List.copyOf(more), occurrence);
    }

    /** Only the n-th frame that matches, counted from 1. */
    public FrameRule nth(long n) {
        return occurring(new Occurrence(n, n, 1));
    }

    /** Only the first n frames that match. */
    public FrameRule first(long n) {
        return occurring(new Occurrence(1, n, 1));
    }

    /** All matching frames from the n-th on, counted from 1. */
    public FrameRule fromNth(long n) {
        return occurring(new Occurrence(n, Long.MAX_VALUE, 1));
    }

    /** Every n-th frame that matches: the n-th, the 2n-th and so on. */
    public FrameRule every(long n) {
        return occurring(new Occurrence(n, Long.MAX_VALUE, n));
    }

    private FrameRule occurring(Occurrence which) {
        return new FrameRule(effect, match, conditions, which);
    }

    Effect effect() {
        return effect;
    }

    boolean matches(FrameView frame) {
        return match.test(frame);
    }

    /** Whether the rule acts on its {@code n}-th match. */
    boolean actsOn(long n) {
        return occurrence.includes(n);
    }

    /** The rule in words, such as {@code drop the 3rd frame: from b, RC_ACKNOWLEDGE}. */
    @Override
    public String toString() {
        String which = effect.words() + " " + occurrence;
        return conditions.isEmpty() ? which : which + ": " + String.join(", ", conditions);
    }

    /** What a rule does to a frame, and in words. */
    record Effect(Action action, long amount, String words) {
        enum Action {
            DROP,
            DELAY,
            DUPLICATE,
            CORRUPT,
            SET_MIGRATED,
            REORDER,
            NAK,
            NAK_AND_DELIVER
        }

        Effect andDeliver() {
            if (action != Action.NAK) {
                throw new IllegalStateException("only a rule that answers with a NAK keeps the request back");
            }
            return new Effect(Action.NAK_AND_DELIVER, amount, words + ", and deliver,");
        }
    }

    /** Which of the matches: from the first to the last, every so many. */
    private record Occurrence(long first, long last, long step) {
        static final Occurrence ALL = new Occurrence(1, Long.MAX_VALUE, 1);

        Occurrence {
            if (first < 1 || last < first) {
                throw new IllegalArgumentException("matches are counted from 1, not " + first);
            }
        }

        boolean includes(long n) {
            return n >= first && n <= last && (n - first) % step == 0;
        }

        @Override
        public String toString() {
            if (step > 1) {
                return "every " + ordinal(step) + " frame";
            }
            if (first == last) {
                return "the " + ordinal(first) + " frame";
            }
            if (last != Long.MAX_VALUE) {
                return "the first " + last + " frames";
            }
            return first == 1 ? "every frame" : "every frame from the " + ordinal(first) + " on";
        }

        private static String ordinal(long n) {
            boolean teens = n % 100 >= 11 && n % 100 <= 13;
            return n
                    + switch (teens ? 0 : (int) (n % 10)) {
                        case 1 -> "st";
                        case 2 -> "nd";
                        case 3 -> "rd";
                        default -> "th";
                    };
        }
    }
}
