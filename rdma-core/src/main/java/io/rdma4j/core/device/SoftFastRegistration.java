package io.rdma4j.core.device;

import io.rdma4j.core.memory.Extent;
import io.rdma4j.core.memory.Mapping;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.spi.Arguments;
import java.nio.ByteBuffer;
import java.util.Set;

/** A region that requests of a send queue register. A request takes the mapping along that there is when it is posted. */
final class SoftFastRegistration extends SoftMemoryRegion implements FastRegistrationRegion {
    private final int maxBuffers;
    private volatile Mapping mapping = Mapping.NONE;
    private volatile int key;

    SoftFastRegistration(SoftProtectionDomain domain, RegisteredMemory memory, int maxBuffers) {
        super(memory, new View(domain, Mapping.NONE.extent(), 0, Set.of()), null);
        this.maxBuffers = maxBuffers;
        this.key = memory.key();
    }

    Mapping mapping() {
        return mapping;
    }

    /** A request that registers the region was posted. */
    void posted(int newKey, Set<AccessFlag> access) {
        key = newKey;
        View now = view();
        view(new View(now.domain(), now.extent(), now.address(), access));
    }

    @Override
    public int localKey() {
        return key;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    @Override
    public void map(ByteBuffer... buffers) {
        Arguments.all(buffers, "buffers");
        requireOpen();
        if (buffers.length == 0 || buffers.length > maxBuffers) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "ib_map_mr_sg: " + buffers.length + " buffers; " + this + " was made for 1.." + maxBuffers);
        }
        MemoryRegistration.requireDirect("ib_map_mr_sg", buffers);
        Extent extent = Extent.of(buffers);
        device.commandIfOpen(() -> {
            requireOpen();
            if (memory().isValid()) {
                throw new RdmaException(ErrorCode.EBUSY, "ib_map_mr_sg: " + this + " is registered now");
            }
            MemoryRegistration.probe("ib_map_mr_sg", extent);
            long address = device.engine().memory().allocateAddress(buffers[0], extent.length());
            mapping = new Mapping(extent, address);
            View now = view();
            view(new View(now.domain(), extent, address, now.access()));
            return this;
        });
    }

    @Override
    public boolean isValid() {
        return device.commandIfOpen(() -> memory().isValid());
    }
}
