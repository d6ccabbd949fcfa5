package io.rdma4j.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How {@link QueuePair#connect(QueuePairAddress, ConnectOptions)} sets up a connection. Immutable; each method that takes
 * a value returns a new instance.
 *
 * @param pathMtu the path MTU; null for the port's active MTU
 * @param timeout the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever
 * @param retryCount how often an unanswered request is sent again, 0 to 7
 * @param rnrRetry how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end
 * @param minRnrTimer the code of the wait that the peer is told when no receive is posted, 0 to 31
 * @param maxReadAtomic READs and atomics outstanding, as requester and as responder
 * @param accessFlags what the peer may do
 */
public record ConnectOptions(
        @Nullable PathMtu pathMtu,
        int timeout,
        int retryCount,
        int rnrRetry,
        int minRnrTimer,
        int maxReadAtomic,
        Set<AccessFlag> accessFlags) {
    /**
     * The port's active MTU, timeout 14 (67 ms), 7 retries, endless RNR retries, RNR timer 12 (0.64 ms), 16 READs and
     * atomics, and all remote rights (memory regions grant them or not).
     */
    public static final ConnectOptions DEFAULT = new ConnectOptions(
            null,
            14,
            7,
            7,
            12,
            16,
            EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));

    /** Options; the set is copied. */
    public ConnectOptions {
        accessFlags = Collections.unmodifiableSet(
                accessFlags.isEmpty() ? EnumSet.noneOf(AccessFlag.class) : EnumSet.copyOf(accessFlags));
    }

    /**
     * The same with another path MTU.
     *
     * @param value the path MTU
     * @return new options
     */
    public ConnectOptions pathMtu(PathMtu value) {
        return new ConnectOptions(value, timeout, retryCount, rnrRetry, minRnrTimer, maxReadAtomic, accessFlags);
    }

    /**
     * The same with another ACK timeout.
     *
     * @param value the code, 0 to 31
     * @return new options
     */
    public ConnectOptions timeout(int value) {
        return new ConnectOptions(pathMtu, value, retryCount, rnrRetry, minRnrTimer, maxReadAtomic, accessFlags);
    }

    /**
     * The same with another number of retries.
     *
     * @param value retries, 0 to 7
     * @return new options
     */
    public ConnectOptions retryCount(int value) {
        return new ConnectOptions(pathMtu, timeout, value, rnrRetry, minRnrTimer, maxReadAtomic, accessFlags);
    }

    /**
     * The same with another number of RNR retries.
     *
     * @param value retries, 0 to 7; 7 has no end
     * @return new options
     */
    public ConnectOptions rnrRetry(int value) {
        return new ConnectOptions(pathMtu, timeout, retryCount, value, minRnrTimer, maxReadAtomic, accessFlags);
    }

    /**
     * The same with another RNR timer.
     *
     * @param value the code, 0 to 31
     * @return new options
     */
    public ConnectOptions minRnrTimer(int value) {
        return new ConnectOptions(pathMtu, timeout, retryCount, rnrRetry, value, maxReadAtomic, accessFlags);
    }

    /**
     * The same with another number of outstanding READs and atomics, in both directions.
     *
     * @param value how many
     * @return new options
     */
    public ConnectOptions maxReadAtomic(int value) {
        return new ConnectOptions(pathMtu, timeout, retryCount, rnrRetry, minRnrTimer, value, accessFlags);
    }

    /**
     * The same with these rights of the peer and no others.
     *
     * @param flags what the peer may do
     * @return new options
     */
    public ConnectOptions access(AccessFlag... flags) {
        EnumSet<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        Collections.addAll(set, flags);
        return new ConnectOptions(pathMtu, timeout, retryCount, rnrRetry, minRnrTimer, maxReadAtomic, set);
    }
}
