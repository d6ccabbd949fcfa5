package io.rdma4j.core.device;

import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.AV;
import static io.rdma4j.verbs.QueuePairAttribute.CUR_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.DEST_QPN;
import static io.rdma4j.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.QKEY;
import static io.rdma4j.verbs.QueuePairAttribute.RETRY_CNT;
import static io.rdma4j.verbs.QueuePairAttribute.RNR_RETRY;
import static io.rdma4j.verbs.QueuePairAttribute.RQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.SQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.TIMEOUT;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A row of the state table of §9 for RC, as the tests know it: the attributes that can be set through the API. */
record Move(
        QueuePairState from, QueuePairState to, Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {
    /** What every attribute of these tests is set to; all values are legal. */
    private static final QueuePairAttributes EVERYTHING = QueuePairAttributes.builder()
            .sqdAsyncNotify(true)
            .accessFlags(AccessFlag.REMOTE_READ)
            .pkeyIndex(0)
            .port(1)
            .qkey(1)
            .addressVector(AddressVector.of(Tape.PEER))
            .pathMtu(PathMtu.MTU_1024)
            .timeout(3)
            .retryCount(4)
            .rnrRetry(5)
            .receivePsn(6)
            .maxReadAtomic(7)
            .minRnrTimer(8)
            .sendPsn(9)
            .maxDestinationReadAtomic(10)
            .destinationQueuePair(11)
            .build();

    static List<Move> all() {
        Set<QueuePairAttribute> none = Set.of();
        List<Move> moves = new ArrayList<>(List.of(
                new Move(QueuePairState.RESET, QueuePairState.RESET, none, none),
                new Move(QueuePairState.RESET, QueuePairState.INIT, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS), none),
                new Move(QueuePairState.INIT, QueuePairState.INIT, none, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
                new Move(
                        QueuePairState.INIT,
                        QueuePairState.RTR,
                        Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                        Set.of(ACCESS_FLAGS, PKEY_INDEX)),
                new Move(
                        QueuePairState.RTR,
                        QueuePairState.RTS,
                        Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC),
                        Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(QueuePairState.RTS, QueuePairState.RTS, none, Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(QueuePairState.RTS, QueuePairState.SQD, none, Set.of(EN_SQD_ASYNC_NOTIFY)),
                new Move(QueuePairState.SQD, QueuePairState.RTS, none, Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(
                        QueuePairState.SQD,
                        QueuePairState.SQD,
                        none,
                        Set.of(
                                PORT,
                                AV,
                                TIMEOUT,
                                RETRY_CNT,
                                RNR_RETRY,
                                MAX_QP_RD_ATOMIC,
                                MAX_DEST_RD_ATOMIC,
                                ACCESS_FLAGS,
                                PKEY_INDEX,
                                MIN_RNR_TIMER))));
        for (QueuePairState from : List.of(
                QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.SQD, QueuePairState.ERR)) {
            moves.add(new Move(from, QueuePairState.RESET, none, none));
            moves.add(new Move(from, QueuePairState.ERR, none, none));
        }
        return moves;
    }

    /** A call that makes this move with these attributes. */
    QueuePairAttributes with(Set<QueuePairAttribute> given) {
        QueuePairAttributes all = EVERYTHING.toBuilder().currentState(from).build();
        QueuePairAttributes.Builder b = QueuePairAttributes.builder().state(to);
        for (QueuePairAttribute attribute : given) {
            switch (attribute) {
                case CUR_STATE -> b.currentState(all.currentState());
                case EN_SQD_ASYNC_NOTIFY -> b.sqdAsyncNotify(all.sqdAsyncNotify());
                case ACCESS_FLAGS -> b.accessFlags(all.accessFlags());
                case PKEY_INDEX -> b.pkeyIndex(all.pkeyIndex());
                case PORT -> b.port(all.port());
                case QKEY -> b.qkey(all.qkey());
                case AV -> b.addressVector(all.addressVector());
                case PATH_MTU -> b.pathMtu(all.pathMtu());
                case TIMEOUT -> b.timeout(all.timeout());
                case RETRY_CNT -> b.retryCount(all.retryCount());
                case RNR_RETRY -> b.rnrRetry(all.rnrRetry());
                case RQ_PSN -> b.receivePsn(all.receivePsn());
                case MAX_QP_RD_ATOMIC -> b.maxReadAtomic(all.maxReadAtomic());
                case MIN_RNR_TIMER -> b.minRnrTimer(all.minRnrTimer());
                case SQ_PSN -> b.sendPsn(all.sendPsn());
                case MAX_DEST_RD_ATOMIC -> b.maxDestinationReadAtomic(all.maxDestinationReadAtomic());
                case DEST_QPN -> b.destinationQueuePair(all.destinationQueuePair());
                default -> throw new IllegalArgumentException(attribute.toString());
            }
        }
        return b.build();
    }

    static Object valueOf(QueuePairAttributes attributes, QueuePairAttribute attribute) {
        return switch (attribute) {
            case EN_SQD_ASYNC_NOTIFY -> attributes.sqdAsyncNotify();
            case ACCESS_FLAGS -> attributes.accessFlags();
            case PKEY_INDEX -> attributes.pkeyIndex();
            case PORT -> attributes.port();
            case AV -> attributes.addressVector();
            case PATH_MTU -> attributes.pathMtu();
            case TIMEOUT -> attributes.timeout();
            case RETRY_CNT -> attributes.retryCount();
            case RNR_RETRY -> attributes.rnrRetry();
            case RQ_PSN -> attributes.receivePsn();
            case MAX_QP_RD_ATOMIC -> attributes.maxReadAtomic();
            case MIN_RNR_TIMER -> attributes.minRnrTimer();
            case SQ_PSN -> attributes.sendPsn();
            case MAX_DEST_RD_ATOMIC -> attributes.maxDestinationReadAtomic();
            case DEST_QPN -> attributes.destinationQueuePair();
            default -> throw new IllegalArgumentException(attribute.toString());
        };
    }

    @Override
    public String toString() {
        return from.name() + " to " + to.name();
    }

    /** Every attribute that a caller can give, with the value that {@link #with} gives it. */
    static QueuePairAttributes everything() {
        return EVERYTHING;
    }
}
