package io.rdma4j.testkit.scenario;

import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One side of a scenario: a device with one region, one completion queue and one queue pair, and what it has completed. */
final class Node implements AutoCloseable {
    static final int COMPLETION_QUEUE_CAPACITY = 256;
    static final int MAX_ELEMENTS = 32;

    final FabricDevice device;
    final ProtectionDomain domain;
    final CompletionQueue completionQueue;
    final ByteBuffer memory;
    final MemoryRegion region;
    final QueuePair queuePair;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<WorkCompletion> completions = new ArrayList<>();

    Node(FabricDevice device, int memoryBytes) {
        this.device = device;
        domain = device.rdma().allocateProtectionDomain();
        completionQueue = device.rdma().createCompletionQueue(COMPLETION_QUEUE_CAPACITY);
        memory = HostMemory.allocate(memoryBytes);
        region = domain.registerMemory(
                memory,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
        queuePair = createQueuePair();
    }

    QueuePair createQueuePair() {
        return createQueuePair(QueuePairType.RC);
    }

    QueuePair createQueuePair(QueuePairType type) {
        QueuePair created = domain.createQueuePair(QueuePairConfig.of(type, completionQueue, completionQueue)
                .maxSendScatterGather(MAX_ELEMENTS)
                .maxReceiveScatterGather(MAX_ELEMENTS));
        queuePairs.add(created);
        return created;
    }

    /** Fills the memory with bytes that follow from {@code seed}. */
    void fill(long seed) {
        byte[] bytes = new byte[memory.capacity()];
        new SplittableRandom(seed).nextBytes(bytes);
        memory.put(0, bytes);
    }

    byte[] bytes(int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return bytes;
    }

    void postReceive(long id, int offset, int length) {
        queuePair.postReceive(ReceiveRequest.of(id, region.slice(offset, length)));
    }

    /** Everything completed so far, in order. */
    List<WorkCompletion> completions() {
        WorkCompletion[] polled = WorkCompletion.array(16);
        int count;
        do {
            count = completionQueue.poll(polled);
            for (int i = 0; i < count; i++) {
                completions.add(polled[i].copy());
            }
        } while (count > 0);
        return completions;
    }

    @Nullable
    AsyncEvent nextAsyncEvent() {
        return device.rdma().awaitAsyncEvent(Duration.ZERO);
    }

    long counter(String name) {
        Long value = device.rdma().counters().get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "no counter " + name + " among " + device.rdma().counters().keySet());
        }
        return value;
    }

    @Override
    public void close() {
        queuePairs.forEach(QueuePair::close);
        completionQueue.close();
        region.close();
        domain.close();
    }
}
