package io.rdma4j.testkit.fabric;

import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.util.random.RandomGenerator;

/** The engine settings of devices on the fabric. */
final class FabricEngines {
    /** What a Linux socket gives after its usual limits are raised; the peers' in-flight budget follows from it. */
    static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    private FabricEngines() {}

    static EngineConfig config(Gid gid, PathMtu activeMtu, int receiveBufferBytes, RandomGenerator random) {
        return new EngineConfig(gid, gid.devicePort(), activeMtu, receiveBufferBytes, random, IcrcPolicy.STRICT);
    }
}
