package io.rdma4j.testkit.fabric;

import java.util.StringJoiner;

/**
 * What one direction of the fabric does to frames. Immutable: each method gives a changed copy. Probabilities are per
 * frame, from 0 to 1; a frame may meet several faults at once.
 *
 * <p>A frame first waits its turn before the bandwidth, or is lost because the queue there is full; then it is under way
 * for the delay and the jitter, and the faults happen to it there.
 *
 * @param loss the frame does not arrive
 * @param duplicate the frame arrives a second time, later
 * @param reorder the frame is overtaken by frames sent after it
 * @param corrupt the frame arrives with some bytes changed, or cut short
 * @param delayNs how long every frame is under way, in nanoseconds
 * @param jitterNs up to how much longer a frame may take, in nanoseconds; jitter alone never reorders
 * @param bitsPerSecond how fast frames leave one after the other, counting {@link #wireBytes}; {@link #UNLIMITED} (0) for
 *     no time at all
 * @param queueBytes how many bytes may wait to leave, by {@link #wireBytes} and the frame that is leaving included; a
 *     frame that finds no room is lost (tail drop). {@link #UNLIMITED} (0) for any number. Without a bandwidth nothing
 *     waits
 * @param queueFrames the same bound in frames
 */
public record FabricOptions(
        double loss,
        double duplicate,
        double reorder,
        double corrupt,
        long delayNs,
        long jitterNs,
        long bitsPerSecond,
        long queueBytes,
        int queueFrames) {
    /** The delay of a direction nothing else was asked for, in nanoseconds. */
    public static final long DEFAULT_DELAY_NS = 1_000;

    /** For a bandwidth or a queue that has no bound. */
    public static final int UNLIMITED = 0;

    /** What Ethernet puts around an IP packet: preamble 8, header 14, check sequence 4, gap 12. */
    private static final int ETHERNET_BYTES = 38;

    private static final int UDP_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final long NANOS = 1_000_000_000L;

    public FabricOptions {
        requireProbability("loss", loss);
        requireProbability("duplicate", duplicate);
        requireProbability("reorder", reorder);
        requireProbability("corrupt", corrupt);
        requireNotNegative("delayNs", delayNs);
        requireNotNegative("jitterNs", jitterNs);
        requireNotNegative("bitsPerSecond", bitsPerSecond);
        requireNotNegative("queueBytes", queueBytes);
        requireNotNegative("queueFrames", queueFrames);
    }

    /** Faults and delays with unlimited bandwidth. */
    public FabricOptions(double loss, double duplicate, double reorder, double corrupt, long delayNs, long jitterNs) {
        this(loss, duplicate, reorder, corrupt, delayNs, jitterNs, UNLIMITED, UNLIMITED, UNLIMITED);
    }

    /** No faults, {@link #DEFAULT_DELAY_NS} of delay, no jitter, unlimited bandwidth. */
    public static FabricOptions clean() {
        return new FabricOptions(0, 0, 0, 0, DEFAULT_DELAY_NS, 0);
    }

    public FabricOptions loss(double probability) {
        return faults(probability, duplicate, reorder, corrupt);
    }

    public FabricOptions duplicate(double probability) {
        return faults(loss, probability, reorder, corrupt);
    }

    public FabricOptions reorder(double probability) {
        return faults(loss, duplicate, probability, corrupt);
    }

    public FabricOptions corrupt(double probability) {
        return faults(loss, duplicate, reorder, probability);
    }

    /** Every frame is under way for so many nanoseconds. */
    public FabricOptions delay(long nanos) {
        return times(nanos, jitterNs);
    }

    /** Every frame takes up to so many nanoseconds longer. */
    public FabricOptions jitter(long nanos) {
        return times(delayNs, nanos);
    }

    /** Frames leave at so many bits in a second. */
    public FabricOptions bandwidth(long bits) {
        return capacity(bits, queueBytes, queueFrames);
    }

    /** So many bytes may wait before the bandwidth; what finds no room is lost. */
    public FabricOptions queueBytes(long bytes) {
        return capacity(bitsPerSecond, bytes, queueFrames);
    }

    /** So many frames may wait before the bandwidth; what finds no room is lost. */
    public FabricOptions queueFrames(int frames) {
        return capacity(bitsPerSecond, queueBytes, frames);
    }

    private FabricOptions faults(double lost, double duplicated, double reordered, double corrupted) {
        return new FabricOptions(
                lost, duplicated, reordered, corrupted, delayNs, jitterNs, bitsPerSecond, queueBytes, queueFrames);
    }

    private FabricOptions times(long delay, long jitter) {
        return new FabricOptions(
                loss, duplicate, reorder, corrupt, delay, jitter, bitsPerSecond, queueBytes, queueFrames);
    }

    private FabricOptions capacity(long bits, long bytes, int frames) {
        return new FabricOptions(loss, duplicate, reorder, corrupt, delayNs, jitterNs, bits, bytes, frames);
    }

    /** The same delay, jitter and bandwidth without anything that loses or changes a frame: no faults, an endless queue. */
    public FabricOptions healed() {
        return clean().delay(delayNs).jitter(jitterNs).bandwidth(bitsPerSecond);
    }

    /**
     * What a frame takes of the bandwidth, in bytes: with its UDP and IP headers and what Ethernet puts around them.
     *
     * @param roceBytes from the BTH to the ICRC, both included
     */
    public static int wireBytes(int roceBytes, boolean ipv4) {
        return ETHERNET_BYTES + (ipv4 ? IPV4_BYTES : IPV6_BYTES) + UDP_BYTES + roceBytes;
    }

    /** How long so many bytes take to leave, in nanoseconds, rounded up; 0 where the bandwidth has no bound. */
    public long leavingNs(long bytes) {
        return bitsPerSecond == UNLIMITED ? 0 : (bytes * 8 * NANOS + bitsPerSecond - 1) / bitsPerSecond;
    }

    /** Up to how much later than its turn a reordered or duplicated frame arrives. */
    long overtakingNs() {
        return 4 * (delayNs + jitterNs) + 1_000;
    }

    /** What differs from nothing, in words. */
    String describe() {
        StringJoiner text = new StringJoiner(", ");
        text.add("delay " + delayNs + " ns");
        add(text, jitterNs > 0, "jitter " + jitterNs + " ns");
        add(text, loss > 0, "loss " + loss);
        add(text, duplicate > 0, "duplicate " + duplicate);
        add(text, reorder > 0, "reorder " + reorder);
        add(text, corrupt > 0, "corrupt " + corrupt);
        add(text, bitsPerSecond > 0, bitsPerSecond + " bit/s");
        add(text, queueBytes > 0, "queue of " + queueBytes + " bytes");
        add(text, queueFrames > 0, "queue of " + queueFrames + " frames");
        return text.toString();
    }

    private static void add(StringJoiner text, boolean wanted, String part) {
        if (wanted) {
            text.add(part);
        }
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, not " + value);
        }
    }

    private static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must be >= 0, not " + value);
        }
    }
}
