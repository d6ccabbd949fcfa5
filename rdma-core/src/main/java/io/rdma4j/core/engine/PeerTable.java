package io.rdma4j.core.engine;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.verbs.Gid;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The remote addresses in use, each with its budget; bounded, and an entry goes with the last queue pair to it. */
final class PeerTable {
    private final Map<Gid, PeerState> peers = new HashMap<>();
    private final int receiveBufferBytes;

    PeerTable(int receiveBufferBytes) {
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** The peer at {@code remote}, or null when the table is full. */
    @Nullable
    PeerState acquire(Gid remote) {
        PeerState peer = peers.get(remote);
        if (peer == null) {
            if (peers.size() == EngineLimits.MAX_PEERS) {
                return null;
            }
            peer = new PeerState(remote, receiveBufferBytes);
            peers.put(remote, peer);
        }
        peer.retain();
        return peer;
    }

    /** The peer at {@code remote}, or null when no queue pair uses it. */
    @Nullable
    PeerState find(Gid remote) {
        return peers.get(remote);
    }

    void release(PeerState peer) {
        if (peer.release() == 0) {
            peers.remove(peer.remote());
        }
    }
}
