package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.verbs.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Queue pairs by number. */
class QpTableTest {
    private static final CompletionRing RING = new CompletionRing(1, 1, null);

    static QpContext queuePair(int number) {
        return new QpContext(
                new QpContext.Parts(
                        number, QueuePairType.RC, 1, new SendQueue(1, 1), new ReceiveQueue(1, 1), RING, RING, null),
                false);
    }

    private static QpContext create(QpTable table) {
        QpContext qp = queuePair(table.allocateNumber());
        table.add(qp);
        return qp;
    }

    private static RandomGenerator startingAt(int number) {
        return new Random() {
            private static final long serialVersionUID = 1L;

            @Override
            public int nextInt(int origin, int bound) {
                return number;
            }
        };
    }

    @Test
    void findsByTheWholeNumber() {
        QpTable table = new QpTable(new Random(1));
        QpContext qp = create(table);
        assertThat(table.find(qp.number())).isSameAs(qp);
        assertThat(table.find(qp.number() ^ 0x800000)).isNull();
        assertThat(table.find(0)).isNull();
        table.remove(qp);
        assertThat(table.find(qp.number())).isNull();
    }

    @Test
    void numbersRestBeforeTheyComeBack() {
        QpTable table = new QpTable(new Random(2));
        QpContext first = create(table);
        table.remove(first);
        for (int i = 0; i < 10_000; i++) {
            QpContext next = create(table);
            assertThat(next.number()).isNotEqualTo(first.number()).isBetween(2, 0xFFFFFE);
            table.remove(next);
        }
    }

    @Test
    void wrapsAroundTheReservedNumbers() {
        QpTable table = new QpTable(startingAt(0xFFFFFD));
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            numbers.add(create(table).number());
        }
        assertThat(numbers).containsExactly(0xFFFFFD, 0xFFFFFE, 2, 3);
    }

    @Test
    void growsToItsLimitAndKeepsEveryone() {
        QpTable table = new QpTable(new Random(3));
        Map<Integer, QpContext> model = new HashMap<>();
        while (model.size() < DeviceLimits.DEFAULT.max(DeviceLimit.MAX_QP)) {
            QpContext qp = create(table);
            assertThat(model.put(qp.number(), qp)).isNull();
        }
        model.forEach((number, qp) -> assertThat(table.find(number)).isSameAs(qp));
        List<QpContext> seen = new ArrayList<>();
        table.forEach(seen::add);
        assertThat(seen).hasSameSizeAs(model.values());
    }

    @Test
    void agreesWithAMapUnderChurn() {
        QpTable table = new QpTable(startingAt(0xFFFF00));
        Random random = new Random(4);
        ArrayDeque<QpContext> live = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            if (live.size() < 600 && random.nextInt(3) > 0) {
                live.add(create(table));
            } else if (!live.isEmpty()) {
                QpContext gone = random.nextBoolean() ? live.removeFirst() : live.removeLast();
                table.remove(gone);
                assertThat(table.find(gone.number())).isNull();
            }
        }
        live.forEach(qp -> assertThat(table.find(qp.number())).isSameAs(qp));
    }
}
