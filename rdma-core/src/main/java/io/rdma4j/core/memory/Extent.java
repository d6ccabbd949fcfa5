package io.rdma4j.core.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes behind a key, by their offset. All access to user memory in the engine goes through here. Ranges are checked
 * by the caller; whatever the memory itself throws becomes an {@link AccessFault}.
 */
public abstract sealed class Extent permits BufferExtent, NullExtent {
    /** Direct buffers, position to limit of each, laid end to end. */
    public static Extent of(ByteBuffer... buffers) {
        return new BufferExtent(buffers);
    }

    /** As many zeros as anybody reads; what is written is lost ({@code ibv_alloc_null_mr}). */
    static Extent ofNothingButZeros() {
        return NullExtent.INSTANCE;
    }

    /** Bytes in all. */
    public abstract long length();

    /** Whether it cannot be written; it is registered without write rights. */
    public abstract boolean isReadOnly();

    /** Copies bytes from {@code offset} on into a packet. */
    abstract void read(long offset, ByteBuffer target, int targetIndex, int bytes) throws AccessFault;

    /** Copies bytes of a packet to {@code offset}. Eight aligned bytes are stored by one access: a poller sees all or none. */
    abstract void write(long offset, ByteBuffer source, int sourceIndex, int bytes) throws AccessFault;

    /** Adds atomically to the aligned 64-bit word at {@code offset} and returns what it held before. */
    abstract long fetchAndAdd(long offset, long add) throws AccessFault;

    /** Stores {@code swap} if the aligned 64-bit word at {@code offset} equals {@code compare}; returns what it held before. */
    abstract long compareAndSwap(long offset, long compare, long swap) throws AccessFault;

    /** Whether the byte at {@code offset} begins an aligned 64-bit word. */
    public abstract boolean isAligned(long offset);

    /** Reads the aligned 64-bit word at {@code offset} with acquire semantics. Any thread. */
    public abstract long longAcquire(long offset);

    /** Writes the aligned 64-bit word at {@code offset} with release semantics. Any thread. */
    public abstract void longRelease(long offset, long value);

    /**
     * Why atomics cannot be allowed if the first byte is called {@code address}: an aligned address must mean an aligned
     * word, or they would fail where the peer sees nothing wrong. Null when they can.
     */
    public abstract @Nullable String atomicMisfit(long address);

    /** What touching each part of the memory throws on this thread, such as that it belongs to another; null if nothing. */
    public abstract @Nullable Throwable probe();
}
