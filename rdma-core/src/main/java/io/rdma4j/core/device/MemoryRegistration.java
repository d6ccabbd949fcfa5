package io.rdma4j.core.device;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;

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
    private final MemoryRegionConfig config;
    private final ByteBuffer[] buffers;
    private final long length;

    MemoryRegistration(MemoryRegionConfig config, long maxBytes) {
        this.config = config;
        this.buffers = config.buffers().toArray(ByteBuffer[]::new);
        this.length = config.length();
        checkBuffers(maxBytes);
        checkAccess(config.accessFlags());
    }

    private void checkBuffers(long maxBytes) {
        if (length > maxBytes) {
            throw refused(length + " bytes are more than " + maxBytes + " (max_mr_size)");
        }
        for (ByteBuffer buffer : buffers) {
            if (!buffer.isDirect()) {
                throw refused("a heap buffer moves in memory; use ByteBuffer.allocateDirect");
            }
        }
    }

    private void checkAccess(Set<AccessFlag> access) {
        boolean written = access.contains(REMOTE_WRITE) || access.contains(REMOTE_ATOMIC);
        if (written && !access.contains(LOCAL_WRITE)) {
            throw refused("REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
        for (ByteBuffer buffer : buffers) {
            if (buffer.isReadOnly() && access.contains(LOCAL_WRITE)) {
                throw refused("a read-only buffer cannot be registered with LOCAL_WRITE");
            }
        }
        if (access.contains(AccessFlag.ZERO_BASED) && config.iova().isPresent()) {
            throw refused("zero-based and iova exclude each other");
        }
    }

    /** Owner thread. */
    RegisteredMemory register(MemoryTable table, int protectionDomain) {
        probe();
        long address = address(table);
        // The last byte, not one past it, must have an address.
        if (length > 0 && Long.compareUnsigned(address + length - 1, address) < 0) {
            throw refused(String.format("%d bytes at iova 0x%x go beyond 2^64", length, address));
        }
        if (config.accessFlags().contains(REMOTE_ATOMIC)) {
            checkAtomicAlignment(address);
        }
        int access = QpAttributes.bits(config.accessFlags());
        Grant grant = new Grant(address, access, protectionDomain, config.isRemoteInvalidate());
        RegisteredMemory region = table.register(buffers, grant);
        if (region == null) {
            throw new RdmaException(ErrorCode.ENOMEM, "ibv_reg_mr: the device has no more memory regions");
        }
        return region;
    }

    private long address(MemoryTable table) {
        if (config.isZeroBased()) {
            return 0;
        }
        return config.iova().isPresent() ? config.iova().getAsLong() : table.allocateAddress(buffers[0], length);
    }

    /** An aligned address must mean an aligned word, or atomics would fail where the peer sees nothing wrong. */
    private void checkAtomicAlignment(long address) {
        long at = address;
        for (ByteBuffer buffer : buffers) {
            int skew = (int) at & (Long.BYTES - 1);
            if (buffer.remaining() > 0 && buffer.alignmentOffset(0, Long.BYTES) != skew) {
                throw refused("REMOTE_ATOMIC needs addresses congruent to the buffer's own modulo 8");
            }
            if (at != address && skew != 0) {
                throw refused("REMOTE_ATOMIC needs every buffer but the first to begin at a multiple of 8");
            }
            at += buffer.remaining();
        }
    }

    /** A buffer may refuse other threads than the one that made it; better now than in the middle of a message. */
    private void probe() {
        for (ByteBuffer buffer : buffers) {
            try {
                if (buffer.remaining() > 0) {
                    buffer.get(buffer.position());
                }
            } catch (RuntimeException | InternalError e) {
                throw new RdmaException(
                        ErrorCode.EFAULT, "ibv_reg_mr: the device's thread cannot access the buffer: " + e, e);
            }
        }
    }

    private static RdmaException refused(String why) {
        return new RdmaException(ErrorCode.EINVAL, "ibv_reg_mr: " + why);
    }
}
