package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.SwapMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the completions of one node: on each queue exactly those that must come, once, in order, successful, and not
 * before the data they stand for.
 */
final class CompletionChecker {
    private final Side side;
    private final MemoryModel model;
    private final Map<Long, ArrayDeque<Expectation>> queues = new HashMap<>();
    private int missing;

    CompletionChecker(SweepPlan plan, Side side, MemoryModel model) {
        this.side = side;
        this.model = model;
        for (LanePlan lane : plan.lanes()) {
            if (lane.from() == side) {
                expectSends(lane);
            } else {
                expectReceives(lane);
            }
        }
    }

    boolean isComplete() {
        return missing == 0;
    }

    /** Takes a completion off the expectations of its queue. */
    void accept(WorkCompletion completion, int queuePairNumber, NodeMemory memory) {
        String what = describe(completion);
        if (!completion.isSuccess()) {
            throw new SweepFailure(what + " failed: " + completion.status() + ", " + completion.cause());
        }
        Expectation next = queue(completion.workRequestId()).poll();
        if (next == null) {
            throw new SweepFailure(what + " came although its queue is complete");
        }
        missing--;
        requireEqual(what + ": place in the queue", next.index(), WorkRequestIds.index(completion.workRequestId()));
        requireEqual(what + ": opcode", next.opcode(), completion.opcode());
        requireEqual(what + ": QP number", queuePairNumber, completion.queuePairNumber());
        if (next.byteLength() != Expectation.ANY_LENGTH) {
            requireEqual(what + ": byte length", next.byteLength(), completion.byteLength());
        }
        checkNotice(completion, next.notice(), memory, what);
        model.check(side, next.arrived(), memory, what);
    }

    private static void checkNotice(WorkCompletion completion, Notice notice, NodeMemory memory, String what) {
        boolean immediate = notice.kind() == Notice.Kind.IMMEDIATE;
        boolean invalidate = notice.kind() == Notice.Kind.INVALIDATE;
        requireEqual(what + ": has immediate", immediate, completion.hasImmediate());
        requireEqual(what + ": immediate", immediate ? notice.value() : 0, completion.immediateData());
        requireEqual(what + ": has invalidated", invalidate, completion.hasInvalidated());
        int queuePair = WorkRequestIds.queuePair(completion.workRequestId());
        int key = invalidate ? memory.invalidatableKey(queuePair, notice.value()) : 0;
        requireEqual(what + ": invalidated key", key, completion.invalidatedKey());
    }

    /** What is missing, for a failure message. */
    String missing() {
        StringBuilder text = new StringBuilder();
        queues.forEach((key, queue) -> {
            Expectation next = queue.peek();
            if (next != null) {
                text.append(side).append(WorkRequestIds.isReceive(key) ? " receive" : " send");
                text.append(" queue of queue pair ").append(WorkRequestIds.queuePair(key));
                text.append(" waits for ")
                        .append(next)
                        .append(" and ")
                        .append(queue.size() - 1)
                        .append(" more\n");
            }
        });
        return text.toString();
    }

    private void expectSends(LanePlan lane) {
        for (int i = 0; i < lane.operations().size(); i++) {
            Operation operation = lane.operations().get(i);
            if (operation.flags().signaled()) {
                expect(WorkRequestIds.send(lane.queuePair(), 0), sent(i, operation));
            }
        }
    }

    private void expectReceives(LanePlan lane) {
        List<Operation> received = lane.received();
        for (int i = 0; i < received.size(); i++) {
            expect(WorkRequestIds.receive(lane.queuePair(), 0), received(lane, i, received.get(i)));
        }
    }

    private static Expectation received(LanePlan lane, int index, Operation operation) {
        long length = Area.length(operation.local());
        if (operation instanceof WriteMessage write) {
            List<Area> arrived = isFinal(lane, write) ? List.of(write.target()) : List.of();
            WorkCompletionOpcode opcode = WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
            return new Expectation(index, opcode, length, write.notice(), arrived);
        }
        return new Expectation(index, WorkCompletionOpcode.RECV, length, operation.notice(), operation.receive());
    }

    /** Whether no later WRITE goes to the same place, so that what it brought stays. */
    private static boolean isFinal(LanePlan lane, WriteMessage write) {
        List<Operation> operations = lane.operations();
        return operations.subList(operations.indexOf(write) + 1, operations.size()).stream()
                .noneMatch(later ->
                        later instanceof WriteMessage other && other.target().equals(write.target()));
    }

    private static Expectation sent(int index, Operation operation) {
        if (operation instanceof SendMessage) {
            return new Expectation(index, WorkCompletionOpcode.SEND, Expectation.ANY_LENGTH, List.of());
        } else if (operation instanceof WriteMessage) {
            return new Expectation(index, WorkCompletionOpcode.RDMA_WRITE, Expectation.ANY_LENGTH, List.of());
        } else if (operation instanceof ReadMessage read) {
            long length = Area.length(read.local());
            return new Expectation(index, WorkCompletionOpcode.RDMA_READ, length, read.local());
        } else if (operation instanceof AddMessage add) {
            List<Area> known = add.word().shared() ? List.of() : add.local();
            return new Expectation(index, WorkCompletionOpcode.FETCH_ADD, Long.BYTES, known);
        }
        SwapMessage swap = (SwapMessage) operation;
        return new Expectation(index, WorkCompletionOpcode.COMP_SWAP, Long.BYTES, swap.local());
    }

    private void expect(long queue, Expectation expectation) {
        queues.computeIfAbsent(queue, key -> new ArrayDeque<>()).add(expectation);
        missing++;
    }

    private ArrayDeque<Expectation> queue(long id) {
        long key = id - WorkRequestIds.index(id);
        return queues.getOrDefault(key, new ArrayDeque<>());
    }

    private String describe(WorkCompletion completion) {
        long id = completion.workRequestId();
        return side + (WorkRequestIds.isReceive(id) ? " receive " : " send ") + WorkRequestIds.index(id)
                + " of queue pair " + WorkRequestIds.queuePair(id);
    }

    private static void requireEqual(String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            throw new SweepFailure(what + " is " + found + " instead of " + wanted);
        }
    }
}
