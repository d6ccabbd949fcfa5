package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Moves of reliable queue pairs from state to state, and the attributes they need. */
final class QpModifyCases {
    private QpModifyCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("qp/Modify", "RESET, INIT, RTR, RTS; each shows in the state and the query")
                        .covers(Feature.QP_STATES, Feature.QUERY_QP)
                        .run(QpModifyCases::fullPath),
                ContractCase.of("qp/ModifyResetToRtr", "refused, the state stays")
                        .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                        .run(bed -> illegal(bed, RESET, RTR)),
                ContractCase.of("qp/ModifyInitToRts", "refused, the state stays")
                        .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                        .run(bed -> illegal(bed, INIT, RTS)),
                ContractCase.of("qp/ModifyRtsToRtr", "refused, the state stays")
                        .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                        .run(bed -> illegal(bed, RTS, RTR)),
                ContractCase.of("qp/ModRtsToError", "the state is ERR")
                        .covers(Feature.QP_STATES)
                        .run(bed -> {
                            Pair pair = bed.pair();
                            pair.a().move(ERR);
                            assertEquals(ERR, pair.a().queuePair().query().state());
                        }),
                badMask("qp/ModifyBadResetToInitStateTransition", RESET, INIT),
                badMask("qp/ModifyBadInitToRtrStateTransition", INIT, RTR),
                badMask("qp/ModifyBadRtrToRtsStateTransition", RTR, RTS),
                ContractCase.of("qp/ModifyBadValue", "a value out of range is refused by name, and nothing is changed")
                        .covers(Feature.VALUE_CHECKS, Feature.MODIFY_ATOMIC, Feature.BAD_PORT)
                        .each(badValues(), QpModifyCases::badValue),
                ContractCase.of("qp/Query", "what was set, sizes and state")
                        .covers(Feature.QUERY_QP)
                        .run(QpModifyCases::query));
    }

    /** All that the moves of a reliable queue pair require, for a peer at the same device. */
    static QueuePairAttributes required(QueuePair qp, QueuePairState to) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder().state(to);
        return switch (to) {
            case INIT ->
                builder.pkeyIndex(0)
                        .port(1)
                        .accessFlags(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
                        .build();
            case RTR ->
                builder.addressVector(AddressVector.of(qp.localAddress().gid()))
                        .pathMtu(PathMtu.MTU_1024)
                        .destinationQueuePair(qp.number())
                        .receivePsn(0xABCDEF)
                        .maxDestinationReadAtomic(3)
                        .minRnrTimer(13)
                        .build();
            case RTS ->
                builder.timeout(15)
                        .retryCount(6)
                        .rnrRetry(5)
                        .sendPsn(0x123456)
                        .maxReadAtomic(2)
                        .build();
            default -> builder.build();
        };
    }

    private static QueuePair queuePair(ContractBed bed, QueuePairState state) {
        QueuePair qp = bed.pair(PairPlan.RELIABLE.unconnected()).a().queuePair();
        for (QueuePairState to : List.of(INIT, RTR, RTS)) {
            if (to.compareTo(state) <= 0) {
                qp.modify(required(qp, to));
            }
        }
        assertEquals(state, qp.state());
        return qp;
    }

    private static void fullPath(ContractBed bed) {
        QueuePair qp = queuePair(bed, RESET);
        for (QueuePairState to : List.of(INIT, RTR, RTS)) {
            qp.modify(required(qp, to));
            assertEquals(to, qp.state());
            assertEquals(to, qp.query().state());
        }
    }

    private static void illegal(ContractBed bed, QueuePairState from, QueuePairState to) {
        QueuePair qp = queuePair(bed, from);
        QueuePairAttributes before = qp.query();
        expectRefused(ErrorCode.EINVAL, () -> qp.modify(required(qp, to)));
        assertEquals(from, qp.state());
        assertEquals(before, qp.query());
    }

    /** Each required attribute is left out in turn. */
    private static ContractCase badMask(String id, QueuePairState from, QueuePairState to) {
        List<QueuePairAttribute> attributes = new ArrayList<>(
                switch (to) {
                    case INIT ->
                        List.of(
                                QueuePairAttribute.PKEY_INDEX,
                                QueuePairAttribute.PORT,
                                QueuePairAttribute.ACCESS_FLAGS);
                    case RTR ->
                        List.of(
                                QueuePairAttribute.AV,
                                QueuePairAttribute.PATH_MTU,
                                QueuePairAttribute.DEST_QPN,
                                QueuePairAttribute.RQ_PSN,
                                QueuePairAttribute.MAX_DEST_RD_ATOMIC,
                                QueuePairAttribute.MIN_RNR_TIMER);
                    default ->
                        List.of(
                                QueuePairAttribute.TIMEOUT,
                                QueuePairAttribute.RETRY_CNT,
                                QueuePairAttribute.RNR_RETRY,
                                QueuePairAttribute.SQ_PSN,
                                QueuePairAttribute.MAX_QP_RD_ATOMIC);
                });
        return ContractCase.of(
                        id, "a required attribute is missing: refused, nothing changed; the whole call then succeeds")
                .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                .each(attributes, (bed, missing) -> {
                    QueuePair qp = queuePair(bed, from);
                    QueuePairAttributes before = qp.query();
                    expectRefused(ErrorCode.EINVAL, () -> qp.modify(without(required(qp, to), missing)));
                    assertEquals(before, qp.query());
                    qp.modify(required(qp, to));
                    assertEquals(to, qp.state());
                });
    }

    private static QueuePairAttributes without(QueuePairAttributes all, QueuePairAttribute missing) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder();
        for (QueuePairAttribute attribute : all.mask()) {
            if (attribute != missing) {
                copy(all, attribute, builder);
            }
        }
        return builder.build();
    }

    private static void copy(QueuePairAttributes from, QueuePairAttribute which, QueuePairAttributes.Builder to) {
        switch (which) {
            case STATE -> to.state(from.state());
            case PKEY_INDEX -> to.pkeyIndex(from.pkeyIndex());
            case PORT -> to.port(from.port());
            case ACCESS_FLAGS -> to.accessFlags(from.accessFlags());
            case AV -> to.addressVector(from.addressVector());
            case PATH_MTU -> to.pathMtu(from.pathMtu());
            case DEST_QPN -> to.destinationQueuePair(from.destinationQueuePair());
            case RQ_PSN -> to.receivePsn(from.receivePsn());
            case MAX_DEST_RD_ATOMIC -> to.maxDestinationReadAtomic(from.maxDestinationReadAtomic());
            case MIN_RNR_TIMER -> to.minRnrTimer(from.minRnrTimer());
            case TIMEOUT -> to.timeout(from.timeout());
            case RETRY_CNT -> to.retryCount(from.retryCount());
            case RNR_RETRY -> to.rnrRetry(from.rnrRetry());
            case SQ_PSN -> to.sendPsn(from.sendPsn());
            case MAX_QP_RD_ATOMIC -> to.maxReadAtomic(from.maxReadAtomic());
            default -> throw new IllegalArgumentException(which.name());
        }
    }

    private record BadValue(String words, QueuePairState to, UnaryOperator<QueuePairAttributes.Builder> change) {
        @Override
        public String toString() {
            return words;
        }
    }

    private static List<BadValue> badValues() {
        return List.of(
                new BadValue("port 0", INIT, builder -> builder.port(0)),
                new BadValue("port 2", INIT, builder -> builder.port(2)),
                new BadValue("pkey index 1", INIT, builder -> builder.pkeyIndex(1)),
                new BadValue("pkey index -1", INIT, builder -> builder.pkeyIndex(-1)),
                new BadValue("receive PSN 2^24", RTR, builder -> builder.receivePsn(1 << 24)),
                new BadValue("destination 2^24", RTR, builder -> builder.destinationQueuePair(1 << 24)),
                new BadValue("min RNR timer 32", RTR, builder -> builder.minRnrTimer(32)),
                new BadValue("min RNR timer -1", RTR, builder -> builder.minRnrTimer(-1)),
                new BadValue("max dest rd_atomic 70000", RTR, builder -> builder.maxDestinationReadAtomic(70_000)),
                new BadValue("timeout 32", RTS, builder -> builder.timeout(32)),
                new BadValue("retry count 8", RTS, builder -> builder.retryCount(8)),
                new BadValue("RNR retry 8", RTS, builder -> builder.rnrRetry(8)),
                new BadValue("max rd_atomic 70000", RTS, builder -> builder.maxReadAtomic(70_000)),
                new BadValue("send PSN 2^24", RTS, builder -> builder.sendPsn(1 << 24)));
    }

    private static void badValue(ContractBed bed, BadValue bad) {
        QueuePairState from = bad.to() == INIT ? RESET : bad.to() == RTR ? INIT : RTR;
        QueuePair qp = queuePair(bed, from);
        QueuePairAttributes before = qp.query();
        QueuePairAttributes attributes =
                bad.change().apply(required(qp, bad.to()).toBuilder()).build();
        expectRefused(ErrorCode.EINVAL, () -> qp.modify(attributes));
        assertEquals(before, qp.query());
        qp.modify(required(qp, bad.to()));
        assertEquals(bad.to(), qp.state());
    }

    private static void query(ContractBed bed) {
        QueuePair qp = queuePair(bed, RTS);
        QueuePairAttributes now = qp.query();
        assertEquals(RTS, now.state());
        assertEquals(0, now.pkeyIndex());
        assertEquals(1, now.port());
        assertEquals(Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ), now.accessFlags());
        assertEquals(qp.localAddress().gid(), now.addressVector().destination());
        assertEquals(PathMtu.MTU_1024, now.pathMtu());
        assertEquals(qp.number(), now.destinationQueuePair());
        assertEquals(0xABCDEF, now.receivePsn());
        assertEquals(3, now.maxDestinationReadAtomic());
        assertEquals(13, now.minRnrTimer());
        assertEquals(15, now.timeout());
        assertEquals(6, now.retryCount());
        assertEquals(5, now.rnrRetry());
        assertEquals(0x123456, now.sendPsn());
        assertEquals(2, now.maxReadAtomic());
    }
}
