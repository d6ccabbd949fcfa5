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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** §9: the states of an RC queue pair, which attributes each move needs and allows, and their values. */
class QpStateTableTest {
    private record Move(
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {
        @Override
        public String toString() {
            return from.name() + " to " + to.name();
        }
    }

    /** What every attribute of these tests is set to; all values are legal. */
    private static final QueuePairAttributes.Builder EVERYTHING = QueuePairAttributes.builder()
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
            .destinationQueuePair(11);

    static List<Move> moves() {
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
                new Move(
                        QueuePairState.RTS, QueuePairState.RTS, none, Set.of(CUR_STATE, ACCESS_FLAGS, MIN_RNR_TIMER))));
        for (QueuePairState from :
                List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.ERR)) {
            moves.add(new Move(from, QueuePairState.RESET, none, none));
            moves.add(new Move(from, QueuePairState.ERR, none, none));
        }
        return moves;
    }

    private static QueuePairAttributes attributes(Move move, Set<QueuePairAttribute> given) {
        QueuePairAttributes all = EVERYTHING.currentState(move.from).build();
        QueuePairAttributes.Builder b = QueuePairAttributes.builder().state(move.to);
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

    private static Tape tapeIn(QueuePairState state) {
        boolean failed = state == QueuePairState.ERR;
        Tape tape = new TapeSetup().upTo(failed ? QueuePairState.RTS : state).start();
        if (failed) {
            tape.qp.modify(QueuePairAttributes.builder().state(state).build());
        }
        return tape.state(state);
    }

    private static void refused(QueuePair qp, QueuePairAttributes attributes, String... words) {
        QueuePairAttributes before = qp.query();
        assertThatThrownBy(() -> qp.modify(attributes)).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
            assertThat(List.of(words)).allSatisfy(word -> assertThat(e).hasMessageContaining(word));
        });
        assertThat(qp.query()).isEqualTo(before);
    }

    private static Set<QueuePairAttribute> plus(Set<QueuePairAttribute> set, QueuePairAttribute... more) {
        Set<QueuePairAttribute> result = EnumSet.noneOf(QueuePairAttribute.class);
        result.addAll(set);
        result.addAll(List.of(more));
        return result;
    }

    @ParameterizedTest
    @MethodSource("moves")
    @DisplayName("§9: each missing attribute is refused by name and changes nothing; the right call then succeeds")
    void missing(Move move) {
        try (Tape tape = tapeIn(move.from)) {
            for (QueuePairAttribute one : move.required) {
                Set<QueuePairAttribute> rest = plus(move.required);
                rest.remove(one);
                refused(tape.qp, attributes(move, rest), "missing", one.toString());
            }
            tape.qp.modify(attributes(move, move.required));
            tape.state(move.to);
        }
    }

    @ParameterizedTest
    @MethodSource("moves")
    @DisplayName("§9: each foreign attribute is refused by name; each optional one is taken")
    void foreign(Move move) {
        Set<QueuePairAttribute> settable = plus(EVERYTHING.build().mask(), CUR_STATE);
        settable.removeAll(move.required);
        settable.removeAll(move.optional);
        try (Tape tape = tapeIn(move.from)) {
            for (QueuePairAttribute one : settable) {
                refused(tape.qp, attributes(move, plus(move.required, one)), "not allowed", one.toString());
            }
            tape.qp.modify(attributes(move, plus(move.required, move.optional.toArray(QueuePairAttribute[]::new))));
            tape.state(move.to);
        }
    }

    @Test
    @DisplayName("§9: all problems of a call are named at once")
    void allProblems() {
        Move move = new Move(QueuePairState.RESET, QueuePairState.INIT, Set.of(), Set.of());
        try (Tape tape = tapeIn(QueuePairState.RESET)) {
            refused(
                    tape.qp,
                    attributes(move, Set.of(PORT, QKEY, SQ_PSN)),
                    "PKEY_INDEX",
                    "ACCESS_FLAGS",
                    "QKEY",
                    "SQ_PSN");
            refused(
                    tape.qp,
                    attributes(move, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)).toBuilder()
                            .port(2)
                            .pkeyIndex(3)
                            .build(),
                    "PORT 2",
                    "PKEY_INDEX 3");
        }
    }

    static Stream<List<QueuePairState>> illegalMoves() {
        List<QueuePairState> states = List.of(
                QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.ERR);
        return states.stream()
                .flatMap(from -> states.stream().map(to -> List.of(from, to)))
                .filter(pair -> moves().stream().noneMatch(m -> m.from == pair.get(0) && m.to == pair.get(1)));
    }

    @ParameterizedTest
    @MethodSource("illegalMoves")
    @DisplayName("§9: moves that the table does not have")
    void illegal(List<QueuePairState> move) {
        try (Tape tape = tapeIn(move.get(0))) {
            refused(
                    tape.qp,
                    new TapeSetup().attributes(move.get(1)),
                    "not a legal move",
                    move.get(1).toString());
            tape.state(move.get(0));
        }
    }

    @Test
    @DisplayName("§9: without STATE the mask is that of staying")
    void withoutState() {
        try (Tape tape = tapeIn(QueuePairState.RTS)) {
            tape.qp.modify(QueuePairAttributes.builder().minRnrTimer(3).build());
            assertThat(tape.qp.query().minRnrTimer()).isEqualTo(3);
            refused(tape.qp, QueuePairAttributes.builder().timeout(3).build(), "TIMEOUT");
        }
    }

    static Stream<QueuePairAttributes> badValues() {
        return Stream.of(
                to(QueuePairState.INIT).port(0).build(),
                to(QueuePairState.INIT).port(2).build(),
                to(QueuePairState.INIT).pkeyIndex(1).build(),
                to(QueuePairState.INIT).pkeyIndex(-1).build(),
                to(QueuePairState.RTR).receivePsn(1 << 24).build(),
                to(QueuePairState.RTR).receivePsn(-1).build(),
                to(QueuePairState.RTR).destinationQueuePair(1 << 24).build(),
                to(QueuePairState.RTR).maxDestinationReadAtomic(17).build(),
                to(QueuePairState.RTR).maxDestinationReadAtomic(-1).build(),
                to(QueuePairState.RTR).minRnrTimer(32).build(),
                to(QueuePairState.RTR).addressVector(AddressVector.of(Gid.ZERO)).build(),
                to(QueuePairState.RTR)
                        .addressVector(AddressVector.of(Gid.parse("fd00::1")))
                        .build(),
                to(QueuePairState.RTS).timeout(32).build(),
                to(QueuePairState.RTS).timeout(-1).build(),
                to(QueuePairState.RTS).retryCount(8).build(),
                to(QueuePairState.RTS).rnrRetry(8).build(),
                to(QueuePairState.RTS).sendPsn(1 << 24).build(),
                to(QueuePairState.RTS).maxReadAtomic(17).build(),
                to(QueuePairState.RTS).currentState(QueuePairState.RTS).build());
    }

    private static QueuePairAttributes.Builder to(QueuePairState state) {
        return new TapeSetup().attributes(state).toBuilder();
    }

    @ParameterizedTest
    @MethodSource("badValues")
    @DisplayName("§9: values out of range")
    void values(QueuePairAttributes attributes) {
        QueuePairState before = QueuePairState.values()[attributes.state().ordinal() - 1];
        try (Tape tape = tapeIn(before)) {
            refused(tape.qp, attributes);
            tape.qp.modify(new TapeSetup().attributes(attributes.state()));
            tape.state(attributes.state());
        }
    }

    @Test
    @DisplayName("§9: query gives what was set; RESET gives the defaults of creation")
    void query() {
        try (Tape tape = tapeIn(QueuePairState.RESET)) {
            QueuePairAttributes fresh = tape.qp.query();
            for (int i = 0; i < 2; i++) {
                for (Move move : moves().subList(1, 5)) {
                    tape.qp.modify(attributes(move, move.required));
                }
                QueuePairAttributes expected = EVERYTHING.build();
                QueuePairAttributes now = tape.qp.query();
                assertThat(now.accessFlags()).isEqualTo(expected.accessFlags());
                assertThat(now.addressVector()).isEqualTo(expected.addressVector());
                assertThat(now.pathMtu()).isEqualTo(PathMtu.MTU_1024);
                assertThat(List.of(now.timeout(), now.retryCount(), now.rnrRetry(), now.receivePsn()))
                        .containsExactly(3, 4, 5, 6);
                assertThat(List.of(now.maxReadAtomic(), now.minRnrTimer(), now.sendPsn()))
                        .containsExactly(7, 8, 9);
                assertThat(now.maxDestinationReadAtomic()).isEqualTo(10);
                assertThat(now.destinationQueuePair()).isEqualTo(11);
                tape.qp.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RESET)
                        .build());
                assertThat(tape.qp.query()).isEqualTo(fresh);
            }
        }
    }
}
