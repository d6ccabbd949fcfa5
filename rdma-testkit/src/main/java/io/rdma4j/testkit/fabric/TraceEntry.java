package io.rdma4j.testkit.fabric;

import java.util.Set;

/**
 * One frame as it was sent, and what became of it.
 *
 * @param timeNs when it was sent, in the fabric's virtual time
 * @param frame what it was
 * @param fates what happened to it; empty when it was delivered in its turn, once and whole
 */
public record TraceEntry(long timeNs, FrameView frame, Set<Fate> fates) {
    public TraceEntry {
        fates = Set.copyOf(fates);
    }

    /**
     * Whether at least one copy of the frame was put on its way to a device, whole or not. It has arrived there unless the
     * device's cable was pulled meanwhile.
     */
    public boolean arrived() {
        return fates.stream().noneMatch(Fate::isEnd);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(128).append(timeNs).append(' ').append(frame);
        for (Fate fate : Fate.values()) {
            if (fates.contains(fate)) {
                text.append(' ').append(fate);
            }
        }
        return text.toString();
    }
}
