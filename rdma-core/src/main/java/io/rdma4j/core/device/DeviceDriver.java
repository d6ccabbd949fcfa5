package io.rdma4j.core.device;

import io.rdma4j.core.link.MulticastNetwork;
import io.rdma4j.verbs.RdmaException;
import java.util.function.Supplier;

/** Who owns an engine: runs it on one thread, feeds it datagrams and time, and lets other threads in one at a time. */
public interface DeviceDriver extends MulticastNetwork {
    /**
     * Runs a control command on the owner thread and waits for it; at once when already there. What the command throws is
     * thrown here.
     *
     * @throws RdmaException ENODEV when the owner has stopped, EDEADLK on another device's owner thread
     */
    <T> T call(Supplier<T> command);

    /** Whether the calling thread owns a device, this one or another: such a thread must not wait. */
    boolean isOwnerThread();

    /** Stops the device: what was committed is sent, within a bound; then the network is let go. Idempotent. */
    void close();
}
