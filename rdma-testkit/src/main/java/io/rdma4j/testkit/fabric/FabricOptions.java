package io.rdma4j.testkit.fabric;

/**
 * What one direction of the fabric does to frames. Probabilities are per frame, from 0 to 1; a frame may meet several
 * faults at once.
 *
 * @param loss the frame does not arrive
 * @param duplicate the frame arrives a second time, later
 * @param reorder the frame is overtaken by frames sent after it
 * @param corrupt the frame arrives with some bytes changed, or cut short
 * @param delayNs how long every frame is under way, in nanoseconds
 * @param jitterNs up to how much longer a frame may take, in nanoseconds; jitter alone never reorders
 */
public record FabricOptions(
        double loss, double duplicate, double reorder, double corrupt, long delayNs, long jitterNs) {
    /** The delay of a direction nothing else was asked for. */
    public static final long DEFAULT_DELAY_NS = 1_000;

    public FabricOptions {
        requireProbability("loss", loss);
        requireProbability("duplicate", duplicate);
        requireProbability("reorder", reorder);
        requireProbability("corrupt", corrupt);
        if (delayNs < 0 || jitterNs < 0) {
            throw new IllegalArgumentException("delayNs " + delayNs + " and jitterNs " + jitterNs + " must be >= 0");
        }
    }

    /** No faults, {@link #DEFAULT_DELAY_NS} of delay, no jitter. */
    public static FabricOptions clean() {
        return new FabricOptions(0, 0, 0, 0, DEFAULT_DELAY_NS, 0);
    }

    public FabricOptions loss(double probability) {
        return new FabricOptions(probability, duplicate, reorder, corrupt, delayNs, jitterNs);
    }

    public FabricOptions duplicate(double probability) {
        return new FabricOptions(loss, probability, reorder, corrupt, delayNs, jitterNs);
    }

    public FabricOptions reorder(double probability) {
        return new FabricOptions(loss, duplicate, probability, corrupt, delayNs, jitterNs);
    }

    public FabricOptions corrupt(double probability) {
        return new FabricOptions(loss, duplicate, reorder, probability, delayNs, jitterNs);
    }

    public FabricOptions delay(long nanos) {
        return new FabricOptions(loss, duplicate, reorder, corrupt, nanos, jitterNs);
    }

    public FabricOptions jitter(long nanos) {
        return new FabricOptions(loss, duplicate, reorder, corrupt, delayNs, nanos);
    }

    /** The same delay and jitter without any fault. */
    public FabricOptions healed() {
        return clean().delay(delayNs).jitter(jitterNs);
    }

    /** Up to how much later than its turn a reordered or duplicated frame arrives. */
    long overtakingNs() {
        return 4 * (delayNs + jitterNs) + 1_000;
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, not " + value);
        }
    }
}
