package io.rdma4j.fences;

import io.rdma4j.core.queue.Doorbells;
import io.rdma4j.core.queue.WakeFlag;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A doorbell is rung while the owner begins the turn that an earlier wake-up asked for: it is seen, or it wakes again. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "too late for the look, wakes again")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "seen, and wakes for nothing")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "seen in the turn that was asked for")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "on the list, and the owner sleeps")
@State
public class WakeFence {
    private static final class Entry extends Doorbells.Entry {}

    private final Doorbells doorbells = new Doorbells();
    private final WakeFlag flag = new WakeFlag();
    private final Entry entry = new Entry();

    public WakeFence() {
        flag.raise();
    }

    @Actor
    public void poster(ZZ_Result result) {
        result.r1 = doorbells.ring(entry) && flag.raise();
    }

    @Actor
    public void owner(ZZ_Result result) {
        flag.clear();
        result.r2 = doorbells.takeAll() != null;
    }
}
