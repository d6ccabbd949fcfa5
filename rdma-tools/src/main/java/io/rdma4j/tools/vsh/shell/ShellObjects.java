package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;

/** Everything a session has: a device, one protection domain, and named objects in it. */
final class ShellObjects implements AutoCloseable {
    final NamedObjects<ShellRegion> regions = new NamedObjects<>(Kind.REGION);
    final NamedObjects<CompletionQueue> completionQueues = new NamedObjects<>(Kind.COMPLETION_QUEUE);
    final NamedObjects<SharedReceiveQueue> sharedReceiveQueues = new NamedObjects<>(Kind.SHARED_RECEIVE_QUEUE);
    final NamedObjects<QueuePair> queuePairs = new NamedObjects<>(Kind.QUEUE_PAIR);
    final NamedObjects<AddressHandle> addressHandles = new NamedObjects<>(Kind.ADDRESS_HANDLE);
    final NamedObjects<MemoryWindow> windows = new NamedObjects<>(Kind.WINDOW);

    private final RdmaDevice device;
    private final ProtectionDomain domain;

    ShellObjects(RdmaDevice device) {
        this.device = device;
        this.domain = device.allocateProtectionDomain();
    }

    RdmaDevice device() {
        return device;
    }

    ProtectionDomain domain() {
        return domain;
    }

    NamedObjects<?> of(Kind kind) {
        return switch (kind) {
            case REGION -> regions;
            case COMPLETION_QUEUE -> completionQueues;
            case SHARED_RECEIVE_QUEUE -> sharedReceiveQueues;
            case QUEUE_PAIR -> queuePairs;
            case ADDRESS_HANDLE -> addressHandles;
            case WINDOW -> windows;
        };
    }

    /** Destroys all objects, users before what they use. The device stays open: it belongs to whoever opened it. */
    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(queuePairs.drain());
        all.addAll(addressHandles.drain());
        all.addAll(windows.drain());
        all.addAll(sharedReceiveQueues.drain());
        regions.drain().forEach(region -> all.add(region.region()));
        all.addAll(completionQueues.drain());
        all.add(domain);
        RdmaException first = null;
        for (AutoCloseable object : all) {
            try {
                object.close();
            } catch (RdmaException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                throw new IllegalStateException("closing " + object, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
