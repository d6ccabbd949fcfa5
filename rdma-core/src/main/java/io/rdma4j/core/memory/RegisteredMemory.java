package io.rdma4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One memory region: direct buffers laid end to end under one contiguous range of I/O virtual addresses (§11.1).
 *
 * <p>All access to user memory in the engine goes through this class. Ranges are checked by the caller
 * ({@link MemoryTable#resolve}); whatever the buffer itself throws becomes an {@link AccessFault}.
 */
public final class RegisteredMemory {
    /** Host memory is little-endian, as on every x86 and Arm HCA (§3). */
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer[] buffers;
    private final long[] starts;
    private final long address;
    private final long length;
    private final int access;
    private final int protectionDomain;
    private final int key;

    /** Whether a peer may end the key (§7.2(8)), and whether it still works. Owner thread. */
    private final boolean invalidatable;

    private boolean valid = true;

    RegisteredMemory(ByteBuffer[] buffers, Grant grant, int key) {
        this.buffers = new ByteBuffer[buffers.length];
        this.starts = new long[buffers.length];
        long total = 0;
        for (int i = 0; i < buffers.length; i++) {
            // A private slice: the user may move position and limit of the original at will.
            this.buffers[i] = buffers[i].slice().order(ByteOrder.LITTLE_ENDIAN);
            this.starts[i] = total;
            total += this.buffers[i].capacity();
        }
        this.address = grant.address();
        this.length = total;
        this.access = grant.access();
        this.protectionDomain = grant.protectionDomain();
        this.invalidatable = grant.invalidatable();
        this.key = key;
    }

    public long address() {
        return address;
    }

    public long length() {
        return length;
    }

    public int access() {
        return access;
    }

    public int protectionDomain() {
        return protectionDomain;
    }

    boolean isInvalidatable() {
        return invalidatable;
    }

    /** Whether the key still works: it was not invalidated. */
    boolean isValid() {
        return valid;
    }

    /** The key works no more; the entry stays, so that nobody else gets its index, until it is deregistered (§11.1). */
    void invalidate() {
        valid = false;
    }

    /** Both the local and the remote key: a 24-bit index and an 8-bit variant. */
    public int key() {
        return key;
    }

    /** Whether a buffer is read-only; such a region is registered without write rights. */
    public boolean isReadOnly() {
        for (ByteBuffer buffer : buffers) {
            if (buffer.isReadOnly()) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code bytes} bytes at {@code at} lie inside; unsigned and safe near 2^64 (§11.1). */
    public boolean contains(long at, long bytes) {
        long offset = at - address;
        return Long.compareUnsigned(offset, length) <= 0 && Long.compareUnsigned(bytes, length - offset) <= 0;
    }

    /** Copies from this region into a packet. */
    public void read(long at, ByteBuffer target, int targetIndex, int bytes) throws AccessFault {
        long offset = at - address;
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

    /** Copies from a packet into this region. Eight aligned bytes are stored by one access, so a poller sees all or none. */
    public void write(long at, ByteBuffer source, int sourceIndex, int bytes) throws AccessFault {
        long offset = at - address;
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

    /** Adds atomically to the aligned 64-bit word at {@code at} and returns what it held before. */
    public long fetchAndAdd(long at, long add) throws AccessFault {
        long offset = at - address;
        try {
            int i = bufferAt(offset);
            return (long) LONG.getAndAdd(buffers[i], (int) (offset - starts[i]), add);
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    /** Stores {@code swap} if the aligned 64-bit word at {@code at} equals {@code compare}; returns what it held before. */
    public long compareAndSwap(long at, long compare, long swap) throws AccessFault {
        long offset = at - address;
        try {
            int i = bufferAt(offset);
            return (long) LONG.compareAndExchange(buffers[i], (int) (offset - starts[i]), compare, swap);
        } catch (RuntimeException | InternalError e) {
            throw AccessFault.INSTANCE;
        }
    }

    /** Whether the byte at {@code offset} of the region begins an aligned 64-bit word of its buffer. */
    public boolean isAligned(long offset) {
        int i = bufferAt(offset);
        int start = (int) (offset - starts[i]);
        return buffers[i].capacity() - start >= Long.BYTES && buffers[i].alignmentOffset(start, Long.BYTES) == 0;
    }

    /** Reads the aligned 64-bit word at byte {@code offset} of the region with acquire semantics. Any thread. */
    public long longAcquire(long offset) {
        int i = bufferAt(offset);
        return (long) LONG.getAcquire(buffers[i], (int) (offset - starts[i]));
    }

    /** Writes the aligned 64-bit word at byte {@code offset} of the region with release semantics. Any thread. */
    public void longRelease(long offset, long value) {
        int i = bufferAt(offset);
        LONG.setRelease(buffers[i], (int) (offset - starts[i]), value);
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
