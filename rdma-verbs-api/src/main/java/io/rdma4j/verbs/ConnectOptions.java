package io.rdma4j.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How {@link QueuePair#connect(QueuePairAddress, ConnectOptions)} sets up a connection. Immutable; each method that takes
 * a value returns new options. Values are checked by {@code connect}.
 *
 * <pre>{@code
 * qp.connect(peer, ConnectOptions.DEFAULT.timeout(18).pathMtu(PathMtu.MTU_1024));
 * }</pre>
 */
public final class ConnectOptions {
    /**
     * The port's active MTU, timeout 14 (67 ms), 7 retries, RNR retries without end, RNR timer 12 (0.64 ms), 16 READs and
     * atomics each way, all remote rights, which memory regions then grant or not, traffic class 0 and hop limit 64.
     */
    public static final ConnectOptions DEFAULT = new ConnectOptions(QueuePairAttributes.builder()
            .timeout(14)
            .retryCount(7)
            .rnrRetry(7)
            .minRnrTimer(12)
            .maxReadAtomic(16)
            .accessFlags(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
            .build());

    /** The options as the attributes that they become. */
    private final QueuePairAttributes attributes;

    private ConnectOptions(QueuePairAttributes attributes) {
        this.attributes = attributes;
    }

    /** {@return the path MTU, or null for the port's active MTU} */
    public @Nullable PathMtu pathMtu() {
        return attributes.has(QueuePairAttribute.PATH_MTU) ? attributes.pathMtu() : null;
    }

    /** {@return how many READs and atomics may be outstanding, as requester and as responder} */
    public int maxReadAtomic() {
        return attributes.maxReadAtomic();
    }

    /** {@return what the peer may do; unmodifiable} */
    public Set<AccessFlag> accessFlags() {
        return attributes.accessFlags();
    }

    /** {@return the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever} */
    public int timeout() {
        return attributes.timeout();
    }

    /** {@return how often an unanswered request is sent again, 0 to 7} */
    public int retryCount() {
        return attributes.retryCount();
    }

    /** {@return how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end} */
    public int rnrRetry() {
        return attributes.rnrRetry();
    }

    /** {@return the code of the wait that the peer is told when no receive is posted, 0 to 31} */
    public int minRnrTimer() {
        return attributes.minRnrTimer();
    }

    /** {@return the IPv4 TOS or IPv6 traffic class of what this side sends, 0 to 255} */
    public int trafficClass() {
        return addressVector(Gid.ZERO).trafficClass();
    }

    /** {@return the IPv4 TTL or IPv6 hop limit of what this side sends, 0 to 255} */
    public int hopLimit() {
        return addressVector(Gid.ZERO).hopLimit();
    }

    AddressVector addressVector(Gid destination) {
        AddressVector way = attributes.addressVector();
        return new AddressVector(destination, way.trafficClass(), way.hopLimit(), way.flowLabel());
    }

    /**
     * The same with another path MTU, to which the peer must agree.
     *
     * @param value the path MTU, not above the port's active MTU
     * @return new options
     */
    public ConnectOptions pathMtu(PathMtu value) {
        return new ConnectOptions(attributes.toBuilder().pathMtu(value).build());
    }

    /**
     * The same with another number of READs and atomics outstanding, as requester and as responder.
     *
     * @param value how many, not above the device's limits
     * @return new options
     */
    public ConnectOptions maxReadAtomic(int value) {
        return new ConnectOptions(attributes.toBuilder().maxReadAtomic(value).build());
    }

    /**
     * The same with these rights of the peer and no others.
     *
     * @param flags what the peer may do
     * @return new options
     */
    public ConnectOptions access(AccessFlag... flags) {
        return new ConnectOptions(attributes.toBuilder().accessFlags(flags).build());
    }

    /**
     * The same with another ACK timeout.
     *
     * @param value the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever
     * @return new options
     */
    public ConnectOptions timeout(int value) {
        return new ConnectOptions(attributes.toBuilder().timeout(value).build());
    }

    /**
     * The same with another number of retries.
     *
     * @param value how often an unanswered request is sent again, 0 to 7
     * @return new options
     */
    public ConnectOptions retryCount(int value) {
        return new ConnectOptions(attributes.toBuilder().retryCount(value).build());
    }

    /**
     * The same with another number of RNR retries.
     *
     * @param value how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end
     * @return new options
     */
    public ConnectOptions rnrRetry(int value) {
        return new ConnectOptions(attributes.toBuilder().rnrRetry(value).build());
    }

    /**
     * The same with another RNR timer.
     *
     * @param value the code of the wait that the peer is told when no receive is posted, 0 to 31
     * @return new options
     */
    public ConnectOptions minRnrTimer(int value) {
        return new ConnectOptions(attributes.toBuilder().minRnrTimer(value).build());
    }

    /**
     * The same with another traffic class; that of what the peer sends is the peer's.
     *
     * @param value IPv4 TOS or IPv6 traffic class: six bits of DSCP, two of ECN
     * @return new options
     * @throws RdmaException EINVAL if it is not in 0 to 255
     */
    public ConnectOptions trafficClass(int value) {
        return new ConnectOptions(attributes.toBuilder()
                .addressVector(new AddressVector(Gid.ZERO, value, hopLimit(), 0))
                .build());
    }

    /**
     * The same with another hop limit.
     *
     * @param value IPv4 TTL or IPv6 hop limit
     * @return new options
     * @throws RdmaException EINVAL if it is not in 0 to 255
     */
    public ConnectOptions hopLimit(int value) {
        return new ConnectOptions(attributes.toBuilder()
                .addressVector(new AddressVector(Gid.ZERO, trafficClass(), value, 0))
                .build());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectOptions that && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** {@return the options as attributes} */
    @Override
    public String toString() {
        return attributes.toString();
    }
}
