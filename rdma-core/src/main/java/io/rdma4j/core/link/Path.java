package io.rdma4j.core.link;

import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;

/**
 * A resolved way to a peer, made when a queue pair is modified to RTR or an address handle is created, never per packet.
 * Immutable; links may key caches by identity or by {@link #equals}.
 *
 * @param local the GID frames leave from
 * @param remote the GID frames go to
 * @param trafficClass IPv4 TOS or IPv6 traffic class, 0 to 255
 * @param hopLimit IPv4 TTL or IPv6 hop limit, 0 to 255
 * @param flowLabel IPv6 flow label, 20 bits
 */
public record Path(Gid local, Gid remote, int trafficClass, int hopLimit, int flowLabel) {
    /** A path with traffic class 0, hop limit 64 and flow label 0. */
    public static Path between(Gid local, Gid remote) {
        return new Path(local, remote, 0, AddressVector.DEFAULT_HOP_LIMIT, 0);
    }
}
