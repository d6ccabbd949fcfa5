package io.rdma4j.core.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory that reads as zeros and swallows what is written. */
final class NullExtent extends Extent {
    static final NullExtent INSTANCE = new NullExtent();

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(4096).asReadOnlyBuffer();

    private NullExtent() {}

    @Override
    public long length() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    void read(long offset, ByteBuffer target, int targetIndex, int bytes) {
        for (int done = 0; done < bytes; done += ZEROS.capacity()) {
            target.put(targetIndex + done, ZEROS, 0, Math.min(bytes - done, ZEROS.capacity()));
        }
    }

    @Override
    void write(long offset, ByteBuffer source, int sourceIndex, int bytes) {
        // Lost, as promised.
    }

    @Override
    long fetchAndAdd(long offset, long add) {
        return 0;
    }

    @Override
    long compareAndSwap(long offset, long compare, long swap) {
        return 0;
    }

    @Override
    public boolean isAligned(long offset) {
        return (offset & (Long.BYTES - 1)) == 0;
    }

    @Override
    public long longAcquire(long offset) {
        return 0;
    }

    @Override
    public void longRelease(long offset, long value) {
        // Lost, as promised.
    }

    @Override
    public @Nullable String atomicMisfit(long address) {
        return null;
    }

    @Override
    public @Nullable Throwable probe() {
        return null;
    }
}
