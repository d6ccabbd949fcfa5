package io.rdma4j.core.device;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.QpLifecycle;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.wire.AckTimeout;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.RnrTimer;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Modifies a queue pair, or refuses with everything that is wrong and changes nothing (§9). Owner thread.
 */
final class QpModifier {
    private static final int MAX_RETRY = 7;
    private static final int PORT = 1;

    private final DeviceEngine engine;
    private final DeviceLimits limits;

    QpModifier(DeviceEngine engine) {
        this.engine = engine;
        this.limits = engine.config().limits();
    }

    void modify(QpContext qp, QueuePairAttributes given) {
        Set<QueuePairAttribute> mask = given.mask();
        QueuePairState from = qp.state();
        QueuePairState to = mask.contains(QueuePairAttribute.STATE) ? given.state() : from;
        QpTransitions.Rule rule = QpTransitions.of(qp.type(), from, to);
        if (rule == null) {
            throw refused(qp, from + " to " + to + " is not a legal move");
        }
        checkMask(qp, rule, mask, from + " to " + to);
        checkValues(qp, given, mask);
        if (from == QueuePairState.SQD && to == QueuePairState.RTS && qp.send.draining) {
            throw refused(qp, from + " to " + to + ": the send queue is still draining");
        }
        QpLifecycle lifecycle = engine.lifecycle();
        // The last thing that can be refused; from here on nothing fails, so that all changes or nothing does.
        int answers = mask.contains(QueuePairAttribute.MAX_DEST_RD_ATOMIC)
                ? given.maxDestinationReadAtomic()
                : qp.attributes.maxDestinationReadAtomic;
        lifecycle.requireReadAtomic(qp, answers, limits.max(DeviceLimit.MAX_RES_RD_ATOM));
        PeerState peer = mask.contains(QueuePairAttribute.AV) ? lifecycle.reservePeer(given.addressVector()) : null;
        lifecycle.takeReadAtomic(qp, answers);
        qp.attributes.apply(given);
        if (peer != null) {
            lifecycle.route(qp, peer);
        }
        // RESET and ERR act even where the state is reached already: ERR cancels what a failed responder still owes
        // (§8.5).
        if (to != from || to == QueuePairState.RESET || to == QueuePairState.ERR) {
            enter(qp, to, given);
        } else {
            lifecycle.attributesChanged(qp, mask);
        }
    }

    private static void checkMask(QpContext qp, QpTransitions.Rule rule, Set<QueuePairAttribute> mask, String move) {
        Set<QueuePairAttribute> missing = rule.missing(mask);
        Set<QueuePairAttribute> superfluous = rule.superfluous(mask);
        if (!missing.isEmpty() || !superfluous.isEmpty()) {
            StringJoiner problems = new StringJoiner("; ", move + ": ", "");
            if (!missing.isEmpty()) {
                problems.add("missing " + missing);
            }
            if (!superfluous.isEmpty()) {
                problems.add("not allowed " + superfluous);
            }
            throw refused(qp, problems.toString());
        }
    }

    private void checkValues(QpContext qp, QueuePairAttributes given, Set<QueuePairAttribute> mask) {
        StringJoiner problems = new StringJoiner("; ");
        problems.setEmptyValue("");
        for (QueuePairAttribute attribute : mask) {
            String problem = problem(qp, given, attribute);
            if (!problem.isEmpty()) {
                problems.add(problem);
            }
        }
        if (problems.length() > 0) {
            throw refused(qp, problems.toString());
        }
    }

    private String problem(QpContext qp, QueuePairAttributes given, QueuePairAttribute attribute) {
        return switch (attribute) {
            case CUR_STATE -> given.currentState() == qp.state() ? "" : "CUR_STATE is not " + qp.state();
            case PKEY_INDEX -> range(attribute, given.pkeyIndex(), 0, 0);
            case PORT -> range(attribute, given.port(), PORT, PORT);
            case PATH_MTU -> mtuProblem(given.pathMtu());
            case DEST_QPN -> range(attribute, given.destinationQueuePair(), 0, Psn.MASK);
            case RQ_PSN -> range(attribute, given.receivePsn(), 0, Psn.MASK);
            case SQ_PSN -> range(attribute, given.sendPsn(), 0, Psn.MASK);
            case MAX_QP_RD_ATOMIC ->
                range(attribute, given.maxReadAtomic(), 0, limits.max(DeviceLimit.MAX_QP_INIT_RD_ATOM));
            case MAX_DEST_RD_ATOMIC ->
                range(attribute, given.maxDestinationReadAtomic(), 0, limits.max(DeviceLimit.MAX_QP_RD_ATOM));
            case MIN_RNR_TIMER -> range(attribute, given.minRnrTimer(), 0, RnrTimer.MAX_CODE);
            case TIMEOUT -> range(attribute, given.timeout(), 0, AckTimeout.MAX_CODE);
            case RETRY_CNT -> range(attribute, given.retryCount(), 0, MAX_RETRY);
            case RNR_RETRY -> range(attribute, given.rnrRetry(), 0, MAX_RETRY);
            case AV -> vectorProblem(given.addressVector().destination());
            case ALT_PATH, PATH_MIG_STATE -> attribute + ": automatic path migration is not supported";
            default -> "";
        };
    }

    private static String range(QueuePairAttribute attribute, int value, int min, int max) {
        return value >= min && value <= max ? "" : attribute + " " + value + " is not in " + min + ".." + max;
    }

    private String mtuProblem(PathMtu mtu) {
        PathMtu active = engine.config().activeMtu();
        return mtu.bytes() <= active.bytes()
                ? ""
                : "PATH_MTU " + mtu.bytes() + " is above the active MTU of the port, " + active.bytes();
    }

    private String vectorProblem(Gid remote) {
        if (remote.isMulticast()) {
            return "AV: " + remote + " is a multicast group, and no peer to connect to";
        }
        String problem = Destinations.problem(engine.config().gid(), remote);
        return problem.isEmpty() ? "" : "AV: " + problem;
    }

    private void enter(QpContext qp, QueuePairState to, QueuePairAttributes given) {
        QpLifecycle lifecycle = engine.lifecycle();
        switch (to) {
            case RESET -> lifecycle.toReset(qp);
            case INIT -> qp.state(QueuePairState.INIT);
            case RTR -> lifecycle.toReadyToReceive(qp);
            case RTS -> {
                if (qp.state() == QueuePairState.RTR) {
                    lifecycle.toReadyToSend(qp);
                } else {
                    lifecycle.resumeSending(qp);
                }
            }
            case SQD -> {
                qp.attributes.sqdAsyncNotify = given.sqdAsyncNotify(); // each time anew: not asked for is not wanted
                lifecycle.toSendQueueDrain(qp);
            }
            case ERR -> lifecycle.toError(qp);
            default -> throw new IllegalStateException("no way into " + to);
        }
    }

    private static RdmaException refused(QpContext qp, String why) {
        return new RdmaException(
                ErrorCode.EINVAL, String.format("ibv_modify_qp of queue pair 0x%06x: %s", qp.number(), why));
    }
}
