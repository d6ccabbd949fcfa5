package io.rdma4j.testkit.fabric;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules in force, and those that were: a report names both. */
final class FabricRules {
    /** Reports are read by people: of ended rules only so many are kept. */
    private static final int MAX_ENDED = 32;

    private final List<RuleInForce> rules = new ArrayList<>();
    private final List<RuleInForce> ended = new ArrayList<>();

    RuleInForce add(FrameRule rule) {
        RuleInForce added = new RuleInForce(rule);
        rules.add(added);
        return added;
    }

    void clear() {
        for (RuleInForce rule : rules) {
            rule.end();
            if (ended.size() < MAX_ENDED) {
                ended.add(rule);
            }
        }
        rules.clear();
    }

    /** The first rule that acts on the frame, or null. Every rule counts its match, also one that comes too late. */
    @Nullable
    FrameRule find(FrameView frame) {
        RuleInForce found = null;
        for (RuleInForce rule : rules) {
            if (rule.isFor(frame) && found == null) {
                found = rule;
            }
        }
        if (found == null) {
            return null;
        }
        found.act();
        return found.rule();
    }

    /** All rules in words, one a line. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        ended.forEach(rule -> lines.add("rule: " + rule));
        rules.forEach(rule -> lines.add("rule: " + rule));
        return lines;
    }
}
