package io.rdma4j.core.device;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;

import io.rdma4j.core.memory.Extent;
import io.rdma4j.core.memory.Grant;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.qp.QpAttributes;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.RdmaException;
import java.nio.ByteBuffer;
import java.util.Set;

/** The checks of a registration (§11.1), and the registration itself. */
final class MemoryRegistration {
    private final String verb;
    private final MemoryRegionConfig config;
    private final ByteBuffer[] buffers;
    private final Extent extent;

    MemoryRegistration(String verb, MemoryRegionConfig config, long maxBytes) {
        this.verb = verb;
        this.config = config;
        this.buffers = config.buffers().toArray(ByteBuffer[]::new);
        if (config.length() > maxBytes) {
            throw refused(config.length() + " bytes are more than " + maxBytes + " (max_mr_size)");
        }
        requireDirect(verb, buffers);
        this.extent = Extent.of(buffers);
        checkAccess(config.accessFlags());
    }

    static void requireDirect(String verb, ByteBuffer... buffers) {
        for (ByteBuffer buffer : buffers) {
            if (!buffer.isDirect()) {
                throw new RdmaException(
                        ErrorCode.EINVAL, verb + ": a heap buffer moves in memory; use ByteBuffer.allocateDirect");
            }
        }
    }

    private void checkAccess(Set<AccessFlag> access) {
        boolean written = access.contains(REMOTE_WRITE) || access.contains(REMOTE_ATOMIC);
        if (written && !access.contains(LOCAL_WRITE)) {
            throw refused("REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
        if (extent.isReadOnly() && access.contains(LOCAL_WRITE)) {
            throw refused("a read-only buffer cannot be registered with LOCAL_WRITE");
        }
        if (access.contains(AccessFlag.ZERO_BASED) && config.iova().isPresent()) {
            throw refused("zero-based and iova exclude each other");
        }
    }

    /** Owner thread. */
    RegisteredMemory register(MemoryTable table, int protectionDomain) {
        RegisteredMemory region = table.register(extent, grant(table, protectionDomain));
        if (region == null) {
            throw new RdmaException(ErrorCode.ENOMEM, verb + ": the device has no more memory regions");
        }
        return region;
    }

    /** Gives a region that exists these bytes and rights; what is refused has changed nothing. Owner thread. */
    void reregister(MemoryTable table, RegisteredMemory region, int protectionDomain) {
        table.reregister(region, extent, grant(table, protectionDomain));
    }

    Extent extent() {
        return extent;
    }

    private Grant grant(MemoryTable table, int protectionDomain) {
        probe(verb, extent);
        long length = extent.length();
        long address = address(table);
        // The last byte, not one past it, must have an address.
        if (length > 0 && Long.compareUnsigned(address + length - 1, address) < 0) {
            throw refused(String.format("%d bytes at iova 0x%x go beyond 2^64", length, address));
        }
        String misfit = config.accessFlags().contains(REMOTE_ATOMIC) ? extent.atomicMisfit(address) : null;
        if (misfit != null) {
            throw refused(misfit);
        }
        int access = QpAttributes.bits(config.accessFlags());
        return new Grant(address, access, protectionDomain, config.isRemoteInvalidate());
    }

    private long address(MemoryTable table) {
        if (config.isZeroBased()) {
            return 0;
        }
        return config.iova().isPresent()
                ? config.iova().getAsLong()
                : table.allocateAddress(buffers[0], extent.length());
    }

    /** A buffer may refuse other threads than the one that made it; better now than in the middle of a message. */
    static void probe(String verb, Extent extent) {
        Throwable thrown = extent.probe();
        if (thrown != null) {
            throw new RdmaException(
                    ErrorCode.EFAULT, verb + ": the device's thread cannot access the buffer: " + thrown, thrown);
        }
    }

    private RdmaException refused(String why) {
        return new RdmaException(ErrorCode.EINVAL, verb + ": " + why);
    }
}
