package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connected queue pair that does nothing costs, with its entries in every table. */
class IdleQueuePairMemoryTest {
    private static final int MOST_BYTES = 4 << 10;
    private static final int COUNT = 128;

    private final Tape tape = new Tape();
    private final QueuePairConfig config = QueuePairConfig.reliable(tape.sendQueue, tape.receiveQueue);

    @AfterEach
    void close() {
        tape.device.close();
    }

    private void create(int count, int readAtomic) {
        TapeSetup setup = new TapeSetup().readAtomic(readAtomic, readAtomic);
        for (int i = 0; i < count; i++) {
            QueuePair qp = tape.domain.createQueuePair(config);
            setup.connect(qp);
        }
    }

    @ParameterizedTest(name = "max_rd_atomic {0}")
    @ValueSource(ints = {1, 4, 16})
    @DisplayName("an idle queue pair with default queues costs at most 4 KiB beyond them")
    void idle(int readAtomic) {
        HeapBytes before = HeapBytes.of(tape.device);
        create(COUNT, readAtomic);
        HeapBytes after = HeapBytes.of(tape.device);
        SoftQueuePair.WorkQueues queues = SoftQueuePair.allocate(config.capabilities(), null);
        long each = (after.total() - before.total()) / COUNT
                - HeapBytes.of(queues.send(), queues.receive()).total();
        assertThat(each).as(() -> after.growthSince(before)).isPositive().isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    @DisplayName(
            "sizes are those of HotSpot with compressed pointers: 12 bytes of header, 16 for arrays, multiples of 8")
    void sizes() {
        assertThat(HeapBytes.of(new AtomicInteger()).total()).isEqualTo(16);
        assertThat(HeapBytes.of(new AtomicLong()).total()).isEqualTo(24);
        assertThat(HeapBytes.of(new int[10]).total()).isEqualTo(56);
        assertThat(HeapBytes.of((Object) new Object[] {new byte[1], null}).total())
                .isEqualTo(24 + 24);
        Object shared = new long[2];
        assertThat(HeapBytes.of(shared, shared).total()).as("counted once").isEqualTo(32);
    }
}
