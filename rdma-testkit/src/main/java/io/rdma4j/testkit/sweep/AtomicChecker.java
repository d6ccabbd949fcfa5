package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settles the words that several lanes add to. Each FETCH&ADD brought back the value before it, so the additions must
 * form one chain from the initial value to the final one, in which each happens once and each lane's in their order.
 */
final class AtomicChecker {
    private final SweepPlan plan;
    private final Map<Side, NodeMemory> memories;

    AtomicChecker(SweepPlan plan, Map<Side, NodeMemory> memories) {
        this.plan = plan;
        this.memories = memories;
    }

    /** Checks the chains, and tells the model what they brought. */
    void check(MemoryModel model) {
        for (Side target : Side.values()) {
            for (int word = 0; word < plan.sharedWords(); word++) {
                settle(target, word * Long.BYTES, model);
            }
        }
    }

    private void settle(Side target, int offset, MemoryModel model) {
        List<Addition> additions = additions(target, offset);
        Map<Long, Addition> byValueBefore = new HashMap<>();
        for (Addition addition : additions) {
            long before = memory(target.other()).word(addition.message.sink().offset());
            Addition twin = byValueBefore.put(before, addition);
            if (twin != null) {
                throw new SweepFailure(
                        "FETCH&ADD results: " + addition + " and " + twin + " both brought back " + before);
            }
            model.setWord(target.other(), addition.message.sink().offset(), before);
        }
        long value = InitialMemory.word(plan.seed(), target, offset);
        Set<Addition> done = new HashSet<>();
        for (int i = 0; i < additions.size(); i++) {
            Addition next = byValueBefore.get(value);
            if (next == null || !done.add(next)) {
                throw new SweepFailure("word " + offset + " of " + target + ": no FETCH&ADD brought back " + value
                        + ", the value after " + i + " of " + additions.size());
            }
            if (next.predecessor != null && !done.contains(next.predecessor)) {
                throw new SweepFailure(next + " was executed before " + next.predecessor + " of the same lane");
            }
            value += next.message.add();
        }
        model.setWord(target, offset, value);
    }

    private List<Addition> additions(Side target, int offset) {
        List<Addition> additions = new ArrayList<>();
        for (LanePlan lane : plan.lanes()) {
            if (lane.from() == target.other()) {
                collect(lane, offset, additions);
            }
        }
        return additions;
    }

    private static void collect(LanePlan lane, int offset, List<Addition> additions) {
        Addition previous = null;
        for (int i = 0; i < lane.operations().size(); i++) {
            if (lane.operations().get(i) instanceof AddMessage add
                    && add.word().shared()
                    && add.word().offset() == offset) {
                previous = new Addition(lane, i, add, previous);
                additions.add(previous);
            }
        }
    }

    private NodeMemory memory(Side side) {
        NodeMemory memory = memories.get(side);
        if (memory == null) {
            throw new IllegalStateException("no memory of " + side);
        }
        return memory;
    }

    /** One FETCH&ADD of a shared word; equal only to itself. */
    private static final class Addition {
        private final LanePlan lane;
        private final int index;
        private final AddMessage message;
        private final @Nullable Addition predecessor;

        private Addition(LanePlan lane, int index, AddMessage message, @Nullable Addition predecessor) {
            this.lane = lane;
            this.index = index;
            this.message = message;
            this.predecessor = predecessor;
        }

        @Override
        public String toString() {
            return "operation " + index + " of queue pair " + lane.queuePair() + " from " + lane.from();
        }
    }
}
