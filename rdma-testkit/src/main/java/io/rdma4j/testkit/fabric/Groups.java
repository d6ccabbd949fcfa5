package io.rdma4j.testkit.fabric;

import io.rdma4j.verbs.Gid;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which devices have joined which multicast groups; the members of each in the order in which they came. */
final class Groups {
    private final Map<Gid, Set<FabricDevice>> members = new HashMap<>();

    void join(Gid group, FabricDevice device) {
        members.computeIfAbsent(group, any -> new LinkedHashSet<>()).add(device);
    }

    void leave(Gid group, FabricDevice device) {
        Set<FabricDevice> left = members.get(group);
        if (left != null && left.remove(device) && left.isEmpty()) {
            members.remove(group);
        }
    }

    void leaveAll(FabricDevice device) {
        for (Gid group : List.copyOf(members.keySet())) {
            leave(group, device);
        }
    }

    /** The members of a group; empty where there is none. */
    Collection<FabricDevice> of(Gid group) {
        return members.getOrDefault(group, Set.of());
    }
}
