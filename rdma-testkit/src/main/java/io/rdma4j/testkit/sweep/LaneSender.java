package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.SwapMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;

/** Posts the operations of a lane as the send queue has room for them. */
final class LaneSender {
    private final LanePlan lane;
    private final int depth;
    private final QueuePair queuePair;
    private final NodeMemory own;
    private final NodeMemory remote;
    private int posted;
    private int retired;

    LaneSender(LanePlan lane, int depth, QueuePair queuePair, NodeMemory own, NodeMemory remote) {
        this.lane = lane;
        this.depth = depth;
        this.queuePair = queuePair;
        this.own = own;
        this.remote = remote;
    }

    /** A completion was polled: the slots up to its request are free again (§6.2). */
    void completed(int index) {
        retired = index + 1;
    }

    /** Posts all there is room for, in turn one by one and as a list. */
    void step() {
        int end = Math.min(lane.operations().size(), retired + depth);
        if (posted % 2 == 0) {
            List<SendRequest> requests = new ArrayList<>();
            while (posted < end) {
                requests.add(request(posted++));
            }
            if (!requests.isEmpty()) {
                queuePair.postSend(requests);
            }
        } else {
            while (posted < end) {
                queuePair.postSend(request(posted++));
            }
        }
    }

    private SendRequest request(int index) {
        Operation operation = lane.operations().get(index);
        long id = WorkRequestIds.send(lane.queuePair(), index);
        ScatterGatherElement[] local = own.elements(operation.local()).toArray(ScatterGatherElement[]::new);
        boolean signaled = operation.flags().signaled();
        boolean fenced = operation.flags().fenced();
        if (operation instanceof SendMessage) {
            Send send = Send.of(id, local);
            send = signaled ? send.signaled() : send;
            return fenced ? send.fenced() : send;
        } else if (operation instanceof WriteMessage write) {
            RdmaWrite request =
                    RdmaWrite.of(id, local).to(address(write.target().offset()), remote.remoteKey());
            request = signaled ? request.signaled() : request;
            return fenced ? request.fenced() : request;
        } else if (operation instanceof ReadMessage read) {
            RdmaRead request = RdmaRead.of(id, local).from(address(read.source().offset()), remote.remoteKey());
            request = signaled ? request.signaled() : request;
            return fenced ? request.fenced() : request;
        } else if (operation instanceof AddMessage add) {
            FetchAndAdd request = FetchAndAdd.of(id, local[0], add.add())
                    .at(address(add.word().offset()), remote.remoteKey());
            request = signaled ? request.signaled() : request;
            return fenced ? request.fenced() : request;
        }
        SwapMessage swap = (SwapMessage) operation;
        CompareAndSwap request = CompareAndSwap.of(id, local[0], swap.compare(), swap.swap())
                .at(address(swap.word().offset()), remote.remoteKey());
        request = signaled ? request.signaled() : request;
        return fenced ? request.fenced() : request;
    }

    private long address(int offset) {
        return remote.remoteAddress(offset);
    }
}
