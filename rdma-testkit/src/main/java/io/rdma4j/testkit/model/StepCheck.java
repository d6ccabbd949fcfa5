package io.rdma4j.testkit.model;

import io.rdma4j.testkit.model.Prediction.Alternative;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletion;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds what a node has completed in a step against what it must have. */
final class StepCheck {
    private StepCheck() {}

    /** Checks all completions of a step, and counts them by status. */
    static void completions(String node, Prediction prediction, ModelNode actual, OutcomeTally tally) {
        Map<QueueKey, List<WorkCompletion>> completed = actual.takeCompletions();
        Set<QueueKey> queues = new LinkedHashSet<>(prediction.byQueue().keySet());
        queues.addAll(completed.keySet());
        for (QueueKey queue : queues) {
            List<Alternative> ways =
                    prediction.byQueue().getOrDefault(queue, List.of(new Alternative(List.of(), () -> {})));
            List<WorkCompletion> found = completed.getOrDefault(queue, List.of());
            int number = actual.queuePair(queue.queuePair()).number();
            Alternative way = ways.stream()
                    .filter(each -> matches(each.completions(), found, number))
                    .findFirst()
                    .orElseThrow(() -> mismatch(node + ", " + queue, ways, found));
            way.consequence().run();
            found.forEach(tally::count);
        }
    }

    private static boolean matches(List<Expected> wanted, List<WorkCompletion> found, int queuePairNumber) {
        if (wanted.size() != found.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).matches(found.get(i)) || found.get(i).queuePairNumber() != queuePairNumber) {
                return false;
            }
        }
        return true;
    }

    private static ModelMismatch mismatch(String where, List<Alternative> ways, List<WorkCompletion> found) {
        StringBuilder text = new StringBuilder(where).append(" completed\n");
        found.forEach(completion -> text.append("    ").append(completion).append('\n'));
        text.append("  instead of\n");
        ways.get(0)
                .completions()
                .forEach(wanted -> text.append("    ").append(wanted).append('\n'));
        if (ways.size() > 1) {
            text.append("  or an earlier RETRY_EXC_ERR after a lost answer\n");
        }
        return new ModelMismatch(text.toString());
    }

    static void memory(String node, ModelNode actual) {
        String difference = actual.reference().compare(actual.bytes());
        if (difference != null) {
            throw new ModelMismatch("memory of " + node + ": " + difference);
        }
    }

    static void state(String node, int queuePair, ReferenceQueuePair wanted, ModelNode actual) {
        QueuePairState must = wanted.isInError() ? QueuePairState.ERR : QueuePairState.RTS;
        QueuePairState found = actual.queuePair(queuePair).state();
        if (found != must) {
            throw new ModelMismatch(
                    "queue pair " + queuePair + " of " + node + " is in " + found + " instead of " + must);
        }
    }
}
