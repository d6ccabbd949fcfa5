package io.rdma4j.testkit.goodput;

import io.rdma4j.testkit.fabric.FabricOptions;

/**
 * What came of a case.
 *
 * @param payloadBytes of requests that have completed
 * @param nanos how long that took, in virtual time
 * @param sentFrames by both devices
 * @param retransmittedFrames of these
 * @param timeouts of the transport timer
 * @param failures completions that were no success
 */
record Goodput(
        GoodputCase goodputCase,
        long payloadBytes,
        long nanos,
        long sentFrames,
        long retransmittedFrames,
        long timeouts,
        int failures) {
    /** BTH and ICRC: what nearly every frame has besides its payload. */
    private static final int ROCE_OVERHEAD = 16;

    long bitsPerSecond() {
        return payloadBytes * 8 * 1_000_000_000L / nanos;
    }

    /** The part of what the bandwidth can carry of payload, in percent. */
    double percent() {
        double efficiency = (double) GoodputRun.MTU / FabricOptions.wireBytes(GoodputRun.MTU + ROCE_OVERHEAD, true);
        return 100.0 * bitsPerSecond() / (goodputCase.network().bitsPerSecond() * efficiency);
    }

    double retransmittedPercent() {
        return 100.0 * retransmittedFrames / sentFrames;
    }
}
