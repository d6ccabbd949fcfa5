package io.rdma4j.benchmarks;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

/** Writes one memory to another again and again, so many at a time, each signaled. */
final class Writer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final QueuePair queuePair;
    private final int outstanding;
    private final WorkCompletion[] done = WorkCompletion.array(16);

    Writer(String host, ByteBuffer memory, int mtu, int outstanding) {
        this.outstanding = outstanding;
        device = RdmaDevices.open("udp://" + host + "?port=0&mtu=" + mtu);
        domain = device.allocateProtectionDomain();
        channel = device.createCompletionChannel();
        completions = device.createCompletionQueue(2 * outstanding, channel);
        region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions).maxSendWorkRequests(outstanding));
    }

    QueuePairAddress address() {
        return queuePair.localAddress();
    }

    /** The device's counters that are not 0. */
    Map<String, Long> counters() {
        Map<String, Long> counters = new java.util.TreeMap<>(device.counters());
        counters.values().removeIf(count -> count == 0);
        return counters;
    }

    /** Connects to what {@link WriteTarget#accept} told. */
    RdmaWrite connect(String target) {
        String[] parts = target.split(" ", -1);
        queuePair.connect(QueuePairAddress.parse(parts[0]));
        return RdmaWrite.of(1, region.all())
                .to(Long.parseLong(parts[1]), Integer.parseInt(parts[2]))
                .signaled();
    }

    /** Writes that completed within a time; all are complete afterwards. */
    long run(RdmaWrite write, long nanos) {
        long end = System.nanoTime() + nanos;
        long counted = 0;
        int open = 0;
        while (true) {
            boolean over = System.nanoTime() >= end;
            while (!over && open < outstanding) {
                queuePair.postSend(write);
                open++;
            }
            if (open == 0) {
                return counted;
            }
            int completed = awaitSome();
            open -= completed;
            counted += over ? 0 : completed;
        }
    }

    private int awaitSome() {
        while (true) {
            int n = completions.poll(done);
            if (n > 0) {
                requireSuccess(n);
                return n;
            }
            if (!completions.arm(false)) {
                if (channel.await(PATIENCE) == null) {
                    throw new IllegalStateException("no completion in " + PATIENCE + "; " + counters());
                }
                completions.acknowledgeEvents(1);
            }
        }
    }

    private void requireSuccess(int n) {
        for (int i = 0; i < n; i++) {
            if (!done[i].isSuccess()) {
                throw new IllegalStateException(done[i].status() + ": " + done[i].cause());
            }
        }
    }

    @Override
    public void close() {
        queuePair.close();
        region.close();
        completions.close();
        channel.close();
        domain.close();
        device.close();
    }
}
