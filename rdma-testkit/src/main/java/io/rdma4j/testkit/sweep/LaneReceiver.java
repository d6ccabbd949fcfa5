package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.LanePlan.ReceivePolicy;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SharedReceiveQueue;
import java.util.List;

/** Posts the receives of a lane by its policy, as the receive queue has room for them. */
final class LaneReceiver {
    private final LanePlan lane;
    private final List<Operation> received;
    private final int depth;
    private final QueuePair queuePair;
    private final NodeMemory memory;
    private int posted;
    private int retired;
    private long nextBatchNs;

    LaneReceiver(LanePlan lane, int depth, QueuePair queuePair, NodeMemory memory) {
        this.lane = lane;
        this.received = lane.received();
        this.depth = depth;
        this.queuePair = queuePair;
        this.memory = memory;
    }

    void completed(int index) {
        retired = index + 1;
    }

    /** Posts what is there before the traffic starts. */
    void start(long nowNs) {
        ReceivePolicy policy = lane.receives();
        post(policy.initially());
        nextBatchNs = nowNs + policy.everyNs();
    }

    void step(long nowNs) {
        if (nowNs >= nextBatchNs) {
            post(lane.receives().batch());
            nextBatchNs = nowNs + lane.receives().everyNs();
        }
    }

    private void post(int atMost) {
        int end = Math.min(Math.min(received.size(), retired + depth), posted + atMost);
        while (posted < end) {
            ScatterGatherElement[] pieces =
                    memory.elements(received.get(posted).receive()).toArray(ScatterGatherElement[]::new);
            post(ReceiveRequest.of(WorkRequestIds.receive(lane.queuePair(), posted), pieces));
            posted++;
        }
    }

    private void post(ReceiveRequest request) {
        SharedReceiveQueue shared = queuePair.sharedReceiveQueue();
        if (shared == null) {
            queuePair.postReceive(request);
        } else {
            shared.postReceive(request);
        }
    }
}
