package io.rdma4j.testkit.fabric;

/** The way from one device to another: its options, and when the newest frame that kept its turn arrives. */
final class Direction {
    FabricOptions options;
    private long newestArrivalNs = Long.MIN_VALUE;

    Direction(FabricOptions options) {
        this.options = options;
    }

    /** When a frame sent now would arrive in its turn; never before one that was sent earlier. */
    long turnNs(long nowNs, Verdict verdict) {
        return Math.max(newestArrivalNs, nowNs + options.delayNs() + verdict.jitterNs);
    }

    void keptTurn(long arrivalNs) {
        newestArrivalNs = arrivalNs;
    }
}
