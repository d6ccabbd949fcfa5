package io.rdma4j.udp;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the network interface of a device is up and has a carrier, and tells when that changes (§10).
 * Frames are sent and received all the same, as far as the system lets them.
 */
final class LinkWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LinkWatch.class);

    /** How often it looks: one short system call. */
    static final long LOOK_MS = 1_000;

    /** Hears of changes, on the loop. */
    @FunctionalInterface
    interface Listener {
        void onLink(boolean up);
    }

    private final EventLoop loop;
    private final String name;
    private final BooleanSupplier isUp;
    private final Listener listener;
    private boolean wasUp = true;
    private @Nullable Future<?> looking;

    LinkWatch(EventLoop loop, String name, BooleanSupplier isUp, Listener listener) {
        this.loop = loop;
        this.name = name;
        this.isUp = isUp;
        this.listener = listener;
    }

    /** Whether an interface works; one that nobody knows is taken for one that does, one that is gone for one that does not. */
    static BooleanSupplier of(@Nullable NetworkInterface networkInterface) {
        return () -> {
            try {
                return networkInterface == null || networkInterface.isUp();
            } catch (SocketException e) {
                return false;
            }
        };
    }

    /** Looks at once and from then on; on the loop. */
    void start(long everyMs) {
        look();
        looking = loop.scheduleAtFixedRate(this::look, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }

    void stop() {
        if (looking != null) {
            looking.cancel(false);
        }
    }

    private void look() {
        boolean up = isUp.getAsBoolean();
        if (up != wasUp) {
            wasUp = up;
            LOG.warn("{} is {}", name, up ? "up again" : "down");
            listener.onLink(up);
        }
    }
}
