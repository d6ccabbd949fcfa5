package io.rdma4j.core.device;

import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.ALT_PATH;
import static io.rdma4j.verbs.QueuePairAttribute.AV;
import static io.rdma4j.verbs.QueuePairAttribute.CUR_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.DEST_QPN;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MIG_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.RETRY_CNT;
import static io.rdma4j.verbs.QueuePairAttribute.RNR_RETRY;
import static io.rdma4j.verbs.QueuePairAttribute.RQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.SQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.STATE;
import static io.rdma4j.verbs.QueuePairAttribute.TIMEOUT;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;

import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairState;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which moves an RC queue pair may make, and which attributes each must and may carry (§9). */
final class QpTransitions {
    /** One move: attributes that must be given, and those that may. STATE may always. */
    record Rule(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {
        Set<QueuePairAttribute> missing(Set<QueuePairAttribute> mask) {
            EnumSet<QueuePairAttribute> missing = EnumSet.copyOf(required);
            missing.removeAll(mask);
            return missing;
        }

        Set<QueuePairAttribute> superfluous(Set<QueuePairAttribute> mask) {
            EnumSet<QueuePairAttribute> superfluous = EnumSet.of(STATE);
            superfluous.addAll(mask);
            superfluous.removeAll(required);
            superfluous.removeAll(optional);
            superfluous.remove(STATE);
            return superfluous;
        }
    }

    private static final Set<QueuePairAttribute> NONE = EnumSet.noneOf(QueuePairAttribute.class);
    private static final Map<QueuePairState, Map<QueuePairState, Rule>> RULES = new EnumMap<>(QueuePairState.class);

    static {
        rule(RESET, RESET, NONE, NONE);
        rule(RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE);
        rule(INIT, INIT, NONE, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS));
        rule(
                INIT,
                RTR,
                EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                EnumSet.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        rule(
                RTR,
                RTS,
                EnumSet.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC),
                EnumSet.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE));
        rule(RTS, RTS, NONE, EnumSet.of(CUR_STATE, ACCESS_FLAGS, ALT_PATH, PATH_MIG_STATE, MIN_RNR_TIMER));
        for (QueuePairState from : EnumSet.of(INIT, RTR, RTS, ERR)) {
            rule(from, RESET, NONE, NONE);
            rule(from, ERR, NONE, NONE);
        }
    }

    private QpTransitions() {}

    private static void rule(
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {
        RULES.computeIfAbsent(from, key -> new EnumMap<>(QueuePairState.class)).put(to, new Rule(required, optional));
    }

    /** The rule of a move, or null when it is not legal. */
    static @Nullable Rule of(QueuePairState from, QueuePairState to) {
        Map<QueuePairState, Rule> rules = RULES.get(from);
        return rules == null ? null : rules.get(to);
    }
}
