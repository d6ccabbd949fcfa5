package io.rdma4j.core.tape;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.link.MulticastNetwork;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Runs commands where they are called: the test's thread is the owner of the engine. */
public final class InlineDriver implements DeviceDriver {
    /** The multicast groups that are joined now. */
    public final Set<Gid> groups = new LinkedHashSet<>();

    /** Whether the network refuses to join groups. */
    public boolean refusesGroups;

    private final MulticastNetwork network;
    private boolean closed;

    /** A driver of a network that takes every group. */
    public InlineDriver() {
        this(MulticastNetwork.NONE);
    }

    /** A driver whose groups are those of {@code network}. */
    public InlineDriver(MulticastNetwork network) {
        this.network = network;
    }

    @Override
    public <T> T call(Supplier<T> command) {
        if (closed) {
            throw new RdmaException(ErrorCode.ENODEV, "stopped");
        }
        return command.get();
    }

    /** False, so that a test may wait on its own thread; nothing else drives the engine meanwhile. */
    @Override
    public boolean isOwnerThread() {
        return false;
    }

    @Override
    public void joinGroup(Gid group) {
        if (refusesGroups) {
            throw new RdmaException(ErrorCode.ENOMEM, "no more groups");
        }
        if (!groups.add(group)) {
            throw new IllegalStateException(group + " is joined already");
        }
        if (network != MulticastNetwork.NONE) {
            network.joinGroup(group);
        }
    }

    @Override
    public void leaveGroup(Gid group) {
        if (!groups.remove(group)) {
            throw new IllegalStateException(group + " is not joined");
        }
        network.leaveGroup(group);
    }

    @Override
    public void close() {
        closed = true;
    }
}
