package io.rdma4j.core.link;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;

/** What a network does for multicast groups (§14). Owner thread. */
public interface MulticastNetwork {
    /** A network without multicast. */
    MulticastNetwork NONE = new MulticastNetwork() {};

    /**
     * From now on datagrams to a multicast group arrive, with the group as {@code Arrival.local}, those that the device
     * itself sends among them; called for the first member of each group.
     *
     * @throws RdmaException EOPNOTSUPP if the network has no multicast, or why it refuses this group
     */
    default void joinGroup(Gid group) {
        throw new RdmaException(ErrorCode.EOPNOTSUPP, "this network has no multicast");
    }

    /** Undoes {@link #joinGroup} when the last member has gone. Never throws. */
    default void leaveGroup(Gid group) {}
}
