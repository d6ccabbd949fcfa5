package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.ConnectionPlan.CompletionQueues;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** The application on one side of a sweep: it posts, polls, and hands completions to its checker. */
final class SweepNode implements AutoCloseable {
    private static final int POLL_BATCH = 8;

    private final SweepPlan plan;
    private final Side side;
    private final CompletionChecker checker;
    private final ProtectionDomain domain;
    private final NodeMemory memory;
    private final List<CompletionQueue> completionQueues = new ArrayList<>();
    private final List<SharedReceiveQueue> sharedReceiveQueues = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<LaneSender> senders = new ArrayList<>();
    private final List<LaneReceiver> receivers = new ArrayList<>();
    private final WorkCompletion[] polled = WorkCompletion.array(POLL_BATCH);

    SweepNode(SweepPlan plan, Side side, RdmaDevice device, MemoryModel model) {
        this.plan = plan;
        this.side = side;
        this.checker = new CompletionChecker(plan, side, model);
        domain = device.allocateProtectionDomain();
        byte[] initial = InitialMemory.bytes(plan.seed(), side, plan.memoryBytes(side));
        memory = new NodeMemory(domain, initial, plan.connection().memory());
        createQueuePairs(device);
    }

    private void createQueuePairs(RdmaDevice device) {
        ConnectionPlan connection = plan.connection();
        int depth = connection.depth();
        int count = connection.queuePairs();
        CompletionQueues spread = connection.completionQueues();
        for (int i = 0; i < count; i++) {
            int sendIndex = 0;
            int receiveIndex = 0;
            int capacity = 2 * depth * count;
            if (spread == CompletionQueues.SEND_AND_RECEIVE) {
                receiveIndex = 1;
                capacity = depth * count;
            } else if (spread == CompletionQueues.PER_QUEUE_PAIR) {
                sendIndex = i;
                receiveIndex = i;
                capacity = 2 * depth;
            }
            CompletionQueue sendQueue = completionQueue(device, sendIndex, capacity);
            CompletionQueue receiveQueue = completionQueue(device, receiveIndex, capacity);
            QueuePairConfig config = QueuePairConfig.reliable(sendQueue, receiveQueue)
                    .maxSendWorkRequests(depth)
                    .maxReceiveWorkRequests(depth)
                    .maxSendScatterGather(Variations.MAX_SGES)
                    .maxReceiveScatterGather(Variations.MAX_SGES)
                    .maxInlineData(Variations.MAX_INLINE);
            if (plan.sharedReceives()) {
                SharedReceiveQueue shared =
                        domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(depth, Variations.MAX_SGES));
                sharedReceiveQueues.add(shared);
                config = config.sharedReceiveQueue(shared);
            }
            queuePairs.add(domain.createQueuePair(config));
        }
    }

    private CompletionQueue completionQueue(RdmaDevice device, int index, int capacity) {
        while (completionQueues.size() <= index) {
            completionQueues.add(device.createCompletionQueue(capacity));
        }
        return completionQueues.get(index);
    }

    /** Takes up its lanes; both sides' queue pairs are connected by now. */
    void start(SweepNode other, long nowNs) {
        int depth = plan.connection().depth();
        for (LanePlan lane : plan.lanes()) {
            QueuePair queuePair = queuePairs.get(lane.queuePair());
            if (lane.from() == side) {
                senders.add(new LaneSender(lane, depth, queuePair, memory, other.memory));
            } else {
                LaneReceiver receiver = new LaneReceiver(lane, depth, queuePair, memory);
                receiver.start(nowNs);
                receivers.add(receiver);
            }
        }
    }

    /** One turn of the application: take what is complete, then post what there is room for. */
    void step(long nowNs) {
        poll();
        senders.forEach(LaneSender::step);
        receivers.forEach(receiver -> receiver.step(nowNs));
    }

    /** Polls everything there is; the checker refuses what must not come. */
    void poll() {
        for (CompletionQueue completionQueue : completionQueues) {
            int count;
            do {
                count = completionQueue.poll(polled);
                for (int i = 0; i < count; i++) {
                    accept(polled[i]);
                }
            } while (count == polled.length);
        }
    }

    private void accept(WorkCompletion completion) {
        long id = completion.workRequestId();
        int queuePair = WorkRequestIds.queuePair(id);
        checker.accept(completion, queuePairs.get(queuePair).number(), memory);
        // Lanes come in the order of queue pairs, so a node has one sender and one receiver at each index.
        if (WorkRequestIds.isReceive(id)) {
            receivers.get(queuePair).completed(WorkRequestIds.index(id));
        } else {
            senders.get(queuePair).completed(WorkRequestIds.index(id));
        }
    }

    boolean isComplete() {
        return checker.isComplete();
    }

    String missing() {
        return checker.missing();
    }

    QueuePair queuePair(int index) {
        return queuePairs.get(index);
    }

    NodeMemory memory() {
        return memory;
    }

    /** Closes what it made, children first. */
    @Override
    public void close() {
        queuePairs.forEach(QueuePair::close);
        sharedReceiveQueues.forEach(SharedReceiveQueue::close);
        completionQueues.forEach(CompletionQueue::close);
        memory.close();
        domain.close();
    }
}
