package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.spi.Arguments;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A memory region. Holds its buffers until it is closed. */
final class SoftMemoryRegion extends SoftObject implements MemoryRegion {
    private static final int SPINS_BEFORE_PARKING = 1000;
    private static final long PARK_NS = 20_000;

    private final SoftProtectionDomain domain;
    private final RegisteredMemory memory;
    private final MemoryRegionConfig config;

    /** Wakes who waits for this memory to change. */
    private final CountDownLatch closing = new CountDownLatch(1);

    SoftMemoryRegion(
            SoftDevice device, SoftProtectionDomain domain, RegisteredMemory memory, MemoryRegionConfig config) {
        super(device, String.format("memory region 0x%08x", memory.key()));
        this.domain = domain;
        this.memory = memory;
        this.config = config;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public long length() {
        return memory.length();
    }

    @Override
    public int localKey() {
        return memory.key();
    }

    @Override
    public int remoteKey() {
        return memory.key();
    }

    @Override
    public Set<AccessFlag> access() {
        return config.accessFlags();
    }

    @Override
    public long longAcquire(long offset) {
        checkWord(offset);
        return memory.longAcquire(offset);
    }

    @Override
    public void longRelease(long offset, long value) {
        checkWord(offset);
        if (memory.isReadOnly()) {
            throw new RdmaException(ErrorCode.EINVAL, this + " has a read-only buffer");
        }
        memory.longRelease(offset, value);
    }

    @Override
    public boolean awaitLong(long offset, long expected, Duration timeout) {
        Arguments.required(timeout, "timeout");
        checkWord(offset);
        if (!timeout.isZero() && device.driver().isOwnerThread()) {
            throw new RdmaException(ErrorCode.EDEADLK, "a device's own thread must not wait for memory to change");
        }
        long limit = EventQueue.saturatedNanos(timeout);
        long start = System.nanoTime();
        for (long spins = 0; memory.longAcquire(offset) != expected; spins++) {
            if (System.nanoTime() - start >= limit) {
                return false;
            }
            requireOpen();
            if (spins < SPINS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else {
                park();
            }
        }
        return true;
    }

    /** Pauses for a moment, or until the region is closed. */
    private void park() {
        try {
            closing.await(PARK_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RdmaException(ErrorCode.EINTR, "interrupted while waiting for memory to change");
        }
    }

    private void checkWord(long offset) {
        requireOpen();
        if (offset < 0 || offset > length() - Long.BYTES || !memory.isAligned(offset)) {
            throw new RdmaException(ErrorCode.EINVAL, "no aligned 8-byte word at offset " + offset + " of " + this);
        }
    }

    @Override
    void release() {
        closing.countDown();
        device.engine().memory().deregister(memory);
        device.numbers().release(ObjectNumbers.Kind.MEMORY_REGION);
        domain.orphan(this);
    }
}
