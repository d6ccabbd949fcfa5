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
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.QueuePairState.SQD;
import static io.rdma4j.verbs.QueuePairState.SQE;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A row of the state table of §9, as the tests know it: the attributes that can be set through the API. */
record Move(
        QueuePairType type,
        QueuePairState from,
        QueuePairState to,
        Set<QueuePairAttribute> required,
        Set<QueuePairAttribute> optional) {
    private static final Set<QueuePairAttribute> NONE = Set.of();

    /** What every attribute of these tests is set to; all values are legal. */
    private static final QueuePairAttributes EVERYTHING = QueuePairAttributes.builder()
            .sqdAsyncNotify(true)
            .accessFlags(AccessFlag.REMOTE_READ)
            .pkeyIndex(0)
            .port(1)
            .qkey(0x8765_4321)
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

    /** The way from RESET to RTS comes first. */
    static List<Move> all(QueuePairType type) {
        List<Move> moves = new ArrayList<>(
                switch (type) {
                    case RC -> reliable();
                    case UC -> unreliable();
                    case UD -> datagram();
                });
        moves.add(new Move(type, RESET, RESET, NONE, NONE));
        moves.add(new Move(type, RTS, SQD, NONE, Set.of(EN_SQD_ASYNC_NOTIFY)));
        for (QueuePairState from : states(type)) {
            if (from != RESET) {
                moves.add(new Move(type, from, RESET, NONE, NONE));
                moves.add(new Move(type, from, ERR, NONE, NONE));
            }
        }
        return moves;
    }

    /** The states that a queue pair can be in. */
    static List<QueuePairState> states(QueuePairType type) {
        return type == QueuePairType.RC
                ? List.of(RESET, INIT, RTR, RTS, SQD, ERR)
                : List.of(RESET, INIT, RTR, RTS, SQD, SQE, ERR);
    }

    private static List<Move> reliable() {
        QueuePairType rc = QueuePairType.RC;
        return List.of(
                new Move(rc, RESET, INIT, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE),
                new Move(
                        rc,
                        INIT,
                        RTR,
                        Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                        Set.of(ACCESS_FLAGS, PKEY_INDEX)),
                new Move(
                        rc,
                        RTR,
                        RTS,
                        Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC),
                        Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(rc, INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
                new Move(rc, RTS, RTS, NONE, Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(rc, SQD, RTS, NONE, Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER)),
                new Move(
                        rc,
                        SQD,
                        SQD,
                        NONE,
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
                                MIN_RNR_TIMER)));
    }

    private static List<Move> unreliable() {
        QueuePairType uc = QueuePairType.UC;
        return List.of(
                new Move(uc, RESET, INIT, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE),
                new Move(uc, INIT, RTR, Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN), Set.of(ACCESS_FLAGS, PKEY_INDEX)),
                new Move(uc, RTR, RTS, Set.of(SQ_PSN), Set.of(CUR_STATE, ACCESS_FLAGS)),
                new Move(uc, INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
                new Move(uc, RTS, RTS, NONE, Set.of(CUR_STATE, ACCESS_FLAGS)),
                new Move(uc, SQD, RTS, NONE, Set.of(CUR_STATE, ACCESS_FLAGS)),
                new Move(uc, SQD, SQD, NONE, Set.of(AV, ACCESS_FLAGS, PKEY_INDEX)),
                new Move(uc, SQE, RTS, NONE, Set.of(CUR_STATE, ACCESS_FLAGS)));
    }

    private static List<Move> datagram() {
        QueuePairType ud = QueuePairType.UD;
        return List.of(
                new Move(ud, RESET, INIT, Set.of(PKEY_INDEX, PORT, QKEY), NONE),
                new Move(ud, INIT, RTR, NONE, Set.of(PKEY_INDEX, QKEY)),
                new Move(ud, RTR, RTS, Set.of(SQ_PSN), Set.of(CUR_STATE, QKEY)),
                new Move(ud, INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, QKEY)),
                new Move(ud, RTS, RTS, NONE, Set.of(CUR_STATE, QKEY)),
                new Move(ud, SQD, RTS, NONE, Set.of(CUR_STATE, QKEY)),
                new Move(ud, SQD, SQD, NONE, Set.of(PKEY_INDEX, QKEY)),
                new Move(ud, SQE, RTS, NONE, Set.of(CUR_STATE, QKEY)));
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
            case QKEY -> attributes.qkey();
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
        return type.name() + " " + from.name() + " to " + to.name();
    }

    /** Every attribute that a caller can give, with the value that {@link #with} gives it. */
    static QueuePairAttributes everything() {
        return EVERYTHING;
    }
}
