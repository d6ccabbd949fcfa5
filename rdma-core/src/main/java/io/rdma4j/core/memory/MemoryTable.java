package io.rdma4j.core.memory;

import io.rdma4j.core.memory.RegisteredMemory.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All regions and windows of a device by key. Owner thread only. */
public final class MemoryTable {
    private static final int FIRST_CAPACITY = 64;

    private final int limit;
    private final KeyAllocator keys;
    private final IovaAllocator addresses = new IovaAllocator();
    private @Nullable RegisteredMemory[] entries = new RegisteredMemory[FIRST_CAPACITY];
    private AccessFailure failure = AccessFailure.INVALID_KEY;

    /** A table for so many regions and windows together. */
    public MemoryTable(int limit, RandomGenerator random) {
        this.limit = limit;
        this.keys = new KeyAllocator(limit, random);
    }

    /** An address range for a region whose first buffer is {@code first}. */
    public long allocateAddress(ByteBuffer first, long length) {
        return addresses.allocate(first, length);
    }

    /** Registers memory as one region (§11.1); null when the table is full. */
    public @Nullable RegisteredMemory register(Extent extent, Grant grant) {
        RegisteredMemory region = add(Kind.REGION, grant.protectionDomain(), grant.invalidatable());
        if (region != null) {
            region.cover(extent, grant);
        }
        return region;
    }

    /** A region of zeros, as long as anything, for local use (§11.1); null when the table is full. */
    public @Nullable RegisteredMemory registerNull(int access, int protectionDomain) {
        return register(Extent.ofNothingButZeros(), new Grant(0, access, protectionDomain, false));
    }

    /** A region that is registered by a request (§11.1); null when the table is full. */
    public @Nullable RegisteredMemory addFastRegistration(int protectionDomain) {
        return add(Kind.FAST_REGISTRATION, protectionDomain, true);
    }

    /** A window, bound to nothing (§11.2); null when the table is full. */
    public @Nullable RegisteredMemory addWindow(boolean type2, int protectionDomain) {
        return add(type2 ? Kind.WINDOW_TYPE_2 : Kind.WINDOW_TYPE_1, protectionDomain, type2);
    }

    private @Nullable RegisteredMemory add(Kind kind, int protectionDomain, boolean invalidatable) {
        int key = keys.allocate();
        if (key == 0) {
            return null;
        }
        int index = KeyAllocator.indexOf(key);
        if (index >= entries.length) {
            entries = Arrays.copyOf(entries, Math.min(limit + 1, Math.max(index + 1, entries.length * 2)));
        }
        RegisteredMemory entry = new RegisteredMemory(kind, key, protectionDomain, invalidatable);
        entries[index] = entry;
        return entry;
    }

    /** A region or window ends, and with a region all windows on it. */
    public void deregister(RegisteredMemory entry) {
        entry.free();
        entries[KeyAllocator.indexOf(entry.key())] = null;
        keys.release(entry.key());
    }

    /** A region stands for other memory, rights or another domain from now on, under the same key (§11.1). */
    public void reregister(RegisteredMemory region, Extent extent, Grant grant) {
        region.cover(extent, grant);
    }

    /**
     * The region behind the key of a local element, if the access is allowed (§7.2, §11.1); a window never serves here.
     *
     * @param right access bits that must all be granted; 0 for local reads, which are always allowed
     * @return null when refused; {@link #failure} then tells why
     */
    public @Nullable RegisteredMemory resolve(int key, int protectionDomain, int right, long address, long length) {
        RegisteredMemory region = find(key, protectionDomain);
        if (region != null && region.kind().isWindow()) {
            failure = AccessFailure.INVALID_KEY;
            return null;
        }
        return granted(region, right, address, length);
    }

    /**
     * The region or window behind the key that a peer has sent, if the access is allowed (§7.2(5), §11.2).
     *
     * @param user the queue pair that it came through
     * @return null when refused; {@link #failure} then tells why
     */
    public @Nullable RegisteredMemory resolveRemote(int key, KeyUser user, int right, long address, long length) {
        return granted(findFor(key, user), right, address, length);
    }

    private @Nullable RegisteredMemory granted(@Nullable RegisteredMemory entry, int right, long address, long length) {
        if (entry == null) {
            return null;
        }
        if ((entry.access() & right) != right) {
            failure = AccessFailure.MISSING_RIGHT;
        } else if (!entry.contains(address, length)) {
            failure = AccessFailure.OUT_OF_RANGE;
        } else {
            return entry;
        }
        return null;
    }

    /**
     * Ends a key for everybody, as a peer asks with a SEND (§7.2(8)) or the program itself (§11). What is in flight with it
     * fails from here on (§11.1).
     *
     * @return whether it was done; if not, {@link #failure} tells why
     */
    public boolean invalidate(int key, KeyUser user) {
        RegisteredMemory entry = findFor(key, user);
        if (entry == null) {
            return false;
        }
        if (!entry.isInvalidatable()) {
            failure = AccessFailure.NOT_INVALIDATABLE;
            return false;
        }
        if (!entry.windows().isEmpty()) {
            failure = AccessFailure.HAS_WINDOWS;
            return false;
        }
        entry.invalidate();
        return true;
    }

    /** Whether the index of a key is that of a window. */
    public boolean isWindow(int key) {
        RegisteredMemory entry = at(key);
        return entry != null && entry.kind().isWindow();
    }

    /** Ends the windows of type 2 that were bound through a queue pair that goes (§11.2). */
    public void invalidateAll(WindowList bound) {
        for (RegisteredMemory window = bound.first(); window != null; window = bound.first()) {
            window.invalidate();
        }
    }

    /**
     * Binds a window, or unbinds one of type 1 (§11.2).
     *
     * @return null when done, else which rule forbids it, in words; then nothing has changed
     */
    public @Nullable String bind(RegisteredMemory window, WindowBind bind, KeyUser user) {
        String refusal = BindRules.refusal(window, bind, user);
        if (refusal != null) {
            return refusal;
        }
        window.unbind(bind.key);
        if (bind.length != 0 && bind.region != null) {
            window.open(bind.region, bind, user);
        }
        return null;
    }

    /**
     * Makes a fast-registration region valid (§11.1).
     *
     * @return null when done, else which rule forbids it, in words; then nothing has changed
     */
    public @Nullable String fastRegister(RegisteredMemory region, Mapping mapping, int access, int key, KeyUser user) {
        String refusal = mapping.refusal(region, access, key, user);
        if (refusal == null) {
            region.cover(mapping.extent(), mapping.address(), access, key);
        }
        return refusal;
    }

    private @Nullable RegisteredMemory at(int key) {
        int index = KeyAllocator.indexOf(key);
        return index < entries.length ? entries[index] : null;
    }

    /** As {@link #find}, for a queue pair: a window of type 2 serves the one that bound it. */
    private @Nullable RegisteredMemory findFor(int key, KeyUser user) {
        RegisteredMemory entry = find(key, user.protectionDomain());
        if (entry != null && entry.kind() == Kind.WINDOW_TYPE_2 && entry.queuePair() != user.number()) {
            failure = AccessFailure.OTHER_QUEUE_PAIR;
            return null;
        }
        return entry;
    }

    /** What a key of that domain stands for, null if it stands for nothing now. */
    private @Nullable RegisteredMemory find(int key, int protectionDomain) {
        RegisteredMemory entry = at(key);
        if (entry == null || entry.key() != key) {
            failure = AccessFailure.INVALID_KEY;
        } else if (!entry.isValid()) {
            failure = switch (entry.kind()) {
                case REGION -> AccessFailure.INVALIDATED;
                case FAST_REGISTRATION -> AccessFailure.NOT_REGISTERED;
                case WINDOW_TYPE_1, WINDOW_TYPE_2 -> AccessFailure.UNBOUND;
            };
        } else if (entry.protectionDomain() != protectionDomain) {
            failure = AccessFailure.WRONG_PROTECTION_DOMAIN;
        } else {
            return entry;
        }
        return null;
    }

    /** Why the last {@link #resolve}, {@link #resolveRemote} or {@link #invalidate} was refused. */
    public AccessFailure failure() {
        return failure;
    }

    /** The last failure in words, for the cause of a completion. Allocates; error paths only. */
    public String describeFailure(int key, long address, long length) {
        RegisteredMemory entry = at(key);
        String detail =
                failure == AccessFailure.OUT_OF_RANGE && entry != null ? " (" + entry.describeRange() + ")" : "";
        return String.format(
                "key 0x%08x %s: %s bytes at 0x%x%s",
                key, failure.words(), Long.toUnsignedString(length), address, detail);
    }
}
