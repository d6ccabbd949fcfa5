package io.rdma4j.testkit.fabric;

import java.util.EnumSet;
import java.util.random.RandomGenerator;

/** What is to happen to one frame, decided when it is sent. Reused from frame to frame. */
final class Verdict {
    /** There is no NAK to be forged. */
    static final int NO_NAK = -1;

    final EnumSet<Fate> fates = EnumSet.noneOf(Fate.class);

    /** How much longer than the direction's delay the frame takes, without losing its turn. */
    long jitterNs;

    /** How much later than its turn a frame arrives that is overtaken or delayed. */
    long lateNs;

    /** How much later the second copy of a duplicated frame arrives. */
    long copyLateNs;

    /** How many frames have to pass before the frame arrives; 0 when it does not wait for any. */
    int waitsForFrames;

    /** The syndrome of the NAK that answers it, or {@link #NO_NAK}. */
    int nakSyndrome;

    /** The MigReq bit of a frame that is rewritten. */
    boolean migrated;

    /** Nothing at all is to happen. */
    void clear() {
        fates.clear();
        jitterNs = 0;
        lateNs = 0;
        copyLateNs = 0;
        waitsForFrames = 0;
        nakSyndrome = NO_NAK;
    }

    /**
     * Decides by chance. The number of draws does not depend on the outcome, so that raising one probability leaves
     * the rest of a seed's run as alike as can be.
     */
    void roll(FabricOptions options, RandomGenerator random) {
        clear();
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
    void apply(FrameRule.Effect effect) {
        switch (effect.action()) {
            case DROP -> fates.add(Fate.DROPPED);
            case DELAY -> {
                fates.add(Fate.DELAYED);
                lateNs = effect.amount();
            }
            case DUPLICATE -> {
                fates.add(Fate.DUPLICATED);
                copyLateNs = effect.amount();
            }
            case SET_MIGRATED -> {
                fates.add(Fate.REWRITTEN);
                migrated = effect.amount() != 0;
            }
            case CORRUPT -> fates.add(Fate.CORRUPTED);
            case REORDER -> {
                fates.add(Fate.REORDERED);
                waitsForFrames = (int) effect.amount();
            }
            case NAK -> {
                fates.add(Fate.NAKED);
                fates.add(Fate.DROPPED);
                nakSyndrome = (int) effect.amount();
            }
            case NAK_AND_DELIVER -> {
                fates.add(Fate.NAKED);
                nakSyndrome = (int) effect.amount();
            }
        }
    }

    boolean arrives() {
        for (Fate fate : fates) {
            if (fate.isEnd()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the frame gives up its place in the order of its direction. */
    boolean losesItsTurn() {
        return fates.contains(Fate.OVERTAKEN) || fates.contains(Fate.DELAYED) || fates.contains(Fate.REORDERED);
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
