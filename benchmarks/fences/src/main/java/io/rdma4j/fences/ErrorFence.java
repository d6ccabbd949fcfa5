package io.rdma4j.fences;

import io.rdma4j.core.queue.ReceiveQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A receive is posted while its queue pair turns to ERR: it is flushed with the others, or it rings to be flushed. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "too late for the flush, rings")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "flushed, and rings for nothing")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "flushed with the others")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "never completed")
@State
public class ErrorFence {
    private final ReceiveQueue queue = new ReceiveQueue(1, 0);

    @Actor
    public void poster(ZZ_Result result) {
        queue.lock().lock();
        try {
            queue.publish();
            result.r1 = queue.doorbellWantedAfterPublish();
        } finally {
            queue.lock().unlock();
        }
    }

    @Actor
    public void owner(ZZ_Result result) {
        queue.wantDoorbell(true);
        result.r2 = queue.posted() != 0;
    }
}
