package io.rdma4j.core.engine;

import io.rdma4j.core.qp.QpContext;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Queue pairs by number. Numbers are given out cyclically from a random start, so that a number rests for long before it
 * is used again; a number is only given if its slot is free, so that looking one up is one array access.
 */
final class QpTable {
    /** 0 and 1 are QP0 and QP1, 0xFFFFFF is the multicast number. */
    private static final int FIRST_NUMBER = 2;

    private static final int LAST_NUMBER = 0xFFFFFE;
    private static final int FIRST_SLOTS = 256;

    private @Nullable QpContext[] slots = new QpContext[FIRST_SLOTS];
    private int count;
    private int next;

    QpTable(RandomGenerator random) {
        next = random.nextInt(FIRST_NUMBER, LAST_NUMBER + 1);
    }

    /** A number that is free; there are always fewer queue pairs than numbers. */
    int allocateNumber() {
        if (count * 2 >= slots.length) {
            grow();
        }
        while (slots[slotOf(next)] != null) {
            advance();
        }
        int number = next;
        advance();
        return number;
    }

    private void advance() {
        next = next == LAST_NUMBER ? FIRST_NUMBER : next + 1;
    }

    void add(QpContext qp) {
        slots[slotOf(qp.number())] = qp;
        count++;
    }

    void remove(QpContext qp) {
        slots[slotOf(qp.number())] = null;
        count--;
    }

    @Nullable
    QpContext find(int number) {
        QpContext qp = slots[slotOf(number)];
        return qp != null && qp.number() == number ? qp : null;
    }

    void forEach(Consumer<QpContext> action) {
        for (QpContext qp : slots) {
            if (qp != null) {
                action.accept(qp);
            }
        }
    }

    private int slotOf(int number) {
        return number & (slots.length - 1);
    }

    /** Numbers that differ in few bits differ in more, so nobody collides in the larger table. */
    private void grow() {
        @Nullable QpContext[] old = slots;
        slots = new QpContext[old.length * 2];
        for (QpContext qp : old) {
            if (qp != null) {
                slots[slotOf(qp.number())] = qp;
            }
        }
    }
}
