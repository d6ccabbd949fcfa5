package io.rdma4j.core.device;

import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.ALT_PATH;
import static io.rdma4j.verbs.QueuePairAttribute.AV;
import static io.rdma4j.verbs.QueuePairAttribute.CUR_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.DEST_QPN;
import static io.rdma4j.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MIG_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.QKEY;
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
import static io.rdma4j.verbs.QueuePairState.SQD;
import static io.rdma4j.verbs.QueuePairState.SQE;

import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which moves a queue pair of a type may make, and which attributes each must and may carry (§9). A type that is not here
 * makes none.
 */
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
    private static final Map<QueuePairType, Map<QueuePairState, Map<QueuePairState, Rule>>> RULES =
            new EnumMap<>(QueuePairType.class);

    static {
        reliableConnection();
        unreliableConnection();
        datagram();
        for (QueuePairType type : RULES.keySet()) {
            common(type);
        }
    }

    private QpTransitions() {}

    /** No row has SQE: a reliable connection whose send fails goes to ERR; SQE is for UC and UD. */
    private static void reliableConnection() {
        QueuePairType rc = QueuePairType.RC;
        Set<QueuePairAttribute> sending = EnumSet.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE);
        rule(rc, RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE);
        rule(rc, INIT, INIT, NONE, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS));
        rule(
                rc,
                INIT,
                RTR,
                EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                EnumSet.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        rule(rc, RTR, RTS, EnumSet.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC), sending);
        rule(rc, RTS, RTS, NONE, sending);
        rule(rc, SQD, RTS, NONE, sending);
        rule(
                rc,
                SQD,
                SQD,
                NONE,
                EnumSet.of(
                        PORT,
                        AV,
                        TIMEOUT,
                        RETRY_CNT,
                        RNR_RETRY,
                        MAX_QP_RD_ATOMIC,
                        MAX_DEST_RD_ATOMIC,
                        ALT_PATH,
                        ACCESS_FLAGS,
                        PKEY_INDEX,
                        MIN_RNR_TIMER,
                        PATH_MIG_STATE));
    }

    /** As RC, without what belongs to acknowledgements and READs. */
    private static void unreliableConnection() {
        QueuePairType uc = QueuePairType.UC;
        Set<QueuePairAttribute> sending = EnumSet.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
        rule(uc, RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE);
        rule(uc, INIT, INIT, NONE, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS));
        rule(uc, INIT, RTR, EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN), EnumSet.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        rule(uc, RTR, RTS, EnumSet.of(SQ_PSN), sending);
        rule(uc, RTS, RTS, NONE, sending);
        rule(uc, SQD, RTS, NONE, sending);
        rule(uc, SQD, SQD, NONE, EnumSet.of(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE));
        rule(uc, SQE, RTS, NONE, EnumSet.of(CUR_STATE, ACCESS_FLAGS));
    }

    /** No peer and no path: those come with each request. */
    private static void datagram() {
        QueuePairType ud = QueuePairType.UD;
        Set<QueuePairAttribute> sending = EnumSet.of(CUR_STATE, QKEY);
        rule(ud, RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, QKEY), NONE);
        rule(ud, INIT, INIT, NONE, EnumSet.of(PKEY_INDEX, PORT, QKEY));
        rule(ud, INIT, RTR, NONE, EnumSet.of(PKEY_INDEX, QKEY));
        rule(ud, RTR, RTS, EnumSet.of(SQ_PSN), sending);
        rule(ud, RTS, RTS, NONE, sending);
        rule(ud, SQD, RTS, NONE, sending);
        rule(ud, SQD, SQD, NONE, EnumSet.of(PKEY_INDEX, QKEY));
        rule(ud, SQE, RTS, NONE, sending);
    }

    /** What all types have: the way to SQD, and the ways to RESET and ERR from every state that the type can be in. */
    private static void common(QueuePairType type) {
        rule(type, RTS, SQD, NONE, EnumSet.of(EN_SQD_ASYNC_NOTIFY));
        Set<QueuePairState> alive = EnumSet.of(INIT, RTR, RTS, SQD, ERR);
        if (of(type, SQE, RTS) != null) {
            alive.add(SQE);
        }
        rule(type, RESET, RESET, NONE, NONE);
        for (QueuePairState from : alive) {
            rule(type, from, RESET, NONE, NONE);
            rule(type, from, ERR, NONE, NONE);
        }
    }

    private static void rule(
            QueuePairType type,
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {
        RULES.computeIfAbsent(type, key -> new EnumMap<>(QueuePairState.class))
                .computeIfAbsent(from, key -> new EnumMap<>(QueuePairState.class))
                .put(to, new Rule(required, optional));
    }

    /** The rule of a move, or null when it is not legal. */
    static @Nullable Rule of(QueuePairType type, QueuePairState from, QueuePairState to) {
        return RULES.getOrDefault(type, Map.of()).getOrDefault(from, Map.of()).get(to);
    }
}
