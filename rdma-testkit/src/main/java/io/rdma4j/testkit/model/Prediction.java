package io.rdma4j.testkit.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The completions a node must have at the end of a step, by queue. Where a lost answer may end a request in another way,
 * a queue has alternatives, of which one must match whole.
 */
final class Prediction {
    private final Map<QueueKey, List<Alternative>> byQueue = new LinkedHashMap<>();

    /** The only thing that may happen in the queue, after what was already said of it. */
    void exactly(QueueKey queue, List<Expected> completions) {
        List<Expected> all = new ArrayList<>();
        List<Alternative> before = byQueue.get(queue);
        if (before != null) {
            all.addAll(before.get(0).completions);
        }
        all.addAll(completions);
        byQueue.put(queue, List.of(new Alternative(all, () -> {})));
    }

    void oneOf(QueueKey queue, List<Alternative> alternatives) {
        byQueue.put(queue, List.copyOf(alternatives));
    }

    Map<QueueKey, List<Alternative>> byQueue() {
        return byQueue;
    }

    /**
     * A way in which a queue may end.
     *
     * @param completions in order
     * @param consequence what then is not known any more
     */
    record Alternative(List<Expected> completions, Runnable consequence) {}
}
