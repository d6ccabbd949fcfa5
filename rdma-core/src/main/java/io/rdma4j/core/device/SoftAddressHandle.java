package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.link.Path;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaException;

/** A resolved way to a peer. What is posted takes the path along, so closing the handle disturbs nothing. */
final class SoftAddressHandle extends SoftObject implements AddressHandle {
    private final SoftProtectionDomain domain;
    private final AddressVector vector;
    private final Path path;

    /** Owner thread. */
    SoftAddressHandle(SoftProtectionDomain domain, AddressVector vector) {
        super(domain.device, "address handle to " + vector.destination());
        this.domain = domain;
        this.vector = vector;
        this.path = new Path(
                device.gid(), vector.destination(), vector.trafficClass(), vector.hopLimit(), vector.flowLabel());
        device.numbers().next(ObjectNumbers.Kind.ADDRESS_HANDLE);
    }

    /** EINVAL with words where a device cannot send. */
    static void check(SoftDevice device, AddressVector vector) {
        String problem = Destinations.problem(device.gid(), vector.destination());
        if (!problem.isEmpty()) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_create_ah: " + problem);
        }
    }

    Path path() {
        return path;
    }

    int domainNumber() {
        return domain.number();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector addressVector() {
        return vector;
    }

    @Override
    void release() {
        device.numbers().release(ObjectNumbers.Kind.ADDRESS_HANDLE);
        domain.orphan(this);
    }
}
