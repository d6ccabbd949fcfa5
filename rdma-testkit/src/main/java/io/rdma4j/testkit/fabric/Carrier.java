package io.rdma4j.testkit.fabric;

import io.rdma4j.core.link.FrameDamage;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.Gid;
import java.util.Collection;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Takes sealed frames from one device to another, and does to them on the way what options and rules want. */
final class Carrier {
    private final Fabric fabric;
    private final SplittableRandom chance;
    private final FrameDamage corruption;
    private final FramePool pool = new FramePool();
    private final Trace trace = new Trace();
    private final FabricRules rules = new FabricRules();
    private final Verdict verdict = new Verdict();
    private final Icrc icrc = new Icrc();
    private final RocePacket packet = new RocePacket();
    private FrameTap sentTap = FrameTap.NONE;
    private FrameTap arrivedTap = FrameTap.NONE;

    Carrier(Fabric fabric, SplittableRandom chance, SplittableRandom corruption) {
        this.fabric = fabric;
        this.chance = chance;
        this.corruption = new FrameDamage(corruption);
    }

    FramePool pool() {
        return pool;
    }

    Trace trace() {
        return trace;
    }

    FabricRules rules() {
        return rules;
    }

    void tap(FrameTap sent, FrameTap arrived) {
        sentTap = sent;
        arrivedTap = arrived;
    }

    /**
     * Decides what becomes of a sealed frame and puts it on its way; the frame is the fabric's from here on. Of a frame for
     * a multicast group each member gets a copy (§14), the sender too if it is one, and each copy has a fate of its own.
     */
    void transmit(FabricDevice from, Frame frame) {
        sentTap.frame(fabric.nowNs(), frame);
        Gid destination = frame.path.remote();
        if (!destination.isMulticast()) {
            transmit(from, fabric.deviceAt(destination), frame);
            return;
        }
        Collection<FabricDevice> members = fabric.groups().of(destination);
        if (members.isEmpty()) {
            transmit(from, null, frame);
            return;
        }
        for (FabricDevice member : members) {
            transmit(from, member, pool.copyOf(frame));
        }
        pool.release(frame);
    }

    private void transmit(FabricDevice from, @Nullable FabricDevice to, Frame frame) {
        FrameView view = view(from, to, frame);
        verdict.roll(fabric.optionsBetween(from, to), chance);
        FrameRule rule = rules.find(view);
        if (rule != null) {
            verdict.apply(rule.effect());
        }
        carry(from, to, view, frame);
    }

    /** The same for a frame that a rule made: no rule and no chance touches it, and it waits for no bandwidth. */
    void transmitForged(FabricDevice from, Frame frame) {
        sentTap.frame(fabric.nowNs(), frame);
        FabricDevice to = fabric.deviceAt(frame.path.remote());
        verdict.clear();
        verdict.fates.add(Fate.FORGED);
        carry(from, to, view(from, to, frame), frame);
    }

    private void carry(FabricDevice from, @Nullable FabricDevice to, FrameView view, Frame frame) {
        Direction direction = to == null ? null : fabric.direction(from, to);
        long leftNs = leave(from, to, direction, frame);
        trace.add(new TraceEntry(fabric.nowNs(), view, verdict.fates));
        if (to == null || direction == null) {
            pool.release(frame);
            return;
        }
        if (verdict.nakSyndrome != Verdict.NO_NAK && mayBeNaked()) {
            int syndrome = verdict.nakSyndrome;
            fabric.at(direction.turnNs(leftNs, verdict), () -> to.forgeNak(view, syndrome));
        }
        if (verdict.arrives()) {
            deliver(direction, to, frame, leftNs);
        } else {
            pool.release(frame);
        }
    }

    /** When the frame has left its sender; notes if it cannot, or is for nobody. */
    private long leave(FabricDevice from, @Nullable FabricDevice to, @Nullable Direction direction, Frame frame) {
        long nowNs = fabric.nowNs();
        if (to == null || direction == null) {
            verdict.fates.add(Fate.NO_HOST);
            return nowNs;
        }
        if (!from.isLinkUp() || !to.isLinkUp()) {
            verdict.fates.add(Fate.LINK_DOWN);
            return nowNs;
        }
        if (verdict.fates.contains(Fate.FORGED)) {
            return nowNs;
        }
        long leftNs = direction.leave(nowNs, frame);
        if (leftNs == Bottleneck.NO_ROOM) {
            verdict.fates.add(Fate.QUEUE_FULL);
            return nowNs;
        }
        return leftNs;
    }

    /** Only a request that would have reached the responder is answered. */
    private boolean mayBeNaked() {
        return verdict.fates.stream().noneMatch(fate -> fate.isEnd() && fate != Fate.DROPPED);
    }

    private void deliver(Direction direction, FabricDevice to, Frame frame, long leftNs) {
        long turnNs = direction.turnNs(leftNs, verdict);
        Frame second = verdict.fates.contains(Fate.DUPLICATED) ? pool.copyOf(frame) : null;
        if (verdict.fates.contains(Fate.REWRITTEN)) {
            frame.migrated(verdict.migrated, icrc);
        }
        if (verdict.fates.contains(Fate.CORRUPTED)) {
            frame.length =
                    corruption.damage(frame.bytes, Frame.OFFSET, frame.length, frame.addresses, frame.identification);
        }
        if (verdict.waitsForFrames > 0) {
            Direction.Held held = direction.hold(verdict.waitsForFrames, () -> arrive(to, frame));
            fabric.at(turnNs + FrameRule.MAX_HOLD_NS, held::arrive);
        } else {
            fabric.at(turnNs + verdict.lateNs, () -> arrive(to, frame));
        }
        if (!verdict.losesItsTurn()) {
            direction.keptTurn(turnNs);
            for (Direction.Held held : direction.passed()) {
                fabric.at(turnNs, held::arrive);
            }
        }
        if (second != null) {
            fabric.at(turnNs + verdict.copyLateNs, () -> arrive(to, second));
        }
    }

    /** The cable may have been pulled while the frame was under way. */
    private void arrive(FabricDevice to, Frame frame) {
        if (!to.isClosed() && to.isLinkUp()) {
            arrivedTap.frame(fabric.nowNs(), frame);
            to.receive(frame);
        }
        pool.release(frame);
    }

    /** Reads a sent frame back; an engine that sends what no receiver can parse is caught here, at the source. */
    private FrameView view(FabricDevice from, @Nullable FabricDevice to, Frame frame) {
        DropReason malformed = packet.parse(frame.bytes, Frame.OFFSET, frame.length);
        if (malformed != null) {
            throw new IllegalStateException(from + " sent a malformed frame: " + malformed);
        }
        String target = to == null ? frame.path.remote().toString() : to.name();
        return new FrameView(from.name(), target, frame.path, packet);
    }
}
