package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traffic of many queue pairs into one shared receive queue that is refilled by its limit event and resized meanwhile. */
class SharedReceiveTrafficTest {
    private static final int CONNECTIONS = 8;
    private static final int MESSAGES = 60;
    private static final int BATCH = 12;
    private static final int BUFFER = 4096;
    private static final int BUFFERS = 40;

    /** Everything a run keeps account of. */
    private static final class Run {
        private final SharedReceiveBed bed = new SharedReceiveBed(
                CONNECTIONS,
                2 * BATCH,
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256).timeout(10));
        private final SplittableRandom random;
        private final ArrayDeque<Integer> free = new ArrayDeque<>();
        private final Map<Long, Integer> bufferOf = new HashMap<>();
        private final int[] sent = new int[CONNECTIONS];
        private final int[] received = new int[CONNECTIONS];
        private long nextId;
        private int polled;
        private int sentDone;
        private int limitEvents;
        private int resized;

        Run(int seed) {
            random = new SplittableRandom(seed);
            for (int i = 0; i < BUFFERS; i++) {
                free.add(i);
            }
            bed.nodes.fabric.options(
                    FabricOptions.clean().loss(0.01).reorder(0.01).duplicate(0.01));
        }

        void refill() {
            for (int i = 0; i < BATCH; i++) {
                int buffer = free.remove();
                bufferOf.put(nextId, buffer);
                bed.post(nextId++, buffer * BUFFER, BUFFER);
            }
            bed.shared.armLimit(BATCH / 2);
        }

        void step() {
            int connection = random.nextInt(CONNECTIONS);
            if (sent[connection] < MESSAGES) {
                post(connection, sent[connection]++);
            }
            bed.nodes.fabric.runFor(20_000);
            for (AsyncEvent event : bed.events()) {
                assertThat(event).isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, bed.shared.number()));
                limitEvents++;
                refill();
            }
            if (random.nextInt(10) == 0) {
                resize(2 * BATCH + random.nextInt(64) - 12);
            }
            check();
        }

        private void resize(int size) {
            try {
                bed.shared.resize(Math.max(size, 2 * BATCH));
                resized++;
            } catch (RdmaException e) {
                assertThat(e).hasMessageContaining("too few");
            }
        }

        /** The immediate data tell connection and message; so do the bytes. */
        private void post(int connection, int message) {
            int tag = connection << 16 | message;
            ScatterGatherElement data = bed.nodes.a.region.slice(offset(tag), length(tag));
            if (tag % 3 == 0) {
                bed.senders
                        .get(connection)
                        .postSend(RdmaWriteWithImmediate.of(tag, tag, data)
                                .to(
                                        bed.nodes.b.region.address() + BUFFERS * BUFFER + (long) connection * BUFFER,
                                        bed.nodes.b.region.remoteKey())
                                .signaled());
            } else {
                bed.senders
                        .get(connection)
                        .postSend(SendWithImmediate.of(tag, tag, data).signaled());
            }
        }

        private static int offset(int tag) {
            return tag % 1999;
        }

        private static int length(int tag) {
            return 1 + tag * 31 % 3000;
        }

        private void check() {
            List<WorkCompletion> done = bed.nodes.b.completions();
            for (; polled < done.size(); polled++) {
                WorkCompletion receive = done.get(polled);
                assertThat(receive.isSuccess()).as(receive.toString()).isTrue();
                int tag = receive.immediateData();
                int connection = tag >> 16;
                assertThat(receive).matches(bed.of(bed.receivers.get(connection)));
                assertThat(tag & 0xFFFF).as("in order").isEqualTo(received[connection]++);
                Integer buffer = bufferOf.remove(receive.workRequestId());
                assertThat(buffer)
                        .as("receive %d is used once", receive.workRequestId())
                        .isNotNull();
                assertThat(receive.byteLength()).isEqualTo(length(tag));
                free.add(buffer);
                if (receive.opcode() == WorkCompletionOpcode.RECV) {
                    assertThat(bed.nodes.b.bytes(buffer * BUFFER, length(tag)))
                            .isEqualTo(bed.nodes.a.bytes(offset(tag), length(tag)));
                }
            }
            List<WorkCompletion> sends = bed.nodes.a.completions();
            for (; sentDone < sends.size(); sentDone++) {
                assertThat(sends.get(sentDone).isSuccess())
                        .as(sends.get(sentDone).toString())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @DisplayName(
            "§12: each receive is used exactly once, each queue pair gets its messages in order, whatever is lost or resized")
    @ValueSource(ints = {1, 2, 3})
    void manyIntoOne(int seed) {
        Run run = new Run(seed);
        try (SharedReceiveBed bed = run.bed) {
            run.refill();
            int steps = 0;
            while (run.sentDone < CONNECTIONS * MESSAGES) {
                run.step();
                assertThat(++steps).as("it comes to an end").isLessThan(100_000);
            }
            bed.nodes.runToRest();
            run.check();
            assertThat(run.received).containsOnly(MESSAGES);
            assertThat(run.limitEvents).isGreaterThan(CONNECTIONS * MESSAGES / BATCH / 2);
            assertThat(run.resized).isPositive();
            assertThat(bed.events().size()).isLessThanOrEqualTo(1);
        }
    }
}
