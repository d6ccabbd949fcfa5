package io.rdma4j.fences;

import io.rdma4j.core.queue.CompletionEntry;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A completion is published while a consumer arms: it raises an event, or arming says that it is there. */
@JCStressTest
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "armed first: an event")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "published first: poll again")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both: an event for what is polled already")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "the consumer sleeps on a waiting completion")
@State
public class CompletionFence {
    private final CompletionRing ring = new CompletionRing(1, 2, this::onEvent);
    private boolean event;

    private void onEvent() {
        event = true;
    }

    @Actor
    public void producer() {
        CompletionEntry entry = ring.claim();
        if (entry != null) {
            entry.begin(1, 2, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND);
            ring.publish();
        }
    }

    @Actor
    public void consumer(ZZ_Result result) {
        result.r1 = ring.arm(false);
    }

    @Arbiter
    public void afterwards(ZZ_Result result) {
        result.r2 = event;
    }
}
