package io.rdma4j.udp;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.device.SoftDevice;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The devices this program has open, by address and port. Opening one again with the same options gives another context on
 * it; the device closes with its last context.
 */
final class DeviceRegistry {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<InetSocketAddress, Entry> OPEN = new HashMap<>();

    private DeviceRegistry() {}

    /** A device and how many contexts use it; guarded by the lock. */
    private static final class Entry {
        final OpenDevice device;
        int contexts;

        Entry(OpenDevice device) {
            this.device = device;
        }
    }

    static RdmaDevice open(UdpOptions options) {
        if (DeviceThread.isCurrent()) {
            throw new RdmaException(
                    ErrorCode.EDEADLK, "opening a device waits, which an event loop of another device must not");
        }
        InetSocketAddress wanted =
                new InetSocketAddress(options.address(), options.socket().port());
        while (true) {
            OpenDevice closing;
            LOCK.lock();
            try {
                Entry entry = OPEN.get(wanted);
                if (entry == null) {
                    return context(create(options));
                }
                if (entry.contexts > 0) {
                    requireSame(entry, options);
                    return context(entry);
                }
                closing = entry.device;
            } finally {
                LOCK.unlock();
            }
            closing.awaitClosed();
            forget(closing);
        }
    }

    private static Entry create(UdpOptions options) {
        Entry entry = new Entry(OpenDevice.open(options));
        OPEN.put(entry.device.local(), entry);
        return entry;
    }

    private static void requireSame(Entry entry, UdpOptions options) {
        DeviceDescription description = entry.device.description();
        if (!description.options().equals(options)) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    description.name() + " is open in this program with other options: " + description.options()
                            + ", not " + options);
        }
    }

    private static RdmaDevice context(Entry entry) {
        entry.contexts++;
        OpenDevice device = entry.device;
        return new SoftDevice(device.description().name(), device.engine(), new ContextDriver(entry));
    }

    /** Gives a context back; the last one closes the device. */
    private static void release(Entry entry) {
        LOCK.lock();
        try {
            if (--entry.contexts > 0) {
                return;
            }
        } finally {
            LOCK.unlock();
        }
        // Not under the lock: closing waits for the loop, and the loop may be in here as well.
        entry.device.driver().close();
        forget(entry.device);
    }

    private static void forget(OpenDevice device) {
        LOCK.lock();
        try {
            Entry entry = OPEN.get(device.local());
            if (entry != null && entry.device == device) {
                OPEN.remove(device.local());
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** The driver as one context sees it: closing it gives the context back. */
    private static final class ContextDriver implements DeviceDriver {
        private final Entry entry;
        private final AtomicBoolean closed = new AtomicBoolean();

        ContextDriver(Entry entry) {
            this.entry = entry;
        }

        @Override
        public <T> T call(Supplier<T> command) {
            if (closed.get()) {
                throw OwnerCall.stopped();
            }
            return entry.device.driver().call(command);
        }

        @Override
        public boolean isOwnerThread() {
            return entry.device.driver().isOwnerThread();
        }

        @Override
        public void joinGroup(Gid group) {
            entry.device.groups().join(group);
        }

        @Override
        public void leaveGroup(Gid group) {
            entry.device.groups().leave(group);
        }

        @Override
        public void close() {
            if (!closed.getAndSet(true)) {
                release(entry);
            }
        }
    }
}
