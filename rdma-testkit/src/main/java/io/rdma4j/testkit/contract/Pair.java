package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.rdma4j.verbs.QueuePairState;

/** Two ends that belong together. */
public final class Pair {
    private final End a;
    private final End b;
    private final PairPlan plan;

    Pair(ContractBed bed, PairPlan plan) {
        this.plan = plan;
        a = new End(bed, plan, plan.deviceA(), 1);
        b = new End(bed, plan, plan.deviceB(), 2);
        if (plan.isConnected()) {
            connect();
        }
    }

    public End a() {
        return a;
    }

    public End b() {
        return b;
    }

    /** Takes both from RESET or INIT to RTS, with the options of the plan. */
    public void connect() {
        a.connect(b, plan.options());
        b.connect(a, plan.options());
    }

    /** Both are in this state. */
    public void expectState(QueuePairState state) {
        a.expectState(state);
        b.expectState(state);
    }

    /** The bytes at {@code to} are now those at {@code from}. */
    public static void expectSame(End from, int fromOffset, End to, int toOffset, int length) {
        assertArrayEquals(from.bytes(fromOffset, length), to.bytes(toOffset, length), "the bytes that arrived");
    }
}
