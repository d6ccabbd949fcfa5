package io.rdma4j.core.device;

import io.rdma4j.core.device.SoftMemoryRegion.View;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.RdmaException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A change of a region (§11.1): a registration of what it shall be, under the key that it has. */
final class Reregistration {
    private static final String VERB = "ibv_rereg_mr";

    private final SoftMemoryRegion region;
    private final SoftProtectionDomain domain;
    private final MemoryRegionConfig wanted;
    private final MemoryRegistration registration;

    Reregistration(SoftMemoryRegion region, MemoryRegionConfig now, MemoryRegionUpdate update) {
        this.region = region;
        View view = region.view();
        if (update.buffers() == null && update.iova().isPresent()) {
            throw refused("another address needs a new translation");
        }
        if (update.buffers() == null && update.domain() == null && update.accessFlags() == null) {
            throw refused("nothing is to change");
        }
        this.domain = update.domain() == null ? view.domain() : region.own(update.domain(), SoftProtectionDomain.class);
        this.wanted = merged(now, view.address(), update);
        this.registration =
                new MemoryRegistration(VERB, wanted, domain.device.limits().maxLong(DeviceLimit.MAX_MR_SIZE));
    }

    private static MemoryRegionConfig merged(MemoryRegionConfig now, long address, MemoryRegionUpdate update) {
        List<ByteBuffer> newBuffers = update.buffers();
        List<ByteBuffer> buffers = newBuffers == null ? now.buffers() : newBuffers;
        Set<AccessFlag> newAccess = update.accessFlags();
        Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
        access.addAll(newAccess == null ? now.accessFlags() : newAccess);
        if (newBuffers == null && now.isZeroBased()) {
            access.add(AccessFlag.ZERO_BASED);
        }
        MemoryRegionConfig config =
                MemoryRegionConfig.of(buffers.toArray(ByteBuffer[]::new)).access(access.toArray(AccessFlag[]::new));
        if (now.isRemoteInvalidate()) {
            config = config.remoteInvalidate();
        }
        if (newBuffers == null) {
            return now.isZeroBased() ? config : config.iova(address);
        }
        return update.iova().isPresent() ? config.iova(update.iova().getAsLong()) : config;
    }

    /** Owner thread; what is refused here has changed nothing. */
    void run() {
        domain.requireOpenArgument();
        RegisteredMemory memory = region.memory();
        if (!memory.isValid()) {
            throw refused(region + " has been invalidated");
        }
        registration.reregister(region.device.engine().memory(), memory, domain.number());
        SoftProtectionDomain before = region.view().domain();
        if (before != domain) {
            before.orphan(region);
            domain.adopt(region);
        }
        region.reregistered(new View(domain, registration.extent(), memory.address(), wanted.accessFlags()), wanted);
    }

    private static RdmaException refused(String why) {
        return new RdmaException(ErrorCode.EINVAL, VERB + ": " + why);
    }
}
