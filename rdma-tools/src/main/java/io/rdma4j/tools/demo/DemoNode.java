package io.rdma4j.tools.demo;

import io.rdma4j.tools.verbs.CompletionWaiter;
import io.rdma4j.tools.verbs.DirectMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32C;

/** One side of the demo: a device and on it one region and two connections, one of which is there to be broken. */
final class DemoNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofMillis(20);
    private static final int QUEUE_CAPACITY = 64;
    private static final long GREETING_ID = 1;

    private final RdmaDevice device;
    private final ByteBuffer memory;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final MemoryRegion region;
    private final QueuePair main;
    private final QueuePair fault;
    private final CompletionWaiter waiter;
    private final WorkCompletion[] completions = WorkCompletion.array(1);

    DemoNode(RdmaDevice device, int bytes) {
        this.device = device;
        this.memory = DirectMemory.allocate(bytes);
        this.domain = device.allocateProtectionDomain();
        this.channel = device.createCompletionChannel();
        this.queue = device.createCompletionQueue(QUEUE_CAPACITY, channel);
        this.region = domain.registerMemory(
                memory,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
        this.main = domain.createQueuePair(QueuePairConfig.reliable(queue));
        this.fault = domain.createQueuePair(QueuePairConfig.reliable(queue));
        this.waiter = new CompletionWaiter(queue, channel, PATIENCE);
    }

    RdmaDevice device() {
        return device;
    }

    MemoryRegion region() {
        return region;
    }

    /** The memory behind {@link #region()}, from its first byte. */
    ByteBuffer memory() {
        return memory;
    }

    /** The connection that everything goes over that is meant to work. */
    QueuePair main() {
        return main;
    }

    /** The connection that the deliberate error breaks. */
    QueuePair fault() {
        return fault;
    }

    /** Waits for one completion of whatever status; valid until the next call. */
    WorkCompletion awaitCompletion() {
        waiter.await(completions);
        return completions[0];
    }

    /** Waits for one completion that has to be a success; valid until the next call. */
    WorkCompletion awaitSuccess() {
        WorkCompletion completion = awaitCompletion();
        CompletionWaiter.requireSuccess(completion);
        return completion;
    }

    /** Waits for one completion that has to be a success, and does something every few milliseconds until it is there. */
    void awaitSuccess(Runnable meanwhile) {
        waiter.await(completions, TICK, meanwhile);
        CompletionWaiter.requireSuccess(completions[0]);
    }

    /** CRC-32C of a stretch of this side's memory, computed from the bytes as they are now. */
    long checksum(int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(memory.slice(offset, length));
        return crc.getValue();
    }

    /** Makes room for the other side's greeting. */
    void postGreetingReceive() {
        main.postReceive(
                ReceiveRequest.of(GREETING_ID, region.slice(DemoLayout.GREETING_IN_OFFSET, DemoLayout.GREETING_BYTES)));
    }

    /** Sends a greeting; its completion is still to be awaited. */
    void sendGreeting(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        memory.put(DemoLayout.GREETING_OUT_OFFSET, bytes);
        main.postSend(Send.of(GREETING_ID, region.slice(DemoLayout.GREETING_OUT_OFFSET, bytes.length))
                .signaled());
    }

    /** The greeting that has come, of that many bytes. */
    String receivedGreeting(long length) {
        byte[] bytes = new byte[(int) length];
        memory.get(DemoLayout.GREETING_IN_OFFSET, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        fault.close();
        main.close();
        region.close();
        queue.close();
        channel.close();
        domain.close();
    }
}
