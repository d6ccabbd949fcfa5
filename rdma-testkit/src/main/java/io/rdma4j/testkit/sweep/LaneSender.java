package io.rdma4j.testkit.sweep;

import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;

/** Posts the operations of a lane as the send queue has room for them. */
final class LaneSender {
    private final LanePlan lane;
    private final int depth;
    private final QueuePair queuePair;
    private final Requests requests;
    private int posted;
    private int retired;

    LaneSender(LanePlan lane, int depth, QueuePair queuePair, NodeMemory own, NodeMemory remote) {
        this.lane = lane;
        this.depth = depth;
        this.queuePair = queuePair;
        this.requests = new Requests(lane.queuePair(), own, remote);
    }

    /** A completion was polled: the slots up to its request are free again (§6.2). */
    void completed(int index) {
        retired = index + 1;
    }

    /** Posts all there is room for, in turn one by one and as a list. */
    void step() {
        int end = Math.min(lane.operations().size(), retired + depth);
        if (posted % 2 == 0) {
            List<SendRequest> list = new ArrayList<>();
            while (posted < end) {
                list.add(request(posted++));
            }
            if (!list.isEmpty()) {
                queuePair.postSend(list);
            }
        } else {
            while (posted < end) {
                queuePair.postSend(request(posted++));
            }
        }
        requests.spoilInline();
    }

    private SendRequest request(int index) {
        return requests.of(
                WorkRequestIds.send(lane.queuePair(), index), lane.operations().get(index));
    }
}
