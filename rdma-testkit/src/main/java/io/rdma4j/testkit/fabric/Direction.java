package io.rdma4j.testkit.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from one device to another: its options, the queue before its bandwidth, when the newest frame that kept its
 * turn arrives, and the frames a rule holds back until others have passed.
 */
final class Direction {
    FabricOptions options;
    private final Bottleneck bottleneck = new Bottleneck();
    private final List<Held> held = new ArrayList<>();
    private long newestArrivalNs = Long.MIN_VALUE;

    Direction(FabricOptions options) {
        this.options = options;
    }

    /** When a frame sent now has left its sender, or {@link Bottleneck#NO_ROOM}. */
    long leave(long nowNs, Frame frame) {
        boolean ipv4 = frame.path.local().isIpv4();
        return bottleneck.leave(nowNs, FabricOptions.wireBytes(frame.length, ipv4), options);
    }

    /** When a frame that leaves then would arrive in its turn; never before one that was sent earlier. */
    long turnNs(long leftNs, Verdict verdict) {
        return Math.max(newestArrivalNs, leftNs + options.delayNs() + verdict.jitterNs);
    }

    void keptTurn(long arrivalNs) {
        newestArrivalNs = arrivalNs;
    }

    /** Holds something back until so many frames have passed. */
    Held hold(int frames, Runnable arrival) {
        Held frame = new Held(frames, arrival);
        held.add(frame);
        return frame;
    }

    /** A frame passes: what it was the last for may follow, and is returned in the order of sending. */
    List<Held> passed() {
        if (held.isEmpty()) {
            return List.of();
        }
        held.removeIf(frame -> frame.let);
        List<Held> ready =
                held.stream().filter(frame -> --frame.framesLeft == 0).toList();
        held.removeAll(ready);
        return ready;
    }

    /** A frame that waits for others to pass; it arrives once, by count or by time, whatever comes first. */
    static final class Held {
        private final Runnable arrival;
        private int framesLeft;
        private boolean let;

        private Held(int frames, Runnable arrival) {
            this.framesLeft = frames;
            this.arrival = arrival;
        }

        void arrive() {
            if (!let) {
                let = true;
                arrival.run();
            }
        }
    }
}
