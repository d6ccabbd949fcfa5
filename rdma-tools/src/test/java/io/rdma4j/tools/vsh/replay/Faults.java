package io.rdma4j.tools.vsh.replay;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.fabric.FrameRule;
import java.util.List;

/** What was done to the network while a transcript was made; of {@code faults.txt}. */
final class Faults {
    private static final String FILE = "faults.txt";

    private final List<Change> changes;

    /**
     * A change of the network.
     *
     * @param transcript when which transcript is replayed
     * @param before before which command, the first time it comes after the change before
     * @param action {@code heal}, or which frames are dropped
     */
    record Change(String transcript, String before, String action) {
        void make(Fabric fabric, FabricDevice first, FabricDevice second) {
            if (action.equals("heal")) {
                fabric.clearRules();
                return;
            }
            FrameRule rule = FrameRule.drop();
            String[] words = action.split(" ");
            for (int i = 1; i < words.length; i++) {
                String[] condition = words[i].split("=");
                rule = switch (condition[0]) {
                    case "opcode" -> rule.opcode(Opcode.valueOf(condition[1]));
                    case "psn" -> rule.psn(Integer.parseInt(condition[1]));
                    case "from" -> rule.from(condition[1].equals("g1") ? first : second);
                    case "first" -> rule.first(Integer.parseInt(condition[1]));
                    default -> throw new AssertionError(FILE + ": " + action);
                };
            }
            fabric.addRule(rule);
        }
    }

    private Faults(List<Change> changes) {
        this.changes = changes;
    }

    static Faults read() {
        return new Faults(ReviewedLines.read(FILE, 3).stream()
                .map(row -> new Change(row.get(0), row.get(1), row.get(2)))
                .toList());
    }

    List<Change> of(String transcript) {
        return changes.stream()
                .filter(change -> change.transcript().equals(transcript))
                .toList();
    }
}
