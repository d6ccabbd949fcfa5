package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.QueuePairState;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** §7.4: each kind of duplicate in each state that a responder can be in when it comes. */
class DuplicatesInEveryStateTest {
    /** PSNs 500 to 504 are taken; what comes next brings the responder into its state, and leads out of it again. */
    private enum Situation {
        AT_REST(504) {
            @Override
            void enter(Tape tape) {}

            @Override
            void leave(Tape tape) {
                tape.in("WRITE_ONLY psn=505 va=0x11000 key=mr dma=1 len=1 A").out("ACK psn=505 syn=0x1f msn=5");
            }
        },
        GAP(504) {
            @Override
            void enter(Tape tape) {
                tape.in("WRITE_ONLY psn=506 va=0x11000 key=mr dma=1 len=1 A").out("ACK psn=505 syn=0x60 msn=4");
            }

            @Override
            void leave(Tape tape) {
                tape.in("WRITE_ONLY psn=507 va=0x11000 key=mr dma=1 len=1 A").out(); // still silent
                tape.in("WRITE_ONLY psn=505 va=0x11000 key=mr dma=1 len=1 A").out("ACK psn=505 syn=0x1f msn=5");
            }
        },
        RECEIVER_NOT_READY(504) {
            @Override
            void enter(Tape tape) {
                tape.in("SEND_ONLY psn=505 len=8 A").out("ACK psn=505 syn=0x2c msn=4");
            }

            @Override
            void leave(Tape tape) {
                tape.in("WRITE_ONLY psn=506 va=0x11000 key=mr dma=1 len=1 A").out(); // §7.5: still silent
                tape.receive(2, tape.at(0x100, 8))
                        .in("SEND_ONLY psn=505 len=8 A")
                        .out("ACK psn=505 syn=0x1f msn=5");
                tape.receiveDone("2 SUCCESS RECV 8");
            }
        },
        WITHIN_SEND(505) {
            @Override
            void enter(Tape tape) {
                tape.receive(2, tape.at(0x100, 300))
                        .in("SEND_FIRST psn=505 len=256")
                        .out();
            }

            @Override
            void leave(Tape tape) {
                tape.in("SEND_LAST psn=506 len=1 A").out("ACK psn=506 syn=0x1f msn=5");
                tape.receiveDone("2 SUCCESS RECV 257");
            }
        },
        WITHIN_WRITE(505) {
            @Override
            void enter(Tape tape) {
                tape.in("WRITE_FIRST psn=505 va=0x11000 key=mr dma=257 len=256").out();
            }

            @Override
            void leave(Tape tape) {
                tape.in("WRITE_LAST psn=506 len=1 A").out("ACK psn=506 syn=0x1f msn=5");
                assertThat(tape.memory(0x1100, 1)).isNotEqualTo(new byte[1]);
            }
        };

        private final int newestPsn;

        Situation(int newestPsn) {
            this.newestPsn = newestPsn;
        }

        abstract void enter(Tape tape);

        abstract void leave(Tape tape);
    }

    private enum Duplicate {
        SEND("SEND_ONLY psn=500 len=8 A", "ACK psn=%d syn=0x1f msn=4"),
        SEND_WITHOUT_ACK_REQUEST("SEND_ONLY psn=500 len=8", "ACK psn=%d syn=0x1f msn=4"),
        WRITE("WRITE_ONLY psn=501 va=0x10800 key=mr dma=4 len=4 A", "ACK psn=%d syn=0x1f msn=4"),
        READ(
                "READ_REQUEST psn=502 va=0x12000 key=mr dma=300 A",
                "READ_RESPONSE_FIRST psn=502 syn=0x1f msn=3 len=256",
                "READ_RESPONSE_LAST psn=503 syn=0x1f msn=3 len=44"),
        PART_OF_READ(
                "READ_REQUEST psn=503 va=0x12100 key=mr dma=44 A", "READ_RESPONSE_ONLY psn=503 syn=0x1f msn=3 len=44"),
        FOREIGN_READ("READ_REQUEST psn=502 va=0x12001 key=mr dma=300 A"),
        ATOMIC("FETCH_ADD psn=504 va=0x13000 key=mr add=5 A", "ATOMIC_ACK psn=504 syn=0x1f msn=4 orig=0"),
        FOREIGN_ATOMIC("FETCH_ADD psn=501 va=0x13000 key=mr add=5 A");

        private final String line;
        private final String[] answers;

        Duplicate(String line, String... answers) {
            this.line = line;
            this.answers = answers;
        }
    }

    static Stream<Arguments> all() {
        return Arrays.stream(Situation.values())
                .flatMap(situation -> Arrays.stream(Duplicate.values()).map(kind -> Arguments.of(situation, kind)));
    }

    @ParameterizedTest(name = "{1} while {0}")
    @DisplayName("§7.4, §5, §7.5: a duplicate is answered in every state, changes none, and never runs again")
    @MethodSource("all")
    void isAnsweredAndChangesNothing(Situation situation, Duplicate duplicate) {
        try (Tape tape = new Tape()) {
            tape.receive(1, tape.at(0, 8));
            tape.in(
                    "SEND_ONLY psn=500 len=8 A",
                    "WRITE_ONLY psn=501 va=0x10800 key=mr dma=4 len=4 A",
                    "READ_REQUEST psn=502 va=0x12000 key=mr dma=300 A",
                    "FETCH_ADD psn=504 va=0x13000 key=mr add=5 A");
            tape.receiveDone("1 SUCCESS RECV 8").sent();
            situation.enter(tape);
            tape.bytes.putLong(0, 0).putInt(0x800, 0);

            tape.in(duplicate.line, duplicate.line);

            tape.out(Arrays.stream(duplicate.answers)
                    .map(answer -> String.format(answer, situation.newestPsn))
                    .toArray(String[]::new));
            assertThat(tape.count(Counter.DUPLICATE_REQUEST)).isEqualTo(2);
            assertThat(tape.bytes.getLong(0)).isZero();
            assertThat(tape.bytes.getInt(0x800)).isZero();
            assertThat(tape.memory(0x3000, 1)).containsExactly(5);
            tape.state(QueuePairState.RTS);
            situation.leave(tape);
        }
    }
}
