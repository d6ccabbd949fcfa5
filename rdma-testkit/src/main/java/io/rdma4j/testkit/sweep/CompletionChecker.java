package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
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
        model.check(side, next.arrived(), memory, what);
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
        List<SendMessage> sends = lane.sends();
        for (int i = 0; i < sends.size(); i++) {
            SendMessage send = sends.get(i);
            Expectation received =
                    new Expectation(i, WorkCompletionOpcode.RECV, Area.length(send.local()), send.receive());
            expect(WorkRequestIds.receive(lane.queuePair(), 0), received);
        }
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
