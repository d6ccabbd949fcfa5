package io.rdma4j.core.engine;

import io.rdma4j.core.link.MulticastNetwork;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which queue pairs are in which multicast groups (§14). The network is told of the first member of a group and of the
 * last: what it delivers besides finds no group here. Owner thread.
 */
public final class MulticastTable {
    private final Gid local;
    private final DeviceLimits limits;
    private final Map<Key, Group> groups = new HashMap<>();
    private final Key probe = new Key();
    private MulticastNetwork network = MulticastNetwork.NONE;

    /** Members of all groups. */
    private int members;

    MulticastTable(Gid local, DeviceLimits limits) {
        this.local = local;
        this.limits = limits;
    }

    /** Says which network joins and leaves groups. */
    public void over(MulticastNetwork newNetwork) {
        network = newNetwork;
    }

    /** Adds a queue pair to a group; it may be there already. Nothing has changed when it is refused. */
    public void attach(QpContext qp, Gid gid) {
        check(qp, gid);
        Group group = find(gid.addressHigh(), gid.addressLow());
        if (group == null) {
            if (groups.size() == limits.max(DeviceLimit.MAX_MCAST_GRP)) {
                throw full("the device is in " + groups.size() + " multicast groups, and can be in no more");
            }
            requireRoomForMember();
            network.joinGroup(gid);
            group = new Group(gid);
            groups.put(new Key(gid.addressHigh(), gid.addressLow()), group);
        } else if (group.members.contains(qp)) {
            return;
        } else if (group.members.size() == limits.max(DeviceLimit.MAX_MCAST_QP_ATTACH)) {
            throw full(gid + " has " + group.members.size() + " members on this device, and can have no more");
        } else {
            requireRoomForMember();
        }
        group.members.add(qp);
        qp.multicastGroups++;
        members++;
    }

    private void requireRoomForMember() {
        if (members == limits.max(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH)) {
            throw full("the multicast groups of the device have " + members + " members, and can have no more");
        }
    }

    /** Takes a queue pair out of a group; EINVAL when it is not in it. */
    public void detach(QpContext qp, Gid gid) {
        Group group = find(gid.addressHigh(), gid.addressLow());
        if (group == null || !group.members.contains(qp)) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    String.format("ibv_detach_mcast: queue pair 0x%06x is not in %s", qp.number(), gid));
        }
        remove(qp, group);
        if (group.members.isEmpty()) {
            groups.remove(probe);
        }
    }

    /** The queue pair leaves all its groups. */
    void leaveAll(QpContext qp) {
        if (qp.multicastGroups == 0) {
            return;
        }
        groups.values().removeIf(group -> {
            if (group.members.contains(qp)) {
                remove(qp, group);
            }
            return group.members.isEmpty();
        });
    }

    /** The members of the group of that address, in the order they joined; null when it has none. Valid until the next call. */
    @Nullable
    List<QpContext> members(long addressHigh, long addressLow) {
        Group group = find(addressHigh, addressLow);
        return group == null ? null : group.members;
    }

    private void remove(QpContext qp, Group group) {
        group.members.remove(qp);
        qp.multicastGroups--;
        members--;
        if (group.members.isEmpty()) {
            network.leaveGroup(group.gid);
        }
    }

    private void check(QpContext qp, Gid gid) {
        if (qp.type() != QueuePairType.UD) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_attach_mcast: only UD queue pairs join groups, not " + qp.type());
        }
        if (!gid.isMulticast()) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_attach_mcast: " + gid + " is no multicast group");
        }
        if (gid.isIpv4() != local.isIpv4()) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_attach_mcast: " + gid + " is not reachable from " + local);
        }
    }

    private static RdmaException full(String why) {
        return new RdmaException(ErrorCode.ENOMEM, "ibv_attach_mcast: " + why);
    }

    private @Nullable Group find(long addressHigh, long addressLow) {
        probe.high = addressHigh;
        probe.low = addressLow;
        return groups.get(probe);
    }

    private static final class Group {
        private final Gid gid;
        private final List<QpContext> members = new ArrayList<>();

        Group(Gid gid) {
            this.gid = gid;
        }
    }

    /** The address of a group; one instance is for looking up, so that a datagram allocates nothing. */
    private static final class Key {
        private long high;
        private long low;

        Key() {}

        Key(long high, long low) {
            this.high = high;
            this.low = low;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && high == that.high && low == that.low;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(high * 31 + low);
        }
    }
}
