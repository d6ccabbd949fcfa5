package io.rdma4j.testkit.fabric;

import java.util.EnumSet;
import java.util.random.RandomGenerator;

/** What is to happen to one frame, decided when it is sent. Reused from frame to frame. */
final class Verdict {
    final EnumSet<Fate> fates = EnumSet.noneOf(Fate.class);

    /** How much longer than the direction's delay the frame takes, without losing its turn. */
    long jitterNs;

    /** How much later than its turn a frame arrives that is overtaken or delayed. */
    long lateNs;

    /** How much later the second copy of a duplicated frame arrives. */
    long copyLateNs;

    /**
     * Decides by chance. The number of draws does not depend on the outcome, so that raising one probability leaves
     * the rest of a seed's run as alike as can be.
     */
    void roll(FabricOptions options, RandomGenerator random) {
        fates.clear();
        draw(Fate.LOST, options.loss(), random);
        draw(Fate.DUPLICATED, options.duplicate(), random);
        draw(Fate.OVERTAKEN, options.reorder(), random);
        draw(Fate.CORRUPTED, options.corrupt(), random);
        jitterNs = upTo(options.jitterNs(), random);
        long late = 1 + upTo(options.overtakingNs(), random);
        copyLateNs = upTo(options.overtakingNs(), random);
        lateNs = fates.contains(Fate.OVERTAKEN) ? late : 0;
    }

    /** Adds what a rule wants. */
    void apply(FrameRule rule) {
        switch (rule.action()) {
            case DROP -> fates.add(Fate.DROPPED);
            case DELAY -> {
                fates.add(Fate.DELAYED);
                lateNs = rule.delayNs();
            }
            case DUPLICATE -> {
                fates.add(Fate.DUPLICATED);
                copyLateNs = rule.delayNs();
            }
            case CORRUPT -> fates.add(Fate.CORRUPTED);
        }
    }

    boolean arrives() {
        return !fates.contains(Fate.LOST) && !fates.contains(Fate.DROPPED) && !fates.contains(Fate.NO_HOST);
    }

    /** Whether the frame gives up its place in the order of its direction. */
    boolean losesItsTurn() {
        return fates.contains(Fate.OVERTAKEN) || fates.contains(Fate.DELAYED);
    }

    private void draw(Fate fate, double probability, RandomGenerator random) {
        if (random.nextDouble() < probability) {
            fates.add(fate);
        }
    }

    private static long upTo(long bound, RandomGenerator random) {
        return (long) (random.nextDouble() * (bound + 1));
    }
}
