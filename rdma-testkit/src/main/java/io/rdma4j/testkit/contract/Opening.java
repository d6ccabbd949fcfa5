package io.rdma4j.testkit.contract;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assertions;

/** How memory is opened to a peer: by a region, or by a window of either type on one that allows nothing but windows. */
enum Opening {
    REGION,
    WINDOW_1,
    WINDOW_2;

    /** Both types of window. */
    static final List<Opening> WINDOWS = List.of(WINDOW_1, WINDOW_2);

    /** The id of every bind. */
    static final long BIND = 9_000;

    /** Every right that a peer can have. */
    static final Set<AccessFlag> ALL =
            Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private static final int MARGIN = 1_024;

    /**
     * Memory that a peer may use.
     *
     * @param memory exactly what is open
     * @param address how peers call its first byte
     * @param key its key for peers
     */
    record Target(ByteBuffer memory, long address, int key) {}

    MemoryWindowType type() {
        return this == WINDOW_1 ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2;
    }

    /** Opens so many bytes of fresh memory at that end, with these rights, and ZERO_BASED if it is among them. */
    Target open(ContractBed bed, End end, int bytes, Set<AccessFlag> rights) {
        if (this == REGION) {
            ByteBuffer memory = HostMemory.allocate(bytes);
            Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
            access.addAll(rights);
            MemoryRegion region = bed.closing(end.domain()
                    .registerMemory(MemoryRegionConfig.of(memory).access(access.toArray(AccessFlag[]::new))));
            return new Target(memory, region.address(), region.remoteKey());
        }
        ByteBuffer memory = HostMemory.allocate(bytes + 2 * MARGIN);
        MemoryRegion region = windowed(bed, end, memory);
        MemoryWindow window = allocate(bed, end);
        MemoryWindowBinding binding = new MemoryWindowBinding(region, region.address() + MARGIN, bytes, rights);
        int key = bind(end, window, binding);
        long address = rights.contains(AccessFlag.ZERO_BASED) ? 0 : binding.address();
        return new Target(memory.slice(MARGIN, bytes).order(memory.order()), address, key);
    }

    /** A region that windows of all rights may be bound to, and that is open to no peer itself. */
    static MemoryRegion windowed(ContractBed bed, End end, ByteBuffer memory) {
        return bed.closing(end.domain().registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
    }

    MemoryWindow allocate(ContractBed bed, End end) {
        return bed.closing(end.domain().allocateMemoryWindow(type()));
    }

    /** Posts a bind in the way of the window's type; the key that the window will have. */
    static int post(QueuePair queuePair, MemoryWindow window, MemoryWindowBinding binding, boolean signaled) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            return queuePair.bindMemoryWindow(BIND, window, binding, signaled);
        }
        int key = RemoteKeys.increment(window.remoteKey());
        BindMemoryWindow request = BindMemoryWindow.of(BIND, window, binding, key);
        queuePair.postSend(signaled ? request.signaled() : request);
        return key;
    }

    /** Binds, and waits until that is done; the new key. */
    static int bind(End end, MemoryWindow window, MemoryWindowBinding binding) {
        int key = post(end.queuePair(), window, binding, true);
        Assertions.assertEquals(
                WorkCompletionOpcode.BIND_MW, end.expectSent(BIND).opcode());
        Assertions.assertEquals(key, window.remoteKey());
        return key;
    }
}
