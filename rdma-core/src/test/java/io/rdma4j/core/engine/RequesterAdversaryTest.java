package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * §5, §6.3: a requester whose peer answers anything, right or wrong, in any order and as often as it likes. What must hold
 * of its state is checked after each step; at the end the peer turns honest, and everything must complete.
 */
class RequesterAdversaryTest {
    private static final int MTU = 256;
    private static final int STEPS = 120;
    private static final int REQUESTS = 24;
    private static final long TIMEOUT = 4096L << 8;
    private static final int START_PSN = 0xFFFFE0; // the wrap comes soon

    /** One run: the tape, what was posted, and every honest answer to what was sent so far. */
    private static final class Run implements AutoCloseable {
        final Random random;
        final Tape tape;
        final QpContext qp;
        final List<Integer> lengths = new ArrayList<>();
        final List<Boolean> isRead = new ArrayList<>();
        final List<Integer> firstPsns = new ArrayList<>();
        final Map<Integer, List<String>> answers = new HashMap<>();
        int nextRequestPsn = START_PSN;
        boolean linkOpen = true;
        int completed;

        Run(long seed) {
            random = new Random(seed);
            tape = new TapeSetup()
                    .psn(START_PSN, 500)
                    .timeout(8)
                    .readAtomic(1 + random.nextInt(4), 4)
                    .retries(7, random.nextInt(4) == 0 ? 3 : 7)
                    .receiveBuffer(random.nextBoolean() ? 4 << 20 : 1)
                    .signalAll()
                    .start();
            qp = tape.engine.queuePair(tape.qp.number());
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1 -> post();
                case 2 -> linkTakes(random.nextInt(6));
                case 3 -> linkTakes(1000);
                case 4 -> tape.elapse(random.nextInt((int) TIMEOUT));
                case 5 -> tape.in(nak());
                case 6 -> tape.in(ghost());
                default -> tape.in(anAnswer(), anAnswer());
            }
            learn();
            check();
        }

        private void linkTakes(int frames) {
            linkOpen = frames == 1000;
            tape.linkTakes(frames).run();
        }

        private void post() {
            int id = lengths.size();
            if (id == REQUESTS) {
                return;
            }
            int kind = random.nextInt(4);
            int length = kind == 3 ? Long.BYTES : random.nextInt(5) == 0 ? 0 : random.nextInt(5 * MTU);
            SendRequest request = switch (kind) {
                case 0 -> Send.of(id, tape.at(0, length));
                case 1 -> RdmaWrite.of(id, tape.at(0, length)).to(0x8000, 7);
                case 2 -> RdmaRead.of(id, tape.at(0, length)).from(0x8000, 7);
                default -> FetchAndAdd.of(id, tape.at(0, 8), 1).at(0x8000, 7);
            };
            boolean fenced = random.nextInt(6) == 0;
            lengths.add(length);
            isRead.add(kind >= 2);
            firstPsns.add(nextRequestPsn);
            nextRequestPsn = Psn.add(nextRequestPsn, packets(length));
            tape.post(fenced ? fenced(request) : request);
        }

        private static SendRequest fenced(SendRequest request) {
            if (request instanceof Send send) {
                return send.fenced();
            }
            return request instanceof RdmaWrite write ? write.fenced() : request;
        }

        private static int packets(int length) {
            return Math.max(1, (length + MTU - 1) / MTU);
        }

        /** Notes how an honest peer would answer what was sent. */
        private void learn() {
            for (String frame : tape.sent()) {
                String[] words = frame.split("[ =]");
                int psn = Integer.parseInt(words[2]);
                if (words[0].equals("READ_REQUEST")) {
                    learnRead(psn, Integer.parseInt(words[words.length - 2]));
                } else if (words[0].equals("FETCH_ADD")) {
                    add(psn, "ATOMIC_ACK psn=" + psn + " orig=5");
                } else {
                    add(psn, "ACK psn=" + psn);
                }
            }
        }

        private void learnRead(int psn, int length) {
            int n = packets(length);
            for (int i = 0; i < n; i++) {
                String place = n == 1 ? "ONLY" : i == 0 ? "FIRST" : i == n - 1 ? "LAST" : "MIDDLE";
                int at = Psn.add(psn, i);
                add(at, "READ_RESPONSE_" + place + " psn=" + at + " len=" + Math.min(MTU, length - i * MTU));
            }
        }

        private void add(int psn, String line) {
            answers.computeIfAbsent(psn, key -> new ArrayList<>()).add(line);
        }

        private String anAnswer() {
            int window = Math.max(1, Psn.distance(qp.send.una, qp.send.maxPsn));
            int psn = Psn.add(qp.send.una, random.nextInt(3) == 0 ? 0 : random.nextInt(window + 4) - 2);
            List<String> known = answers.get(psn);
            // To an outstanding READ an ACK at its own PSN is a lie, and is taken for an implied NAK.
            return known == null ? "ACK psn=" + psn : known.get(random.nextInt(known.size()));
        }

        private String nak() {
            int window = Math.max(1, Psn.distance(qp.send.una, qp.send.maxPsn));
            int psn = Psn.add(qp.send.una, random.nextInt(window));
            return "ACK psn=" + psn + " syn=" + (random.nextBoolean() ? 0x60 : 0x20 | random.nextInt(6) + 1);
        }

        private String ghost() {
            int psn = random.nextBoolean()
                    ? Psn.add(qp.send.una, -1 - random.nextInt(0x700000))
                    : Psn.add(qp.send.maxPsn, random.nextInt(0x700000));
            String[] kinds = {"ACK psn=%d", "ACK psn=%d syn=0x62", "ATOMIC_ACK psn=%d", "READ_RESPONSE_ONLY psn=%d"};
            return String.format(kinds[random.nextInt(kinds.length)], psn);
        }

        private void check() {
            SendState s = qp.send;
            checkCompletions();
            assertThat(s.head).isLessThanOrEqualTo(s.cursor).isEqualTo(completed);
            if (tape.qp.state() == QueuePairState.ERR) {
                assertThat(s.inFlightPackets + s.inFlightBytes).isZero();
                assertThat(qp.deadlineNs()).isEqualTo(EngineLimits.NO_DEADLINE);
                assertThat(completed).isEqualTo(lengths.size());
                return;
            }
            int outstanding = Psn.distance(s.una, s.nextPsn);
            assertThat(outstanding).as("una <= nextPsn <= maxPsn").isLessThanOrEqualTo(Psn.distance(s.una, s.maxPsn));
            assertThat(s.inFlightPackets).isEqualTo(outstanding);
            assertThat(s.inFlightBytes).isEqualTo(bytesOutstanding());
            assertThat(qp.peer.inFlightPackets()).isEqualTo(outstanding);
            boolean waits = s.rnrTimerNs != EngineLimits.NO_DEADLINE;
            assertThat(s.timerNs != EngineLimits.NO_DEADLINE)
                    .as("timer armed iff something is outstanding and no RNR wait")
                    .isEqualTo(outstanding > 0 && !waits);
            assertThat(waits && outstanding > 0)
                    .as("nothing is out during an RNR wait")
                    .isFalse();
            if (linkOpen) {
                assertThat(tape.engine.nextDeadlineNs())
                        .as("deadline never lost")
                        .isLessThanOrEqualTo(qp.deadlineNs());
                assertThat(outstanding > 0 || waits || s.cursor == lengths.size())
                        .as("never stuck")
                        .isTrue();
            }
            checkReads();
            assertThat(s.retriesLeft).isBetween(0, 7);
        }

        private void checkReads() {
            int started = 0;
            for (int i = completed; i < lengths.size(); i++) {
                boolean begun = Psn.diff(firstPsns.get(i), qp.send.maxPsn) < 0;
                started += isRead.get(i) && begun ? 1 : 0;
            }
            assertThat(qp.send.reads.size()).isLessThanOrEqualTo(qp.attributes.maxReadAtomic);
            assertThat(qp.send.readWorkRequests)
                    .isBetween(started, started + 1); // one may have its PSNs and not be out
        }

        private long bytesOutstanding() {
            long bytes = 0;
            int request = completed;
            for (int psn = qp.send.una; psn != qp.send.nextPsn; psn = Psn.next(psn)) {
                while (Psn.diff(psn, firstPsns.get(request)) >= packets(lengths.get(request))) {
                    request++;
                }
                int index = Psn.diff(psn, firstPsns.get(request));
                bytes += Math.min(MTU, lengths.get(request) - index * MTU) + EngineLimits.FRAME_OVERHEAD_BYTES;
            }
            return bytes;
        }

        /** In order, each once; after the first failure all the others flushed. */
        private void checkCompletions() {
            WorkCompletion[] one = WorkCompletion.array(1);
            while (tape.sendQueue.poll(one) == 1) {
                assertThat(one[0].workRequestId()).isEqualTo(completed++);
                if (!one[0].isSuccess() && one[0].status() != WorkCompletionStatus.WR_FLUSH_ERR) {
                    assertThat(one[0].status())
                            .isIn(WorkCompletionStatus.RETRY_EXC_ERR, WorkCompletionStatus.RNR_RETRY_EXC_ERR);
                    assertThat(tape.qp.state()).isEqualTo(QueuePairState.ERR);
                }
            }
        }

        /** The peer answers everything as it should, in order. */
        void heal() {
            linkTakes(1000);
            learn();
            for (int i = 0; completed < lengths.size(); i++) {
                assertThat(i).as("steps to the end").isLessThan(2000);
                if (qp.send.rnrTimerNs != EngineLimits.NO_DEADLINE) {
                    tape.elapseToDeadline();
                } else {
                    List<String> known = answers.get(qp.send.una);
                    assertThat(known).as("PSN %d was sent", qp.send.una).isNotNull();
                    tape.in(known.get(known.size() - 1));
                }
                learn();
                check();
            }
        }

        @Override
        public void close() {
            tape.forget();
            tape.close();
        }
    }

    /** Fixed seeds; {@code -Drdma4j.test.seeds=N} runs so many. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("rdma4j.test.seeds", 150));
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("§5, §6.3: a requester keeps its accounts under any answers, and goes on when they are right again")
    @MethodSource("seeds")
    void accountsAreKept(long seed) {
        try (Run run = new Run(seed)) {
            for (int i = 0; i < STEPS && run.tape.qp.state() == QueuePairState.RTS; i++) {
                run.step();
            }
            if (run.tape.qp.state() == QueuePairState.RTS) {
                run.heal();
                assertThat(run.tape.qp.state()).isEqualTo(QueuePairState.RTS);
            }
        }
    }
}
