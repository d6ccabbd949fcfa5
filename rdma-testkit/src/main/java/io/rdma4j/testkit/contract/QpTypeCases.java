package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.AV;
import static io.rdma4j.verbs.QueuePairAttribute.DEST_QPN;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.QKEY;
import static io.rdma4j.verbs.QueuePairAttribute.RQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.SQ_PSN;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.QueuePairState.SQD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.Send;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Unreliable connections and datagrams on their way from RESET to RTS, which is not that of a reliable connection. */
final class QpTypeCases {
    private static final int A_QKEY = 0x1122_3344;

    /** Attributes that can be set; the masks below are made of them. */
    private static final Set<QueuePairAttribute> SETTABLE =
            EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS, QKEY, AV, PATH_MTU, DEST_QPN, RQ_PSN, SQ_PSN);

    private QpTypeCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("qp/CreateUd", "the type is UD, the state RESET")
                        .covers(Feature.QP_CREATE)
                        .run(bed -> {
                            QueuePair qp = queuePair(bed, QueuePairType.UD);
                            assertEquals(QueuePairType.UD, qp.type());
                            assertEquals(RESET, qp.state());
                        }),
                modify("qp/UcModify", QueuePairType.UC),
                modify("qp/UdModify", QueuePairType.UD),
                missing("qp/UcBadStateTransition", QueuePairType.UC),
                missing("qp/UdBadStateTransition", QueuePairType.UD),
                foreign("qp/UcForeignAttribute", QueuePairType.UC),
                foreign("qp/UdForeignAttribute", QueuePairType.UD),
                ContractCase.of("qp/UdModifyQkey", "the Q_Key can be changed in INIT and RTS, and shows in the query")
                        .covers(Feature.QP_STATES, Feature.QUERY_QP)
                        .each(List.of(INIT, RTS), QpTypeCases::changeQkey),
                ContractCase.of("qp/UcDrain", "SQD: SQ_DRAINED; requests wait, receives go on; RTS sends what waits")
                        .covers(Feature.SQD, Feature.UC)
                        .run(QpTypeCases::drain));
    }

    /** The attributes that a move requires. */
    private static Set<QueuePairAttribute> required(QueuePairType type, QueuePairState to) {
        boolean datagrams = type == QueuePairType.UD;
        return switch (to) {
            case INIT -> EnumSet.of(PKEY_INDEX, PORT, datagrams ? QKEY : ACCESS_FLAGS);
            case RTR ->
                datagrams ? EnumSet.noneOf(QueuePairAttribute.class) : EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN);
            default -> EnumSet.of(SQ_PSN);
        };
    }

    /** The attributes that a move allows besides. */
    private static Set<QueuePairAttribute> optional(QueuePairType type, QueuePairState to) {
        QueuePairAttribute own = type == QueuePairType.UD ? QKEY : ACCESS_FLAGS;
        return switch (to) {
            case INIT -> EnumSet.noneOf(QueuePairAttribute.class);
            case RTR -> EnumSet.of(PKEY_INDEX, own);
            default -> EnumSet.of(own);
        };
    }

    private static QueuePairAttributes attributes(QueuePair qp, QueuePairState to, Set<QueuePairAttribute> mask) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder().state(to);
        for (QueuePairAttribute attribute : mask) {
            switch (attribute) {
                case PKEY_INDEX -> builder.pkeyIndex(0);
                case PORT -> builder.port(1);
                case ACCESS_FLAGS -> builder.accessFlags(AccessFlag.REMOTE_WRITE);
                case QKEY -> builder.qkey(A_QKEY);
                case AV ->
                    builder.addressVector(AddressVector.of(qp.localAddress().gid()));
                case PATH_MTU -> builder.pathMtu(PathMtu.MTU_1024);
                case DEST_QPN -> builder.destinationQueuePair(qp.number());
                case RQ_PSN -> builder.receivePsn(0xABCDEF);
                case SQ_PSN -> builder.sendPsn(0x123456);
                default -> throw new IllegalArgumentException(attribute.name());
            }
        }
        return builder.build();
    }

    private static QueuePair queuePair(ContractBed bed, QueuePairType type) {
        return bed.pair(PairPlan.of(type).unconnected()).a().queuePair();
    }

    private static QueuePair queuePair(ContractBed bed, QueuePairType type, QueuePairState state) {
        QueuePair qp = queuePair(bed, type);
        for (QueuePairState to : List.of(INIT, RTR, RTS)) {
            if (to.compareTo(state) <= 0) {
                qp.modify(attributes(qp, to, required(type, to)));
            }
        }
        assertEquals(state, qp.state());
        return qp;
    }

    private static QueuePairState before(QueuePairState state) {
        return QueuePairState.values()[state.ordinal() - 1];
    }

    private static ContractCase modify(String id, QueuePairType type) {
        return ContractCase.of(id, "RESET, INIT, RTR, RTS with what each move requires; each shows in state and query")
                .covers(Feature.QP_STATES, Feature.QUERY_QP)
                .run(bed -> {
                    QueuePair qp = queuePair(bed, type);
                    for (QueuePairState to : List.of(INIT, RTR, RTS)) {
                        qp.modify(attributes(qp, to, required(type, to)));
                        assertEquals(to, qp.state());
                        assertEquals(to, qp.query().state());
                    }
                    assertEquals(0x123456, qp.query().sendPsn());
                });
    }

    /** A move and one attribute that makes its mask wrong. */
    private record Mask(QueuePairState to, QueuePairAttribute attribute) {
        @Override
        public String toString() {
            return to.name() + ", " + attribute.name();
        }
    }

    /** Each required attribute is left out in turn. */
    private static ContractCase missing(String id, QueuePairType type) {
        List<Mask> masks = new ArrayList<>();
        for (QueuePairState to : List.of(INIT, RTR, RTS)) {
            required(type, to).forEach(attribute -> masks.add(new Mask(to, attribute)));
        }
        return ContractCase.of(
                        id, "a required attribute is missing: refused, nothing changed; the whole call then succeeds")
                .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                .each(masks, (bed, mask) -> {
                    Set<QueuePairAttribute> rest = EnumSet.copyOf(required(type, mask.to()));
                    rest.remove(mask.attribute());
                    refused(bed, type, mask.to(), rest);
                });
    }

    /** Each attribute that the move does not allow is added in turn. */
    private static ContractCase foreign(String id, QueuePairType type) {
        List<Mask> masks = new ArrayList<>();
        for (QueuePairState to : List.of(INIT, RTR, RTS)) {
            Set<QueuePairAttribute> others = EnumSet.copyOf(SETTABLE);
            others.removeAll(required(type, to));
            others.removeAll(optional(type, to));
            others.forEach(attribute -> masks.add(new Mask(to, attribute)));
        }
        return ContractCase.of(
                        id,
                        "an attribute that the move does not have: refused, nothing changed; without it it succeeds")
                .covers(Feature.QP_STATES, Feature.MODIFY_ATOMIC)
                .each(masks, (bed, mask) -> {
                    Set<QueuePairAttribute> more = EnumSet.of(mask.attribute());
                    more.addAll(required(type, mask.to()));
                    refused(bed, type, mask.to(), more);
                });
    }

    private static void refused(ContractBed bed, QueuePairType type, QueuePairState to, Set<QueuePairAttribute> mask) {
        QueuePair qp = queuePair(bed, type, before(to));
        QueuePairAttributes before = qp.query();
        expectRefused(ErrorCode.EINVAL, () -> qp.modify(attributes(qp, to, mask)));
        assertEquals(before, qp.query());
        qp.modify(attributes(qp, to, required(type, to)));
        assertEquals(to, qp.state());
    }

    private static void changeQkey(ContractBed bed, QueuePairState state) {
        QueuePair qp = queuePair(bed, QueuePairType.UD, state);
        assertEquals(A_QKEY, qp.query().qkey());
        qp.modify(QueuePairAttributes.builder().qkey(-2).build());
        assertEquals(-2, qp.query().qkey());
        assertEquals(state, qp.state());
    }

    private static void drain(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.of(QueuePairType.UC));
        pair.a()
                .queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(SQD)
                        .sqdAsyncNotify(true)
                        .build());
        bed.expectEvent(
                pair.a().device(),
                AsyncEventType.SQ_DRAINED,
                pair.a().queuePair().number());
        pair.b().postReceive(100);
        pair.a().post(Send.of(1).signaled());
        pair.a().postReceive(101);
        pair.b().post(Send.of(2).signaled());
        pair.b().expectSent(2);
        pair.a().expectReceived(101);
        pair.a().expectNothing();
        pair.a().move(RTS);
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
    }
}
