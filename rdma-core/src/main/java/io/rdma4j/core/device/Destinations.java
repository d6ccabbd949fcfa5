package io.rdma4j.core.device;

import io.rdma4j.verbs.Gid;

/** Which GIDs a device can send to. */
final class Destinations {
    private Destinations() {}

    /** What is wrong with {@code remote} as a destination, in words; empty when nothing is. */
    static String problem(Gid local, Gid remote) {
        if (remote.equals(Gid.ZERO)) {
            return "the destination GID is empty";
        }
        return remote.isIpv4() == local.isIpv4() ? "" : remote + " is not reachable from " + local;
    }
}
