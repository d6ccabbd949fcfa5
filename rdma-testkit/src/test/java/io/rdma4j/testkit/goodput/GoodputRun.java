package io.rdma4j.testkit.goodput;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a case for a while, every queue pair with the same number of requests posted all the time. */
final class GoodputRun {
    static final int MTU = 4096;
    static final int MESSAGE = 64 << 10;

    /** Requests that each queue pair has posted all the time. */
    private static final int DEPTH = 16;

    /** 4.096 us * 2^12 = 17 ms (§4.4): above what a full window waits before 1 Gbit/s. */
    private static final int TIMEOUT = 12;

    private static final long SEED = 1;

    private final GoodputCase goodputCase;
    private final Fabric fabric = new Fabric(SEED);
    private final Side a;
    private final Side b;
    private final Map<Integer, QueuePair> queuePairs = new HashMap<>();
    private long payloadBytes;
    private int failures;

    private GoodputRun(GoodputCase goodputCase) {
        this.goodputCase = goodputCase;
        this.a = new Side(device("a", "192.0.2.2"));
        this.b = new Side(device("b", "192.0.2.3"));
    }

    static Goodput run(GoodputCase goodputCase, long nanos) {
        GoodputRun run = new GoodputRun(goodputCase);
        try (Fabric fabric = run.fabric) {
            fabric.options(goodputCase.network());
            run.start();
            WorkCompletion[] done = WorkCompletion.array(16);
            fabric.runUntil(() -> run.repost(done), nanos);
            Goodput result = run.result(nanos);
            run.a.close();
            run.b.close();
            return result;
        }
    }

    private FabricDevice device(String name, String address) {
        // The budget starts at a quarter of the receive buffer (architecture §2).
        return fabric.addDevice(name, Gid.parse(address), PathMtu.MTU_4096, 4 * goodputCase.windowBytes());
    }

    private void start() {
        ConnectOptions options = ConnectOptions.DEFAULT.timeout(TIMEOUT);
        for (int i = 0; i < goodputCase.queuePairs(); i++) {
            QueuePair from = a.createQueuePair();
            new ConnectionEnd(from, 1_000).connect(new ConnectionEnd(b.createQueuePair(), 2_000), options);
            queuePairs.put(from.number(), from);
            for (int j = 0; j < DEPTH; j++) {
                post(from);
            }
        }
    }

    private void post(QueuePair from) {
        long address = b.region.address();
        int key = b.region.remoteKey();
        from.postSend(
                goodputCase.operation() == GoodputCase.Operation.WRITE
                        ? RdmaWrite.of(1, a.region.all()).to(address, key).signaled()
                        : RdmaRead.of(1, a.region.all()).from(address, key).signaled());
    }

    /** Never satisfied: called after every event until the time is over. */
    private boolean repost(WorkCompletion[] done) {
        int count = a.completions.poll(done);
        for (int i = 0; i < count; i++) {
            if (done[i].isSuccess()) {
                payloadBytes += MESSAGE;
                post(queuePairs.get(done[i].queuePairNumber()));
            } else {
                failures++;
            }
        }
        return false;
    }

    private Goodput result(long nanos) {
        return new Goodput(
                goodputCase,
                payloadBytes,
                nanos,
                fabric.trace().count(),
                a.count("retransmitted_packets") + b.count("retransmitted_packets"),
                a.count("local_ack_timeout_error"),
                failures);
    }

    private static final class Side {
        final FabricDevice device;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final MemoryRegion region;
        final List<QueuePair> queuePairs = new ArrayList<>();

        Side(FabricDevice device) {
            this.device = device;
            domain = device.rdma().allocateProtectionDomain();
            completions = device.rdma().createCompletionQueue(4096);
            region = domain.registerMemory(
                    HostMemory.allocate(MESSAGE),
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE,
                    AccessFlag.REMOTE_READ);
        }

        QueuePair createQueuePair() {
            QueuePair created = domain.createQueuePair(QueuePairConfig.reliable(completions));
            queuePairs.add(created);
            return created;
        }

        long count(String counter) {
            return device.rdma().counters().getOrDefault(counter, 0L);
        }

        void close() {
            queuePairs.forEach(QueuePair::close);
            completions.close();
            region.close();
            domain.close();
        }
    }
}
