package io.rdma4j.testkit.verbs;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import java.nio.ByteBuffer;

/**
 * What one side of a small test needs: memory that is registered with all rights, a completion queue and a queue pair.
 * Thread-safe as its parts are.
 */
public final class TestPeer implements AutoCloseable {
    private static final int COMPLETIONS = 256;

    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final QueuePair queuePair;

    /**
     * Makes everything on a device.
     *
     * @param device any, of a fabric or not; not closed by {@link #close}
     * @param memoryBytes how much memory, all zero
     */
    public TestPeer(RdmaDevice device, int memoryBytes) {
        domain = device.allocateProtectionDomain();
        completions = device.createCompletionQueue(COMPLETIONS);
        memory = HostMemory.allocate(memoryBytes);
        region = domain.registerMemory(
                memory,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
        queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions));
    }

    /** Connects the queue pairs of both sides with the defaults of {@code QueuePair.connect}. */
    public void connect(TestPeer other) {
        queuePair.connect(other.queuePair.localAddress());
        other.queuePair.connect(queuePair.localAddress());
    }

    /** For sends and receives alike; it holds 256. */
    public CompletionQueue completions() {
        return completions;
    }

    /** The bytes of the region. */
    public ByteBuffer memory() {
        return memory;
    }

    /** The memory, registered. */
    public MemoryRegion region() {
        return region;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Closes what the constructor made. */
    @Override
    public void close() {
        queuePair.close();
        completions.close();
        region.close();
        domain.close();
    }
}
