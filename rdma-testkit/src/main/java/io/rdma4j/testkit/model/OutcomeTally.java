package io.rdma4j.testkit.model;

import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.EnumMap;
import java.util.Map;

/** How often each status was foreseen and came: programs that never fail would prove little. */
public final class OutcomeTally {
    private final Map<WorkCompletionStatus, Long> counts = new EnumMap<>(WorkCompletionStatus.class);

    /** An empty one. */
    public OutcomeTally() {}

    void count(WorkCompletion completion) {
        counts.merge(completion.status(), 1L, Long::sum);
    }

    /** How often a status came. */
    public long of(WorkCompletionStatus status) {
        return counts.getOrDefault(status, 0L);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
