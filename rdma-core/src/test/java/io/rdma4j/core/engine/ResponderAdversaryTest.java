package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.ReceiveState;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * §5, §7: a responder that gets the packets of a legal stream of requests in any order and as often as its peer likes. What
 * it says and does is compared with what the stream means, after each step.
 */
class ResponderAdversaryTest {
    private static final int MTU = 256;
    private static final int STEPS = 150;
    private static final int START_PSN = 0xFFFFF0; // the wrap comes soon
    private static final int DEPTH = 3;

    /** A request packet: its first PSN, how many it uses, its line, and what it is. */
    private record Packet(int psn, int span, String line, boolean begins, boolean ends, Kind kind) {}

    private enum Kind {
        SEND,
        WRITE,
        READ,
        ATOMIC
    }

    private static final class Run implements AutoCloseable {
        final Random random;
        final Tape tape =
                new TapeSetup().psn(100, START_PSN).readAtomic(DEPTH, DEPTH).start();
        final QpContext qp = tape.engine.queuePair(tape.qp.number());
        final List<Packet> stream = new ArrayList<>();
        int streamPsn = START_PSN;

        /** What the stream means so far: packets executed, messages, additions, receives posted and consumed. */
        int executed;

        int messages;
        int additions;
        int receivesPosted;
        int receivesUsed;
        int receivesSeen;
        /** Sequence NAKs since the expected packet last came. */
        int sequenceNaks;

        /** The expected packet came last when no receive was posted for it. */
        boolean refused;

        /** READs and atomics executed whose answer has not begun: none may be skipped. */
        final List<Packet> unanswered = new ArrayList<>();

        Run(long seed) {
            random = new Random(seed);
        }

        void step() {
            switch (random.nextInt(14)) {
                case 0 -> postReceive();
                case 1 -> tape.linkTakes(random.nextInt(4)).run();
                case 2, 3 -> tape.linkTakes(1000).run();
                case 4, 5 -> feed(pick(executed + 1 + random.nextInt(4))); // a gap
                case 6, 7, 8 -> feed(pick(executed - 1 - random.nextInt(6))); // a duplicate
                default -> feed(pick(executed));
            }
            hear();
            check();
        }

        private void postReceive() {
            tape.receive(receivesPosted++, tape.at(0x4000, 5 * MTU));
        }

        private Packet pick(int index) {
            while (stream.size() <= Math.max(0, index)) {
                extend();
            }
            return stream.get(Math.max(0, index));
        }

        private void extend() {
            Kind kind = Kind.values()[random.nextInt(4)];
            int length = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(4 * MTU);
            switch (kind) {
                case READ -> {
                    int span = Math.max(1, (length + MTU - 1) / MTU);
                    String line = "READ_REQUEST psn=%d va=0x12000 key=mr dma=" + length + " A";
                    add(span, line, true, true, kind);
                }
                case ATOMIC -> add(1, "FETCH_ADD psn=%d va=0x11000 key=mr add=1 A", true, true, kind);
                default -> addMessage(kind, length);
            }
        }

        private void addMessage(Kind kind, int length) {
            int n = Math.max(1, (length + MTU - 1) / MTU);
            for (int i = 0; i < n; i++) {
                String place = n == 1 ? "ONLY" : i == 0 ? "FIRST" : i == n - 1 ? "LAST" : "MIDDLE";
                String reth = kind == Kind.WRITE && i == 0 ? " va=0x13000 key=mr dma=" + length : "";
                String ack = i == n - 1 || random.nextInt(3) == 0 ? " A" : "";
                int bytes = Math.min(MTU, length - i * MTU);
                add(1, kind + "_" + place + " psn=%d" + reth + " len=" + bytes + ack, i == 0, i == n - 1, kind);
            }
        }

        private void add(int span, String line, boolean begins, boolean ends, Kind kind) {
            stream.add(new Packet(streamPsn, span, String.format(line, streamPsn), begins, ends, kind));
            streamPsn = Psn.add(streamPsn, span);
        }

        private void feed(Packet packet) {
            boolean expected = packet == pick(executed);
            if (expected) {
                execute(packet);
            }
            tape.in(packet.line());
        }

        /** What the model makes of the packet that is due. */
        private void execute(Packet packet) {
            sequenceNaks = 0;
            boolean needsReceive = packet.kind() == Kind.SEND && packet.begins();
            refused = needsReceive && receivesUsed == receivesPosted;
            boolean full = packet.kind().compareTo(Kind.READ) >= 0 && unanswered.size() == DEPTH;
            if (refused || full) {
                return; // a full ring is a legal peer's own limit: see feedable
            }
            executed++;
            receivesUsed += needsReceive ? 1 : 0;
            messages += packet.ends() ? 1 : 0;
            additions += packet.kind() == Kind.ATOMIC ? 1 : 0;
            if (packet.kind().compareTo(Kind.READ) >= 0) {
                unanswered.add(packet);
            }
        }

        /** A legal peer asks for no more READs and atomics than it may (§6.1(4)). */
        boolean atLimit() {
            return unanswered.size() == DEPTH && pick(executed).kind().compareTo(Kind.READ) >= 0;
        }

        private void hear() {
            for (String frame : tape.sent()) {
                String[] words = frame.split("[ =]");
                int psn = Integer.parseInt(words[2]);
                if (words[0].equals("ACK")) {
                    hearAcknowledge(frame, psn);
                } else {
                    hearAnswer(words[0], psn);
                }
            }
        }

        private void hearAcknowledge(String frame, int psn) {
            int expectedPsn = pick(executed).psn();
            assertThat(frame).endsWith("msn=" + messages);
            if (frame.contains("syn=0x1f")) {
                assertThat(psn).as("the newest PSN: %s", frame).isEqualTo(Psn.previous(expectedPsn));
                assertThat(unanswered)
                        .as("READs and atomics behind which it came: %s", frame)
                        .isEmpty();
            } else if (frame.contains("syn=0x60")) {
                assertThat(psn).isEqualTo(expectedPsn);
                assertThat(++sequenceNaks).as("sequence NAKs of one gap").isEqualTo(1);
                assertThat(unanswered).isEmpty();
            } else {
                assertThat(frame).contains("syn=0x2c");
                assertThat(psn).isEqualTo(expectedPsn);
                assertThat(refused).isTrue();
            }
        }

        /** Answers to new requests come in order; others repeat what was answered before. */
        private void hearAnswer(String opcode, int psn) {
            if (unanswered.isEmpty() || Psn.diff(psn, unanswered.get(0).psn()) < 0) {
                return;
            }
            Packet oldest = unanswered.get(0);
            assertThat(Psn.distance(oldest.psn(), psn))
                    .as("%s psn=%d", opcode, psn)
                    .isLessThan(oldest.span());
            if (Psn.distance(oldest.psn(), psn) == oldest.span() - 1) {
                unanswered.remove(0);
            }
        }

        private void check() {
            ReceiveState r = qp.receive;
            assertThat(tape.qp.state()).isEqualTo(QueuePairState.RTS);
            assertThat(r.expectedPsn).isEqualTo(pick(executed).psn());
            assertThat(r.msn).isEqualTo(messages);
            assertThat(tape.bytes.getInt(0x1000) & 0xFF000000).isEqualTo(additions << 24);
            WorkCompletion[] one = WorkCompletion.array(1);
            while (tape.receiveQueue.poll(one) == 1) {
                assertThat(one[0].isSuccess()).isTrue();
                assertThat(one[0].workRequestId()).isEqualTo(receivesSeen++);
            }
            boolean within = executed > 0
                    && !stream.get(executed - 1).ends()
                    && stream.get(executed - 1).kind() == Kind.SEND;
            assertThat(receivesSeen).isEqualTo(within ? receivesUsed - 1 : receivesUsed);
        }

        @Override
        public void close() {
            tape.linkTakes(1000).run();
            hear();
            check();
            assertThat(unanswered).isEmpty();
            assertThat(qp.receive.hasDue()).isFalse();
            assertThat(tape.engine.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
            tape.forget();
            tape.close();
        }
    }

    /** Fixed seeds; {@code -Drdma4j.test.seeds=N} runs so many. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("rdma4j.test.seeds", 150));
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName(
            "§5, §7: a responder executes once, in order, and says nothing untrue, whatever order requests come in")
    @MethodSource("seeds")
    void tellsTheTruth(long seed) {
        try (Run run = new Run(seed)) {
            for (int i = 0; i < STEPS; i++) {
                if (run.atLimit()) {
                    run.tape.linkTakes(1000).run();
                    run.hear();
                }
                run.step();
            }
        }
    }
}
