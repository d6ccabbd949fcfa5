package io.rdma4j.tools.verbs;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;

/**
 * Waits for completions of one queue: where processors abound it looks for a few microseconds, which saves the hop to a
 * sleeping thread when the answer is near; then it sleeps on the channel, which leaves the processor to those who do the
 * work. Not thread-safe.
 */
public final class CompletionWaiter {
    /** Looking pays where both devices' threads and both waiters have a processor each; on fewer it keeps work waiting. */
    private static final int PROCESSORS_FOR_SPINNING = 4;

    private static final long SPIN_NANOS =
            Runtime.getRuntime().availableProcessors() >= PROCESSORS_FOR_SPINNING ? 20_000 : 0;

    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final Duration patience;
    private final long spinNanos;

    /** Waits up to {@code patience} each time; the queue was created with the channel. */
    public CompletionWaiter(CompletionQueue queue, CompletionChannel channel, Duration patience) {
        this(queue, channel, patience, SPIN_NANOS);
    }

    private CompletionWaiter(CompletionQueue queue, CompletionChannel channel, Duration patience, long spinNanos) {
        this.queue = queue;
        this.channel = channel;
        this.patience = patience;
        this.spinNanos = spinNanos;
    }

    /** The same, but always sleeping on the channel: the {@code --events} way of the C tools. */
    public CompletionWaiter withEvents() {
        return new CompletionWaiter(queue, channel, patience, 0);
    }

    /** Takes at least one completion, of whatever status. */
    public int await(WorkCompletion[] into) {
        return await(into, patience, () -> {});
    }

    /**
     * Takes at least one completion, of whatever status.
     *
     * @param tick how long to wait between two calls of {@code meanwhile}
     * @param meanwhile called as long as there is none
     */
    public int await(WorkCompletion[] into, Duration tick, Runnable meanwhile) {
        long start = System.nanoTime();
        int count = spin(into);
        while (count == 0) {
            if (System.nanoTime() - start >= patience.toNanos()) {
                throw new ToolException("no completion for " + patience.toSeconds() + " s: the peer does not answer");
            }
            meanwhile.run();
            count = sleep(into, tick);
        }
        return count;
    }

    /** Refuses a failed completion with its status and cause. */
    public static void requireSuccess(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new ToolException(describe(completion));
        }
    }

    /** A failed completion in words. */
    public static String describe(WorkCompletion completion) {
        return "work request " + completion.workRequestId() + " failed: " + completion.status() + " ("
                + completion.status().description() + "): " + completion.cause();
    }

    private int spin(WorkCompletion[] into) {
        int count = queue.poll(into);
        long start = System.nanoTime();
        while (count == 0 && System.nanoTime() - start < spinNanos) {
            Thread.onSpinWait();
            count = queue.poll(into);
        }
        return count;
    }

    /** Arms and looks once more before it sleeps, so that no completion is missed (§10). */
    private int sleep(WorkCompletion[] into, Duration timeout) {
        queue.arm(false);
        int count = queue.poll(into);
        if (count > 0) {
            return count; // its event may come as well and ends a later sleep early, which does no harm
        }
        CompletionQueue ready = channel.await(timeout);
        if (ready != null) {
            ready.acknowledgeEvents(1);
        }
        return queue.poll(into);
    }
}
