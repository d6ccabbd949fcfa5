package io.rdma4j.core.engine;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.QpContext;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs that wait for a time, as a binary heap. A deadline that moves earlier moves the entry; one that moves
 * later leaves it, and is looked at again when the old time has come. So a busy queue pair, whose deadline moves with
 * every acknowledgement, costs nothing here.
 */
final class QpDeadlines {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable QpContext[] heap = new QpContext[FIRST_CAPACITY];
    private int size;

    /** The time at which {@link #pollExpired} may give something. */
    long earliestNs() {
        QpContext first = heap[0];
        return size == 0 || first == null ? EngineLimits.NO_DEADLINE : first.armedDeadlineNs;
    }

    /** Takes note of the deadline of {@code qp}. */
    void update(QpContext qp) {
        long deadline = qp.deadlineNs();
        if (qp.heapIndex >= 0) {
            if (deadline < qp.armedDeadlineNs) {
                qp.armedDeadlineNs = deadline;
                siftUp(qp, qp.heapIndex);
            }
        } else if (deadline != EngineLimits.NO_DEADLINE) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            qp.armedDeadlineNs = deadline;
            siftUp(qp, size++);
        }
    }

    /** A queue pair whose deadline has passed, or null; entries that were armed too early are put back. */
    @Nullable
    QpContext pollExpired(long nowNs) {
        while (earliestNs() <= nowNs) {
            QpContext qp = removeFirst();
            if (qp.deadlineNs() <= nowNs) {
                return qp;
            }
            update(qp);
        }
        return null;
    }

    /** Forgets a queue pair that is destroyed. */
    void remove(QpContext qp) {
        if (qp.heapIndex >= 0) {
            removeAt(qp.heapIndex);
        }
    }

    private QpContext removeFirst() {
        QpContext first = at(0);
        removeAt(0);
        return first;
    }

    private void removeAt(int index) {
        QpContext gone = at(index);
        QpContext moved = at(--size);
        heap[size] = null;
        gone.heapIndex = -1;
        gone.armedDeadlineNs = EngineLimits.NO_DEADLINE;
        if (moved != gone) {
            moved.heapIndex = index;
            heap[index] = moved;
            siftDown(moved, index);
            siftUp(moved, moved.heapIndex);
        }
    }

    private QpContext at(int index) {
        QpContext qp = heap[index];
        if (qp == null) {
            throw new IllegalStateException("no queue pair at " + index);
        }
        return qp;
    }

    private void siftUp(QpContext qp, int from) {
        int index = from;
        while (index > 0) {
            QpContext parent = at((index - 1) / 2);
            if (parent.armedDeadlineNs <= qp.armedDeadlineNs) {
                break;
            }
            place(parent, index);
            index = (index - 1) / 2;
        }
        place(qp, index);
    }

    private void siftDown(QpContext qp, int from) {
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && at(child + 1).armedDeadlineNs < at(child).armedDeadlineNs) {
                child++;
            }
            if (qp.armedDeadlineNs <= at(child).armedDeadlineNs) {
                break;
            }
            place(at(child), index);
            index = child;
        }
        place(qp, index);
    }

    private void place(QpContext qp, int index) {
        heap[index] = qp;
        qp.heapIndex = index;
    }
}
