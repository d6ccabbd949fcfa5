package io.rdma4j.core.device;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.util.function.Supplier;

/** Who owns an engine: runs it on one thread, feeds it datagrams and time, and lets other threads in one at a time. */
public interface DeviceDriver {
    /**
     * Runs a control command on the owner thread and waits for it; at once when already there. What the command throws is
     * thrown here.
     *
     * @throws RdmaException ENODEV when the owner has stopped, EDEADLK on another device's owner thread
     */
    <T> T call(Supplier<T> command);

    /** Whether the calling thread owns a device, this one or another: such a thread must not wait. */
    boolean isOwnerThread();

    /**
     * From now on datagrams to a multicast group arrive, with the group as {@code Arrival.local}; called for the first
     * member of each group. Owner thread.
     *
     * @throws RdmaException EOPNOTSUPP if the network has no multicast, or why it refuses this group
     */
    default void joinGroup(Gid group) {
        throw new RdmaException(ErrorCode.EOPNOTSUPP, "this network has no multicast");
    }

    /** Undoes {@link #joinGroup} when the last member has gone. Owner thread. */
    default void leaveGroup(Gid group) {}

    /** Stops the device: what was committed is sent, within a bound; then the network is let go. Idempotent. */
    void close();
}
