package io.rdma4j.testkit.scenario;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Queue pairs that have always something to do, against a direction that carries less than they could send: a receiver
 * that takes datagrams out of a small socket buffer at its own pace.
 */
final class SlowReceiver implements AutoCloseable {
    /** What the queue pairs do all the time. */
    enum Work {
        SEND,
        WRITE,
        READ
    }

    /**
     * A slow receiver.
     *
     * @param bitsPerSecond what it takes
     * @param bufferBytes what waits for it at most; what finds the buffer full is lost
     * @param roundTripNs there and back when nothing waits
     */
    record Capacity(long bitsPerSecond, long bufferBytes, long roundTripNs) {}

    private static final int MESSAGE = 64 << 10;
    private static final int DEPTH = 16;
    private static final long POLL_NS = 50_000;

    final Fabric fabric = new Fabric(7);
    final Node a;
    final Node b;
    private final Work work;
    private final Map<Integer, QueuePair> senders = new HashMap<>();
    private final Map<Integer, QueuePair> receivers = new HashMap<>();
    private final Map<Integer, Long> doneBytes = new HashMap<>();
    private final WorkCompletion[] polled = WorkCompletion.array(64);

    /** The first completion that was no success, in words; empty while there is none. */
    String failure = "";

    SlowReceiver(Work work, int queuePairs, Capacity capacity, ConnectOptions options) {
        this.work = work;
        a = new Node(fabric.addDevice("a", Gid.parse("192.0.2.2")), MESSAGE);
        b = new Node(fabric.addDevice("b", Gid.parse("192.0.2.3")), MESSAGE);
        FabricOptions slow = FabricOptions.clean()
                .delay(capacity.roundTripNs() / 2)
                .bandwidth(capacity.bitsPerSecond())
                .queueBytes(capacity.bufferBytes());
        FabricOptions fast = FabricOptions.clean().delay(capacity.roundTripNs() / 2);
        fabric.options(a.device, b.device, work == Work.READ ? fast : slow);
        fabric.options(b.device, a.device, work == Work.READ ? slow : fast);
        for (int i = 0; i < queuePairs; i++) {
            connect(i, options);
        }
    }

    private void connect(int i, ConnectOptions options) {
        QueuePair from = a.createQueuePair();
        QueuePair to = b.createQueuePair();
        new ConnectionEnd(from, 1000 * i).connect(new ConnectionEnd(to, 500_000 + 1000 * i), options);
        senders.put(from.number(), from);
        receivers.put(to.number(), to);
        doneBytes.put(from.number(), 0L);
    }

    /** Gives all queue pairs something to do. */
    void start() {
        senders.values().forEach(qp -> {
            for (int i = 0; i < DEPTH; i++) {
                post(qp);
            }
        });
        receivers.values().forEach(qp -> {
            for (int i = 0; i < 2 * DEPTH; i++) {
                receive(qp);
            }
        });
    }

    /** Keeps them busy for so long. */
    void run(long ns) {
        long end = fabric.nowNs() + ns;
        while (fabric.nowNs() < end && failure.isEmpty()) {
            fabric.runFor(POLL_NS);
            repost();
        }
    }

    private void repost() {
        for (int n = a.completionQueue.poll(polled); n > 0; n = a.completionQueue.poll(polled)) {
            for (int i = 0; i < n; i++) {
                WorkCompletion done = polled[i];
                if (!done.isSuccess()) {
                    failure = failure.isEmpty() ? done.status() + ": " + done.cause() : failure;
                    continue;
                }
                doneBytes.merge(done.queuePairNumber(), (long) MESSAGE, Long::sum);
                post(Objects.requireNonNull(senders.get(done.queuePairNumber())));
            }
        }
        for (int n = b.completionQueue.poll(polled); n > 0; n = b.completionQueue.poll(polled)) {
            for (int i = 0; i < n; i++) {
                receive(Objects.requireNonNull(receivers.get(polled[i].queuePairNumber())));
            }
        }
    }

    private void post(QueuePair qp) {
        MemoryRegion far = b.region;
        SendRequest request = switch (work) {
            case SEND -> Send.of(1, a.region.all()).signaled();
            case WRITE ->
                RdmaWrite.of(1, a.region.all())
                        .to(far.address(), far.remoteKey())
                        .signaled();
            case READ ->
                RdmaRead.of(1, a.region.all())
                        .from(far.address(), far.remoteKey())
                        .signaled();
        };
        qp.postSend(request);
    }

    private void receive(QueuePair qp) {
        if (work == Work.SEND && qp.state() == QueuePairState.RTS) {
            qp.postReceive(ReceiveRequest.of(2, b.region.all()));
        }
    }

    /** Bytes of payload that were completed, of all queue pairs. */
    long goodBytes() {
        return doneBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The same for each queue pair. */
    List<Long> goodBytesByQueuePair() {
        return new ArrayList<>(doneBytes.values());
    }

    @Override
    public void close() {
        a.close();
        b.close();
        fabric.close();
    }
}
