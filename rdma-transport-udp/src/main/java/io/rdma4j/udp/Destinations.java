package io.rdma4j.udp;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link Destination} of a path: one for each peer, traffic class and hop limit, however many paths say the same.
 */
final class Destinations {
    /** Bounds both tables; beyond it they start anew, which costs a resolution for each path still in use. */
    static final int MAX_PATHS = 4_096;

    private final InetSocketAddress local;
    private final boolean gso;
    private final IdentityHashMap<Path, Destination> byPath = new IdentityHashMap<>();
    private final Map<Path, Destination> byWay = new HashMap<>();
    private @Nullable Path lastPath;
    private @Nullable Destination last;

    Destinations(InetSocketAddress local, boolean gso) {
        this.local = local;
        this.gso = gso;
    }

    @SuppressWarnings("ReferenceEquality") // a path is made once and kept, so the same path is the same object
    Destination of(Path path) {
        Destination found = last;
        if (path != lastPath || found == null) {
            found = byPath.get(path);
            if (found == null) {
                found = resolve(path);
            }
            lastPath = path;
            last = found;
        }
        return found;
    }

    private Destination resolve(Path path) {
        if (byPath.size() >= MAX_PATHS) {
            byPath.clear();
            byWay.clear();
        }
        Destination destination = byWay.computeIfAbsent(withoutFlowLabel(path), this::create);
        byPath.put(path, destination);
        return destination;
    }

    /** The flow label is none of a socket's business: Linux gives each flow its own. */
    private static Path withoutFlowLabel(Path path) {
        return new Path(path.local(), path.remote(), path.trafficClass(), path.hopLimit(), 0);
    }

    private Destination create(Path path) {
        Gid remote = path.remote();
        Gid from = Gid.of(local.getAddress());
        PacketAddresses addresses = new PacketAddresses()
                .source(from.high(), from.low(), local.getPort())
                .destination(remote.addressHigh(), remote.addressLow(), remote.devicePort());
        return new Destination(path, addresses, gso);
    }
}
