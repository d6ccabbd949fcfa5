package io.rdma4j.tools.pingpong;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code ibv_rc_pingpong} that need what this device has not; known, so that they are refused with words. */
final class UnsupportedOptions {
    @Option(
            names = {"-o", "--odp"},
            hidden = true)
    private boolean onDemandPaging;

    @Option(
            names = {"-O", "--iodp"},
            hidden = true)
    private boolean implicitOnDemandPaging;

    @Option(
            names = {"-P", "--prefetch"},
            hidden = true)
    private boolean prefetch;

    @Option(
            names = {"-t", "--ts"},
            hidden = true)
    private boolean timestamps;

    @Option(
            names = {"-j", "--dm"},
            hidden = true)
    private boolean deviceMemory;

    @Option(
            names = {"-N", "--new_send"},
            hidden = true)
    private boolean newSend;

    /** Why the first of the given ones cannot be had, or null when none was given. */
    @Nullable
    String refusal() {
        if (onDemandPaging || implicitOnDemandPaging || prefetch) {
            return "--odp, --iodp, --prefetch: the device has no on-demand paging; its memory is always present";
        }
        if (timestamps) {
            return "--ts: the device has no completion timestamps";
        }
        if (deviceMemory) {
            return "--dm: the device has no memory of its own";
        }
        return newSend ? "--new_send: requests are posted in one way only; leave the option out" : null;
    }
}
