package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.QpContext;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The heap of deadlines against a plain list. */
class QpDeadlinesTest {
    private static final int QUEUE_PAIRS = 100;

    private static List<QpContext> queuePairs() {
        List<QpContext> all = new ArrayList<>();
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            all.add(QpTableTest.queuePair(i + 2));
        }
        return all;
    }

    /** Each step sets the timer of one queue pair, removes one, or lets time pass; nothing is early, late or lost. */
    @Property(tries = 300)
    void expiresExactlyWhatAListWould(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 1 << 20) Integer> steps) {
        QpDeadlines deadlines = new QpDeadlines();
        List<QpContext> all = queuePairs();
        long now = -1000;
        for (int step : steps) {
            QpContext qp = all.get(step % QUEUE_PAIRS);
            int argument = step / QUEUE_PAIRS;
            switch (argument % 4) {
                case 0 -> now += argument;
                case 1 -> {
                    deadlines.remove(qp);
                    qp.send.timerNs = EngineLimits.NO_DEADLINE;
                }
                case 2 -> {
                    qp.send.timerNs = now + 1 + argument % 2000;
                    deadlines.update(qp);
                }
                default -> {
                    qp.send.timerNs = EngineLimits.NO_DEADLINE;
                    deadlines.update(qp);
                }
            }
            long time = now;
            List<QpContext> due =
                    all.stream().filter(each -> each.deadlineNs() <= time).toList();
            assertThat(deadlines.earliestNs())
                    .isLessThanOrEqualTo(
                            all.stream().mapToLong(QpContext::deadlineNs).min().orElseThrow());
            assertThat(expire(deadlines, now)).containsExactlyInAnyOrderElementsOf(due);
        }
    }

    private static List<QpContext> expire(QpDeadlines deadlines, long now) {
        List<QpContext> expired = new ArrayList<>();
        for (QpContext qp = deadlines.pollExpired(now); qp != null; qp = deadlines.pollExpired(now)) {
            qp.send.timerNs = EngineLimits.NO_DEADLINE;
            expired.add(qp);
        }
        return expired;
    }

    @Test
    void emptyHasNoDeadline() {
        QpDeadlines deadlines = new QpDeadlines();
        assertThat(deadlines.earliestNs()).isEqualTo(EngineLimits.NO_DEADLINE);
        assertThat(deadlines.pollExpired(Long.MAX_VALUE - 1)).isNull();
        deadlines.remove(QpTableTest.queuePair(2));
    }

    @Test
    void aDeadlineThatMovedLaterIsNotEarly() {
        QpDeadlines deadlines = new QpDeadlines();
        QpContext qp = QpTableTest.queuePair(2);
        qp.send.timerNs = 100;
        deadlines.update(qp);
        qp.send.timerNs = 300;
        deadlines.update(qp);
        assertThat(deadlines.pollExpired(299)).isNull();
        assertThat(deadlines.pollExpired(300)).isSameAs(qp);
        assertThat(deadlines.earliestNs()).isEqualTo(EngineLimits.NO_DEADLINE);
    }

    @Test
    void theEarlierOfTwoTimersCounts() {
        QpDeadlines deadlines = new QpDeadlines();
        QpContext qp = QpTableTest.queuePair(2);
        qp.send.timerNs = 500;
        deadlines.update(qp);
        qp.send.rnrTimerNs = 200;
        deadlines.update(qp);
        assertThat(deadlines.earliestNs()).isEqualTo(200);
    }
}
