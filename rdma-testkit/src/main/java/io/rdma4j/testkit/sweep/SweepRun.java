package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.check.WireChecker;
import io.rdma4j.testkit.check.WireEnd;
import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.Gid;
import java.util.Map;

/** One run of a plan on a fabric. */
final class SweepRun {
    /** How long the program may take once the network is whole: several of the longest timers a plan has. */
    private static final long HEALED_NS = 2_000_000_000L;

    /** How long the devices may take to come to rest when nothing is left to do. */
    private static final long QUIET_NS = 1_000_000_000L;

    /** How often an application polls; the two sides differ, so that they do not go in step. */
    private static final long TICK_A_NS = 3_700;

    private static final long TICK_B_NS = 5_300;

    private final SweepPlan plan;
    private final Fabric fabric;
    private final FabricDevice deviceA;
    private final FabricDevice deviceB;
    private final MemoryModel model;
    private final SweepNode a;
    private final SweepNode b;

    SweepRun(SweepPlan plan, Fabric fabric) {
        this.plan = plan;
        this.fabric = fabric;
        boolean ipv6 = plan.connection().ipv6();
        deviceA = fabric.addDevice("a", Gid.parse(ipv6 ? "fd00::a" : "::ffff:192.0.2.2"));
        deviceB = fabric.addDevice("b", Gid.parse(ipv6 ? "fd00::b" : "::ffff:192.0.2.3"));
        model = new MemoryModel(plan);
        a = new SweepNode(plan, Side.A, deviceA.rdma(), model);
        b = new SweepNode(plan, Side.B, deviceB.rdma(), model);
    }

    /** Runs the program: first through the faults, then, when they are over, to its end; then checks what is left. */
    void run() {
        try (a;
                b) {
            runProgram();
        }
    }

    private void runProgram() {
        connect();
        startFaults();
        a.start(b, fabric.nowNs());
        b.start(a, fabric.nowNs());
        tick(a, TICK_A_NS);
        tick(b, TICK_B_NS);
        fabric.runUntil(this::isComplete, plan.network().faultsNs());
        fabric.heal();
        if (!fabric.runUntil(this::isComplete, HEALED_NS)) {
            throw new SweepFailure(
                    "no end within " + HEALED_NS + " ns of a whole network:\n" + a.missing() + b.missing());
        }
        fabric.runUntilIdle(QUIET_NS);
        a.poll();
        b.poll();
        new AtomicChecker(plan, Map.of(Side.A, a.memory(), Side.B, b.memory())).check(model);
        model.checkAll(Side.A, a.memory());
        model.checkAll(Side.B, b.memory());
        checkWire();
    }

    /** Makes the checkers expect a byte that nothing writes: the run must then fail. */
    void expectWrongByte() {
        model.expectWrongByte(Side.B);
    }

    private void checkWire() {
        ConnectionPlan connection = plan.connection();
        WireChecker checker = new WireChecker();
        for (int i = 0; i < connection.queuePairs(); i++) {
            WireEnd endA = new WireEnd(deviceA.name(), a.queuePair(i).number(), connection.startPsn(i, Side.A));
            WireEnd endB = new WireEnd(deviceB.name(), b.queuePair(i).number(), connection.startPsn(i, Side.B));
            checker.connected(endA, endB, connection.pathMtu().bytes());
        }
        checker.check(fabric.trace().entries());
    }

    private void connect() {
        ConnectionPlan connection = plan.connection();
        for (int i = 0; i < connection.queuePairs(); i++) {
            ConnectionEnd endA = new ConnectionEnd(a.queuePair(i), connection.startPsn(i, Side.A));
            ConnectionEnd endB = new ConnectionEnd(b.queuePair(i), connection.startPsn(i, Side.B));
            endA.connect(endB, connection.options());
        }
    }

    private void startFaults() {
        NetworkPlan network = plan.network();
        fabric.options(deviceA, deviceB, network.fromA());
        fabric.options(deviceB, deviceA, network.fromB());
        deviceA.refuseClaims(network.refusal());
        deviceB.refuseClaims(network.refusal());
        if (network.blackoutNs() > 0) {
            fabric.after(network.blackoutNs(), () -> fabric.addRule(FrameRule.drop()));
            fabric.after(network.blackoutNs() + network.blackoutLengthNs(), fabric::clearRules);
        }
    }

    private void tick(SweepNode node, long everyNs) {
        node.step(fabric.nowNs());
        if (!isComplete()) {
            fabric.after(everyNs, () -> tick(node, everyNs));
        }
    }

    private boolean isComplete() {
        return a.isComplete() && b.isComplete();
    }
}
