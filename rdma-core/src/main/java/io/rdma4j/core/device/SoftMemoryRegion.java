package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.memory.Extent;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.spi.Arguments;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A memory region. Holds its buffers until it is closed. */
sealed class SoftMemoryRegion extends SoftObject implements MemoryRegion permits SoftFastRegistration {
    private static final int SPINS_BEFORE_PARKING = 1000;
    private static final long PARK_NS = 20_000;
    private static final int NAMED_WINDOWS = 8;

    /** What programs are told of a region; the engine's own record of it is the owner thread's. */
    record View(SoftProtectionDomain domain, Extent extent, long address, Set<AccessFlag> access) {}

    private final RegisteredMemory memory;
    private volatile View view;

    /** As it was registered last; null of a region that was not registered by such a one. */
    private volatile @Nullable MemoryRegionConfig config;

    /** Wakes who waits for this memory to change. */
    private final CountDownLatch closing = new CountDownLatch(1);

    SoftMemoryRegion(RegisteredMemory memory, View view, @Nullable MemoryRegionConfig config) {
        super(view.domain().device, memory.toString());
        this.memory = memory;
        this.view = view;
        this.config = config;
    }

    final RegisteredMemory memory() {
        return memory;
    }

    final View view() {
        return view;
    }

    final void view(View now) {
        view = now;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return view.domain();
    }

    @Override
    public long address() {
        return view.address();
    }

    @Override
    public long length() {
        return view.extent().length();
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
        return view.access();
    }

    @Override
    public long longAcquire(long offset) {
        return checkedWord(offset).longAcquire(offset);
    }

    @Override
    public void longRelease(long offset, long value) {
        Extent extent = checkedWord(offset);
        if (extent.isReadOnly()) {
            throw new RdmaException(ErrorCode.EINVAL, this + " has a read-only buffer");
        }
        extent.longRelease(offset, value);
    }

    @Override
    public boolean awaitLong(long offset, long expected, Duration timeout) {
        Arguments.required(timeout, "timeout");
        Extent extent = checkedWord(offset);
        if (!timeout.isZero() && device.driver().isOwnerThread()) {
            throw new RdmaException(ErrorCode.EDEADLK, "a device's own thread must not wait for memory to change");
        }
        long limit = EventQueue.saturatedNanos(timeout);
        long start = System.nanoTime();
        for (long spins = 0; extent.longAcquire(offset) != expected; spins++) {
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

    /** The memory behind the region, of which {@code offset} is an aligned word. */
    private Extent checkedWord(long offset) {
        requireOpen();
        Extent extent = view.extent();
        if (offset < 0 || offset > extent.length() - Long.BYTES || !extent.isAligned(offset)) {
            throw new RdmaException(ErrorCode.EINVAL, "no aligned 8-byte word at offset " + offset + " of " + this);
        }
        return extent;
    }

    @Override
    public void reregister(MemoryRegionUpdate update) {
        Arguments.required(update, "update");
        requireOpen();
        MemoryRegionConfig now = config;
        if (now == null) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_rereg_mr: " + this + " was not registered as ordinary memory is");
        }
        Reregistration change = new Reregistration(this, now, update);
        device.commandIfOpen(() -> {
            requireOpen();
            refuseIfBusy();
            change.run();
            return this;
        });
    }

    /** It was registered anew. Owner thread. */
    final void reregistered(View newView, MemoryRegionConfig newConfig) {
        view = newView;
        config = newConfig;
    }

    @Override
    final void refuseIfBusy() {
        super.refuseIfBusy();
        if (!memory.windows().isEmpty()) {
            throw new RdmaException(
                    ErrorCode.EBUSY,
                    this + " has windows bound to it: " + memory.windows().describe(NAMED_WINDOWS));
        }
    }

    @Override
    void release() {
        closing.countDown();
        device.engine().memory().deregister(memory);
        device.numbers().release(ObjectNumbers.Kind.MEMORY_REGION);
        view.domain().orphan(this);
    }
}
