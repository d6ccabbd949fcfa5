package io.rdma4j.core.device;

import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.CUR_STATE;
import static io.rdma4j.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.QKEY;
import static io.rdma4j.verbs.QueuePairAttribute.SQ_PSN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttribute;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** §9: the states of each type of queue pair, which attributes each move needs and allows, and their values. */
class QpStateTableTest {
    /** The types that a tape can make. */
    private static final List<QueuePairType> TYPES = List.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD);

    private static Stream<Move> moves() {
        return TYPES.stream().flatMap(type -> Move.all(type).stream());
    }

    private static TapeSetup setup(QueuePairType type) {
        return new TapeSetup().type(type);
    }

    private static Tape tapeIn(QueuePairType type, QueuePairState state) {
        boolean beyondRts = state.code() > QueuePairState.RTS.code();
        Tape tape = setup(type).upTo(beyondRts ? QueuePairState.RTS : state).start();
        if (state == QueuePairState.SQE) {
            tape.post(RdmaRead.of(1, tape.at(0, 1)).from(0, 0)).sendDone("1 LOC_QP_OP_ERR");
        } else if (beyondRts) {
            tape.qp.modify(QueuePairAttributes.builder().state(state).build());
        }
        return tape.state(state);
    }

    /** A reliable connection, for what is the same with every type. */
    private static Tape tapeIn(QueuePairState state) {
        return tapeIn(QueuePairType.RC, state);
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
        try (Tape tape = tapeIn(move.type(), move.from())) {
            for (QueuePairAttribute one : move.required()) {
                Set<QueuePairAttribute> rest = plus(move.required());
                rest.remove(one);
                refused(tape.qp, move.with(rest), "missing", one.toString());
            }
            tape.qp.modify(move.with(move.required()));
            tape.state(move.to());
        }
    }

    @ParameterizedTest
    @MethodSource("moves")
    @DisplayName("§9: each foreign attribute is refused by name; each optional one is taken")
    void foreign(Move move) {
        Set<QueuePairAttribute> settable = plus(Move.everything().mask(), CUR_STATE);
        settable.removeAll(move.required());
        settable.removeAll(move.optional());
        try (Tape tape = tapeIn(move.type(), move.from())) {
            for (QueuePairAttribute one : settable) {
                refused(tape.qp, move.with(plus(move.required(), one)), "not allowed", one.toString());
            }
            Set<QueuePairAttribute> all = plus(move.required(), move.optional().toArray(QueuePairAttribute[]::new));
            tape.qp.modify(move.with(all));
            tape.state(move.to());
            if (move.to() != QueuePairState.RESET) {
                assertTaken(tape.qp.query(), move.with(all), all);
            }
            tape.forget(); // SQ_DRAINED
        }
    }

    /** Each attribute of {@code mask} reads back as it was given. */
    private static void assertTaken(QueuePairAttributes now, QueuePairAttributes given, Set<QueuePairAttribute> mask) {
        for (QueuePairAttribute attribute : mask) {
            if (attribute != CUR_STATE) {
                assertThat(Move.valueOf(now, attribute)).as("%s", attribute).isEqualTo(Move.valueOf(given, attribute));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("moves")
    @DisplayName("§9: everything that is missing or foreign is named in one message")
    void allNames(Move move) {
        Set<QueuePairAttribute> foreign = plus(Move.everything().mask(), CUR_STATE);
        foreign.removeAll(move.required());
        foreign.removeAll(move.optional());
        try (Tape tape = tapeIn(move.type(), move.from())) {
            List<String> names = new ArrayList<>();
            Stream.concat(foreign.stream(), move.required().stream()).forEach(one -> names.add(one.toString()));
            refused(tape.qp, move.with(foreign), names.toArray(String[]::new));
        }
    }

    @Test
    @DisplayName("§9: all problems of a call are named at once")
    void allProblems() {
        Move move = new Move(QueuePairType.RC, QueuePairState.RESET, QueuePairState.INIT, Set.of(), Set.of());
        try (Tape tape = tapeIn(QueuePairState.RESET)) {
            refused(tape.qp, move.with(Set.of(PORT, QKEY, SQ_PSN)), "PKEY_INDEX", "ACCESS_FLAGS", "QKEY", "SQ_PSN");
            refused(
                    tape.qp,
                    move.with(Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)).toBuilder()
                            .port(2)
                            .pkeyIndex(3)
                            .build(),
                    "PORT 2",
                    "PKEY_INDEX 3");
        }
    }

    /** Every pair of states that no row of {@link Move} has; nobody can ask for a state that is none. */
    private static Stream<Move> illegalMoves() {
        return TYPES.stream().flatMap(type -> illegalMoves(type).stream());
    }

    private static List<Move> illegalMoves(QueuePairType type) {
        List<Move> illegal = new ArrayList<>();
        for (QueuePairState from : Move.states(type)) {
            for (QueuePairState to : QueuePairState.values()) {
                if (Move.all(type).stream().noneMatch(m -> m.from() == from && m.to() == to)) {
                    illegal.add(new Move(type, from, to, Set.of(), Set.of()));
                }
            }
        }
        return illegal;
    }

    @ParameterizedTest
    @MethodSource("illegalMoves")
    @DisplayName("§9: moves that the table does not have")
    void illegal(Move move) {
        try (Tape tape = tapeIn(move.type(), move.from())) {
            refused(
                    tape.qp,
                    setup(move.type()).attributes(move.to()),
                    "not a legal move",
                    move.to().toString());
            tape.state(move.from());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("§9: moves and attributes of each type, and no others")
    void table(QueuePairType type) {
        // Path migration cannot be asked for through the API.
        Set<QueuePairAttribute> migration = Set.of(QueuePairAttribute.ALT_PATH, QueuePairAttribute.PATH_MIG_STATE);
        for (Move move : Move.all(type)) {
            QpTransitions.Rule rule = QpTransitions.of(type, move.from(), move.to());
            assertThat(rule).as("%s", move).isNotNull();
            Set<QueuePairAttribute> optional = EnumSet.noneOf(QueuePairAttribute.class);
            optional.addAll(rule.optional());
            optional.removeAll(migration);
            assertThat(rule.required()).as("%s", move).isEqualTo(move.required());
            assertThat(optional).as("%s", move).isEqualTo(move.optional());
        }
        assertThat(illegalMoves(type))
                .allSatisfy(move -> assertThat(QpTransitions.of(type, move.from(), move.to()))
                        .as("%s", move)
                        .isNull());
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
                for (Move move : Move.all(QueuePairType.RC).subList(0, 3)) {
                    tape.qp.modify(move.with(move.required()));
                }
                Set<QueuePairAttribute> all = plus(Move.everything().mask());
                all.removeAll(Set.of(QKEY, EN_SQD_ASYNC_NOTIFY));
                assertTaken(tape.qp.query(), Move.everything(), all);
                assertThat(tape.qp.query().state()).isEqualTo(QueuePairState.RTS);
                assertThat(tape.qp.query().currentState()).isEqualTo(QueuePairState.RTS);
                tape.qp.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RESET)
                        .build());
                assertThat(tape.qp.query()).isEqualTo(fresh);
            }
        }
    }

    @Test
    @DisplayName("§9: query shows an error that came from outside, and the attributes stay to be seen")
    void queryAfterError() {
        try (Tape tape = tapeIn(QueuePairState.RTS)) {
            QueuePairAttributes before = tape.qp.query();
            tape.in("SEND_LAST psn=500 len=1").events("QP_REQ_ERR").out("ACK psn=500 syn=0x61 msn=0");
            assertThat(tape.qp.query())
                    .isEqualTo(before.toBuilder()
                            .state(QueuePairState.ERR)
                            .currentState(QueuePairState.ERR)
                            .build());
        }
    }

    @Test
    @DisplayName("§9: capabilities are those asked for at creation")
    void capabilities() {
        try (Tape tape = tapeIn(QueuePairState.RESET)) {
            QueuePairCapabilities sizes = new QueuePairCapabilities(3, 5, 2, 7, 11);
            QueuePair qp = tape.domain.createQueuePair(
                    QueuePairConfig.reliable(tape.sendQueue).capabilities(sizes));
            assertThat(qp.capabilities()).isEqualTo(sizes);
            qp.close();
        }
    }
}
