package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.ConnectionPlan.MemoryLayout;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.ScatterGatherElement;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's memory, registered twice: for its own work requests without remote rights, and for the other node; and regions
 * that the other node may invalidate.
 */
final class NodeMemory implements AutoCloseable {
    /** Beyond what a signed comparison gets right, and congruent to any buffer modulo 4096. */
    private static final long HIGH_IOVA = 0xFFFF_FF12_3456_7000L;

    private static final AccessFlag[] REMOTE_RIGHTS = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    private static final int INVALIDATABLE_BYTES = 64;

    private final ProtectionDomain domain;
    private final Map<Long, MemoryRegion> invalidatable = new HashMap<>();
    private final ByteBuffer bytes;
    private final MemoryRegion local;
    private final MemoryRegion remote;

    NodeMemory(ProtectionDomain domain, byte[] initial, MemoryLayout layout) {
        this.domain = domain;
        bytes = HostMemory.allocate(initial.length);
        bytes.put(0, initial);
        local = domain.registerMemory(bytes, AccessFlag.LOCAL_WRITE);
        remote = domain.registerMemory(remoteConfig(layout).access(REMOTE_RIGHTS));
    }

    private MemoryRegionConfig remoteConfig(MemoryLayout layout) {
        return switch (layout) {
            case DEVICE_CHOOSES -> MemoryRegionConfig.of(bytes);
            case CALLER_CHOOSES -> MemoryRegionConfig.of(bytes).iova(HIGH_IOVA);
            case ZERO_BASED -> MemoryRegionConfig.of(bytes).zeroBased();
            case SEVERAL_BUFFERS -> MemoryRegionConfig.of(thirds());
        };
    }

    /** Three pieces, cut where no word of 8 bytes is. */
    private ByteBuffer[] thirds() {
        int first = (bytes.capacity() / 3) & -8;
        int second = (2 * bytes.capacity() / 3) & -8;
        return new ByteBuffer[] {
            bytes.slice(0, first), bytes.slice(first, second - first), bytes.slice(second, bytes.capacity() - second)
        };
    }

    /** The pieces as the node's own work requests name them. */
    List<ScatterGatherElement> elements(List<Area> pieces) {
        return pieces.stream()
                .map(piece -> local.slice(piece.offset(), piece.length()))
                .toList();
    }

    /** The address by which the other node reaches an offset. */
    long remoteAddress(int offset) {
        return remote.address() + offset;
    }

    int remoteKey() {
        return remote.remoteKey();
    }

    /** The key of the {@code index}-th region that the other node's lane of a queue pair may invalidate; made when asked for. */
    int invalidatableKey(int queuePair, int index) {
        return invalidatable
                .computeIfAbsent(
                        WorkRequestIds.send(queuePair, index),
                        key -> domain.registerMemory(MemoryRegionConfig.of(HostMemory.allocate(INVALIDATABLE_BYTES))
                                .access(REMOTE_RIGHTS)
                                .remoteInvalidate()))
                .remoteKey();
    }

    long word(int offset) {
        return bytes.getLong(offset);
    }

    void put(int offset, byte[] content) {
        bytes.put(offset, content);
    }

    void putWord(int offset, long value) {
        bytes.putLong(offset, value);
    }

    byte[] copy(Area area) {
        byte[] copy = new byte[area.length()];
        bytes.get(area.offset(), copy);
        return copy;
    }

    @Override
    public void close() {
        invalidatable.values().forEach(MemoryRegion::close);
        local.close();
        remote.close();
    }
}
