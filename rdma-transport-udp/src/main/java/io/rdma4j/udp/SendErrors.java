package io.rdma4j.udp;

import io.netty.channel.unix.Errors;
import io.rdma4j.verbs.Gid;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames that the kernel refused to send, by errno. Each counts as a lost packet: the protocol repeats it or gives up. The
 * first of a kind is told.
 */
final class SendErrors {
    private static final Logger LOG = LoggerFactory.getLogger(SendErrors.class);
    static final int EIO = 5;
    static final int EINVAL = 22;
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "EPERM"),
            Map.entry(EIO, "EIO"),
            Map.entry(12, "ENOMEM"),
            Map.entry(13, "EACCES"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(90, "EMSGSIZE"),
            Map.entry(97, "EAFNOSUPPORT"),
            Map.entry(99, "EADDRNOTAVAIL"),
            Map.entry(100, "ENETDOWN"),
            Map.entry(101, "ENETUNREACH"),
            Map.entry(105, "ENOBUFS"),
            Map.entry(111, "ECONNREFUSED"),
            Map.entry(113, "EHOSTUNREACH"));

    /** Hears of each refusal: which peer, and the name of the error. */
    @FunctionalInterface
    interface Listener {
        void onRefused(Gid remote, String error);
    }

    private Listener listener = (remote, error) -> {};

    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();

    /** The errno behind a failed write; 0 where the transport does not tell. */
    static int errno(Throwable cause) {
        return cause instanceof Errors.NativeIoException io ? -io.expectedErr() : 0;
    }

    /** Who is to hear of refusals; owner thread, like all that follows. */
    void listener(Listener engine) {
        listener = engine;
    }

    void count(Throwable cause, Destination destination, int frames) {
        String name = NAMES.getOrDefault(errno(cause), "other");
        listener.onRefused(destination.remote, name.equals("other") ? cause.toString() : name);
        String counter = "send_error_" + name.toLowerCase(Locale.ROOT);
        if (counts.merge(counter, (long) frames, Long::sum) == frames) {
            LOG.warn(
                    "frames to {} cannot be sent and count as lost: {} (told once for {})",
                    destination.socket,
                    cause.toString(),
                    name);
        }
    }

    /** Frames not sent, as counters {@code send_error_<errno>}; a live view for any thread. */
    Map<String, Long> counts() {
        return counts;
    }
}
