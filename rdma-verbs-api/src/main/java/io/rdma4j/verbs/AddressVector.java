package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;

/**
 * The way to a peer ({@code ibv_ah_attr} with its {@code ibv_global_route}). Immutable.
 *
 * @param destination GID of the peer ({@code grh.dgid})
 * @param trafficClass IPv4 TOS or IPv6 traffic class, 0 to 255 ({@code grh.traffic_class})
 * @param hopLimit IPv4 TTL or IPv6 hop limit, 0 to 255 ({@code grh.hop_limit})
 * @param flowLabel IPv6 flow label, 20 bits ({@code grh.flow_label})
 */
public record AddressVector(Gid destination, int trafficClass, int hopLimit, int flowLabel) {
    /** The hop limit of {@link #of}. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    /**
     * A way to a peer.
     *
     * @param destination GID of the peer
     * @param trafficClass 0 to 255
     * @param hopLimit 0 to 255
     * @param flowLabel 20 bits
     * @throws RdmaException EINVAL if a number does not fit its field
     */
    public AddressVector {
        Arguments.required(destination, "destination");
        check("traffic class", trafficClass, 0xFF);
        check("hop limit", hopLimit, 0xFF);
        check("flow label", flowLabel, 0xFFFFF);
    }

    /**
     * The ordinary way to a peer: traffic class 0, hop limit 64, flow label 0.
     *
     * @param destination GID of the peer
     * @return the address vector
     */
    public static AddressVector of(Gid destination) {
        return new AddressVector(destination, 0, DEFAULT_HOP_LIMIT, 0);
    }

    private static void check(String field, int value, int max) {
        if (value < 0 || value > max) {
            throw new RdmaException(ErrorCode.EINVAL, field + " " + value + " is not in 0.." + max);
        }
    }
}
