package io.rdma4j.testkit.scenario;

import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Two nodes with several connections; those of node b take their receives from one shared queue. */
final class SharedReceiveBed implements AutoCloseable {
    static final int MEMORY_BYTES = 1 << 18;

    /** The first PSN of connection {@code i} from node a; that of node b is one half of the distance further. */
    static final int PSN_DISTANCE = 1024;

    final TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MEMORY_BYTES);
    final SharedReceiveQueue shared;
    final List<QueuePair> senders = new ArrayList<>();
    final List<QueuePair> receivers = new ArrayList<>();

    SharedReceiveBed(int queuePairs, int maxReceives, ConnectOptions options) {
        shared = nodes.b.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(maxReceives, 4));
        for (int i = 0; i < queuePairs; i++) {
            QueuePair sender = nodes.a.createQueuePair();
            QueuePair receiver = nodes.b.domain.createQueuePair(
                    QueuePairConfig.reliable(nodes.b.completionQueue).sharedReceiveQueue(shared));
            new ConnectionEnd(sender, firstPsn(i))
                    .connect(new ConnectionEnd(receiver, firstPsn(i) + PSN_DISTANCE / 2), options);
            senders.add(sender);
            receivers.add(receiver);
        }
    }

    static int firstPsn(int connection) {
        return 256 + connection * PSN_DISTANCE;
    }

    void post(long id, int offset, int length) {
        shared.postReceive(ReceiveRequest.of(id, nodes.b.region.slice(offset, length)));
    }

    /** The events of node b since the last time. */
    List<AsyncEvent> events() {
        List<AsyncEvent> events = new ArrayList<>();
        for (AsyncEvent event = nodes.b.nextAsyncEvent(); event != null; event = nodes.b.nextAsyncEvent()) {
            events.add(event);
        }
        return events;
    }

    /** Whether a completion is of a receiver. */
    Predicate<WorkCompletion> of(QueuePair queuePair) {
        return done -> done.queuePairNumber() == queuePair.number();
    }

    @Override
    public void close() {
        receivers.forEach(QueuePair::close);
        shared.close();
        nodes.close();
    }
}
