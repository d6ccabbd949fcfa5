package io.rdma4j.testkit.fabric;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules in force and how often each has matched. */
final class FabricRules {
    private final List<Counted> rules = new ArrayList<>();

    void add(FrameRule rule) {
        rules.add(new Counted(rule));
    }

    void clear() {
        rules.clear();
    }

    /** The first rule that acts on the frame, or null. Every rule counts its match, also one that comes too late. */
    @Nullable
    FrameRule find(FrameView frame) {
        FrameRule found = null;
        for (Counted counted : rules) {
            if (counted.rule.matches(frame) && counted.rule.actsOn(++counted.matches) && found == null) {
                found = counted.rule;
            }
        }
        return found;
    }

    private static final class Counted {
        private final FrameRule rule;
        private long matches;

        private Counted(FrameRule rule) {
            this.rule = rule;
        }
    }
}
