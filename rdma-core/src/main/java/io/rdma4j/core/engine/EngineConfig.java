package io.rdma4j.core.engine;

import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.util.random.RandomGenerator;

/**
 * What an engine is told when it is made.
 *
 * @param gid the device's only GID
 * @param port its UDP port
 * @param activeMtu the path MTU that its interface allows (§1)
 * @param receiveBufferBytes what its socket buffer holds; budgets towards peers start from it
 * @param random where queue pair numbers and keys come from: secure in production, seeded in tests
 * @param icrc whether received frames must carry a right ICRC
 * @param limits what it grants its programs
 */
public record EngineConfig(
        Gid gid,
        int port,
        PathMtu activeMtu,
        int receiveBufferBytes,
        RandomGenerator random,
        IcrcPolicy icrc,
        DeviceLimits limits) {
    /** With {@link DeviceLimits#DEFAULT}. */
    public EngineConfig(
            Gid gid, int port, PathMtu activeMtu, int receiveBufferBytes, RandomGenerator random, IcrcPolicy icrc) {
        this(gid, port, activeMtu, receiveBufferBytes, random, icrc, DeviceLimits.DEFAULT);
    }

    /** The same with other limits. */
    public EngineConfig limits(DeviceLimits other) {
        return new EngineConfig(gid, port, activeMtu, receiveBufferBytes, random, icrc, other);
    }
}
