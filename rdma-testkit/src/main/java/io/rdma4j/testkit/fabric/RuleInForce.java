package io.rdma4j.testkit.fabric;

/** A rule that a fabric was given, and how often it has matched and acted. */
public final class RuleInForce {
    private final FrameRule rule;
    private long matched;
    private long acted;
    private boolean ended;

    RuleInForce(FrameRule rule) {
        this.rule = rule;
    }

    FrameRule rule() {
        return rule;
    }

    /** How many frames have matched so far, those that another rule decided on included. */
    public long matched() {
        return matched;
    }

    /** On how many frames the rule has acted so far: of those that matched, those it is for and no earlier rule took. */
    public long acted() {
        return acted;
    }

    /** Counts a frame that may match; whether the rule is for it. */
    boolean isFor(FrameView frame) {
        return rule.matches(frame) && rule.actsOn(++matched);
    }

    void act() {
        acted++;
    }

    void end() {
        ended = true;
    }

    /** The rule in words, with its counts. */
    @Override
    public String toString() {
        return rule + " (matched " + matched + ", acted on " + acted + (ended ? ", ended)" : ")");
    }
}
