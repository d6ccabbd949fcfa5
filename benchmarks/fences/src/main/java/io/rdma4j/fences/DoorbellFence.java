package io.rdma4j.fences;

import io.rdma4j.core.queue.Doorbells;
import io.rdma4j.core.queue.SendQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A request is posted while the owner answers an earlier ring: it is seen, or it rings again. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "too late for the look, rings again")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "seen, and rings for nothing")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "seen by the earlier ring's look")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "not seen, and nobody will look")
@State
public class DoorbellFence {
    private static final class Entry extends Doorbells.Entry {}

    private final Doorbells doorbells = new Doorbells();
    private final Entry entry = new Entry();
    private final SendQueue queue = new SendQueue(1, 0);

    public DoorbellFence() {
        doorbells.ring(entry);
    }

    @Actor
    public void poster(ZZ_Result result) {
        queue.lock().lock();
        try {
            queue.publish();
        } finally {
            queue.lock().unlock();
        }
        result.r1 = doorbells.ring(entry);
    }

    @Actor
    public void owner(ZZ_Result result) {
        Doorbells.Entry first = doorbells.takeAll();
        if (first != null) {
            first.unlinkAndDisarm();
        }
        result.r2 = queue.posted() != 0;
    }
}
