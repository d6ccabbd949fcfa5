package io.rdma4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Direct buffers laid end to end. */
final class BufferExtent extends Extent {
    /** Host memory is little-endian, as on every x86 and Arm HCA (§3). */
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer[] buffers;
    private final long[] starts;
    private final long length;

    BufferExtent(ByteBuffer... buffers) {
        this.buffers = new ByteBuffer[buffers.length];
        this.starts = new long[buffers.length];
        long total = 0;
        for (int i = 0; i < buffers.length; i++) {
            // A private slice: the user may move position and limit of the original at will.
            this.buffers[i] = buffers[i].slice().order(ByteOrder.LITTLE_ENDIAN);
            this.starts[i] = total;
            total += this.buffers[i].capacity();
        }
        this.length = total;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean isReadOnly() {
        for (ByteBuffer buffer : buffers) {
            if (buffer.isReadOnly()) {
                return true;
            }
        }
        return false;
    }

    @Override
    void read(long offset, ByteBuffer target, int targetIndex, int bytes) throws AccessFault {
        int done = 0;
        try {
            while (done < bytes) {
                int i = bufferAt(offset + done);
                int start = (int) (offset + done - starts[i]);
                int n = Math.min(bytes - done, buffers[i].capacity() - start);
                target.put(targetIndex + done, buffers[i], start, n);
                done += n;
            }
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    @Override
    void write(long offset, ByteBuffer source, int sourceIndex, int bytes) throws AccessFault {
        int done = 0;
        try {
            if (bytes == Long.BYTES && storeWord(offset, source, sourceIndex)) {
                return;
            }
            while (done < bytes) {
                int i = bufferAt(offset + done);
                int start = (int) (offset + done - starts[i]);
                int n = Math.min(bytes - done, buffers[i].capacity() - start);
                buffers[i].put(start, source, sourceIndex + done, n);
                done += n;
            }
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    private boolean storeWord(long offset, ByteBuffer source, int sourceIndex) {
        if (!isAligned(offset)) {
            return false;
        }
        int i = bufferAt(offset);
        int start = (int) (offset - starts[i]);
        long word = source.getLong(sourceIndex);
        if (source.order() == ByteOrder.BIG_ENDIAN) {
            word = Long.reverseBytes(word);
        }
        LONG.setOpaque(buffers[i], start, word);
        return true;
    }

    @Override
    long fetchAndAdd(long offset, long add) throws AccessFault {
        try {
            int i = bufferAt(offset);
            return (long) LONG.getAndAdd(buffers[i], (int) (offset - starts[i]), add);
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    @Override
    long compareAndSwap(long offset, long compare, long swap) throws AccessFault {
        try {
            int i = bufferAt(offset);
            return (long) LONG.compareAndExchange(buffers[i], (int) (offset - starts[i]), compare, swap);
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    @Override
    public boolean isAligned(long offset) {
        int i = bufferAt(offset);
        int start = (int) (offset - starts[i]);
        return buffers[i].capacity() - start >= Long.BYTES && buffers[i].alignmentOffset(start, Long.BYTES) == 0;
    }

    @Override
    public long longAcquire(long offset) {
        int i = bufferAt(offset);
        return (long) LONG.getAcquire(buffers[i], (int) (offset - starts[i]));
    }

    @Override
    public void longRelease(long offset, long value) {
        int i = bufferAt(offset);
        LONG.setRelease(buffers[i], (int) (offset - starts[i]), value);
    }

    @Override
    public @Nullable String atomicMisfit(long address) {
        for (int i = 0; i < buffers.length; i++) {
            int skew = (int) (address + starts[i]) & (Long.BYTES - 1);
            if (buffers[i].capacity() > 0 && buffers[i].alignmentOffset(0, Long.BYTES) != skew) {
                return "REMOTE_ATOMIC needs addresses congruent to the buffer's own modulo 8";
            }
            if (starts[i] != 0 && skew != 0) {
                return "REMOTE_ATOMIC needs every buffer but the first to begin at a multiple of 8";
            }
        }
        return null;
    }

    @Override
    public @Nullable Throwable probe() {
        try {
            for (ByteBuffer buffer : buffers) {
                if (buffer.capacity() > 0) {
                    buffer.get(0);
                }
            }
            return null;
        } catch (RuntimeException | InternalError e) {
            return e;
        }
    }

    private int bufferAt(long offset) {
        if (buffers.length == 1) {
            return 0;
        }
        int low = 0;
        int high = buffers.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
