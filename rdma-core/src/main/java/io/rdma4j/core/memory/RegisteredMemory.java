package io.rdma4j.core.memory;

import io.rdma4j.core.memory.WindowList.Link;
import io.rdma4j.verbs.AccessFlag;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a key stands for (§11): a memory region, or a window on part of one. Both are a range of addresses with rights of
 * its own over some {@link Extent}; they differ in how they become valid and who may use them.
 *
 * <p>Ranges are checked by the caller ({@link MemoryTable#resolve}). Owner thread.
 */
public final class RegisteredMemory {
    /** How a key becomes valid. */
    enum Kind {
        /** By registration. */
        REGION,
        /** By a request of a send queue, once it has been mapped. */
        FAST_REGISTRATION,
        /** By a bind, again and again. */
        WINDOW_TYPE_1,
        /** By a bind, once until it is invalidated, for the queue pair that bound it (2B). */
        WINDOW_TYPE_2;

        boolean isWindow() {
            return this == WINDOW_TYPE_1 || this == WINDOW_TYPE_2;
        }
    }

    /** The rights that a window can give. */
    private static final int REMOTE_RIGHTS =
            AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_READ.code() | AccessFlag.REMOTE_ATOMIC.code();

    /** No bytes at all: what a key that stands for nothing has. */
    private static final Extent NOTHING = Extent.of();

    /** A window of type 1, or a region: it belongs to no queue pair. */
    private static final int NO_QUEUE_PAIR = -1;

    private final Kind kind;
    private final boolean invalidatable;
    private int key;

    private Extent extent = NOTHING;
    private long address;
    private long length;
    private int access;
    private int protectionDomain;

    /** What to add to an address to have an offset of the extent. */
    private long shift;

    /** Whether the key works: it was registered or bound, and not invalidated or unbound. */
    private boolean valid;

    /** Whether the program still has it: it was not deregistered or freed. */
    private boolean alive = true;

    /** A region: the windows that are bound to it. */
    private final WindowList windows = new WindowList();

    /** A window: its places among those of its region and of its queue pair, and that queue pair. */
    private final Link ofRegion = new Link(this);

    private final Link ofQueuePair = new Link(this);
    private int queuePair = NO_QUEUE_PAIR;

    RegisteredMemory(Kind kind, int key, int protectionDomain, boolean invalidatable) {
        this.kind = kind;
        this.key = key;
        this.protectionDomain = protectionDomain;
        this.invalidatable = invalidatable;
    }

    Kind kind() {
        return kind;
    }

    /** The local key of a region and the remote key of all: a 24-bit index and an 8-bit variant. */
    public int key() {
        return key;
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

    /** The bytes of a region. */
    public Extent extent() {
        return extent;
    }

    /** The number of the queue pair that alone may use it, if there is such a one. */
    int queuePair() {
        return queuePair;
    }

    /** Whether a peer, or the program's own send queue, may end the key (§7.2(8), §11.2). */
    boolean isInvalidatable() {
        return invalidatable;
    }

    /** Whether the key works now. */
    public boolean isValid() {
        return valid;
    }

    /** Whether it was not deregistered or freed. */
    boolean isAlive() {
        return alive;
    }

    /** The windows bound to this region. */
    public WindowList windows() {
        return windows;
    }

    /** The region's bytes, addresses and rights are these from now on, and its key works. */
    void cover(Extent bytes, Grant grant) {
        extent = bytes;
        address = grant.address();
        length = bytes.length();
        access = grant.access();
        protectionDomain = grant.protectionDomain();
        shift = -address;
        valid = true;
    }

    /** As {@link #cover} under another key, without a new domain. */
    void cover(Extent bytes, long at, int rights, int newKey) {
        extent = bytes;
        address = at;
        length = bytes.length();
        access = rights;
        shift = -at;
        key = newKey;
        valid = true;
    }

    /** This window opens part of a region under a new key; it may be used by one queue pair alone if it is of type 2. */
    void open(RegisteredMemory region, WindowBind bind, KeyUser user) {
        extent = region.extent;
        boolean zeroBased = (bind.access & AccessFlag.ZERO_BASED.code()) != 0;
        address = zeroBased ? 0 : bind.address;
        shift = bind.address + region.shift - address;
        length = bind.length;
        access = bind.access & REMOTE_RIGHTS;
        key = bind.key;
        region.windows.add(ofRegion);
        if (kind == Kind.WINDOW_TYPE_2) {
            queuePair = user.number();
            user.windows().add(ofQueuePair);
        }
        valid = true;
    }

    /** A window is bound to nothing any more; its new key is one that nobody can use. */
    void unbind(int newKey) {
        invalidate();
        key = newKey;
    }

    /**
     * The key works no more; the entry stays, so that nobody else gets its index, until it is freed (§11.1). A window lets
     * go of its region and its queue pair.
     */
    void invalidate() {
        valid = false;
        if (kind.isWindow()) {
            ofRegion.leave();
            ofQueuePair.leave();
            queuePair = NO_QUEUE_PAIR;
            extent = NOTHING;
            length = 0;
        }
    }

    /** Its last moment: windows on it end, and it holds no memory any more. */
    void free() {
        for (RegisteredMemory window = windows.first(); window != null; window = windows.first()) {
            window.invalidate();
        }
        invalidate();
        alive = false;
        extent = NOTHING;
        length = 0;
    }

    /** Whether {@code bytes} bytes at {@code at} lie inside; unsigned and safe near 2^64 (§11.1). */
    public boolean contains(long at, long bytes) {
        long offset = at - address;
        return Long.compareUnsigned(offset, length) <= 0 && Long.compareUnsigned(bytes, length - offset) <= 0;
    }

    /** Copies from this memory into a packet. */
    public void read(long at, ByteBuffer target, int targetIndex, int bytes) throws AccessFault {
        extent.read(at + shift, target, targetIndex, bytes);
    }

    /** Copies from a packet into this memory. */
    public void write(long at, ByteBuffer source, int sourceIndex, int bytes) throws AccessFault {
        extent.write(at + shift, source, sourceIndex, bytes);
    }

    /** Adds atomically to the aligned 64-bit word at {@code at} and returns what it held before. */
    public long fetchAndAdd(long at, long add) throws AccessFault {
        return extent.fetchAndAdd(at + shift, add);
    }

    /** Stores {@code swap} if the aligned 64-bit word at {@code at} equals {@code compare}; returns what it held before. */
    public long compareAndSwap(long at, long compare, long swap) throws AccessFault {
        return extent.compareAndSwap(at + shift, compare, swap);
    }

    /** What it is, by its key, or where that changes by the index, which does not. */
    @Override
    public String toString() {
        return switch (kind) {
            case REGION -> String.format("memory region 0x%08x", key);
            case FAST_REGISTRATION -> String.format("fast-registration region 0x%06x", KeyAllocator.indexOf(key));
            case WINDOW_TYPE_1, WINDOW_TYPE_2 -> String.format("memory window 0x%06x", KeyAllocator.indexOf(key));
        };
    }

    /** Its range in words. */
    String describeRange() {
        return String.format(
                "the %s is %s bytes at 0x%x",
                kind.isWindow() ? "window" : "region", Long.toUnsignedString(length), address);
    }

    /** Rights that a region's access must have, by what it is asked for; null when {@code flags} grant them. */
    static @Nullable String missingLocalWrite(int wanted, int flags) {
        int written = AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_ATOMIC.code();
        boolean refused = (wanted & written) != 0 && (flags & AccessFlag.LOCAL_WRITE.code()) == 0;
        return refused ? "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE" : null;
    }
}
