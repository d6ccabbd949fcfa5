package io.rdma4j.testkit.sweep;

import java.util.List;

/**
 * Everything a sweep does, fixed before it starts: the program, the connections and the network.
 *
 * @param seed what all of it follows from
 * @param network the faults
 * @param connection queue pairs and memory
 * @param lanes the program, one lane a queue pair and direction
 * @param memoryBytes size of each node's memory, by side
 * @param sharedWords words at the start of each memory that several queue pairs add to
 */
record SweepPlan(
        long seed,
        NetworkPlan network,
        ConnectionPlan connection,
        List<LanePlan> lanes,
        List<Integer> memoryBytes,
        int sharedWords) {
    SweepPlan {
        lanes = List.copyOf(lanes);
        memoryBytes = List.copyOf(memoryBytes);
    }

    int memoryBytes(Side side) {
        return memoryBytes.get(side.ordinal());
    }

    /**
     * Whether each queue pair has a shared receive queue to itself, so that the n-th message takes the n-th receive there
     * too.
     */
    boolean sharedReceives() {
        return Variations.sharedReceives(seed);
    }

    /** What a failure report says about the run, beside its seed. */
    String summary() {
        StringBuilder text = new StringBuilder();
        network.describe(text);
        connection.describe(text);
        text.append(sharedReceives() ? "receives from shared queues\n" : "");
        for (LanePlan lane : lanes) {
            text.append("queue pair ").append(lane.queuePair()).append(" from ").append(lane.from());
            text.append(": ").append(lane.operations().size()).append(" operations; ");
            text.append(lane.receives().describe()).append('\n');
        }
        return text.toString();
    }
}
