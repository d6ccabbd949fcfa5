package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.FabricOptions;

/**
 * What the network does to a sweep.
 *
 * @param fromA what happens to frames from A
 * @param fromB what happens to frames from B
 * @param refusal how often a link refuses a claim
 * @param blackoutNs when everything is lost for a while; 0 for never
 * @param blackoutLengthNs for how long
 * @param faultsNs when the faults end; the rest of the program must then go through in bounded time
 */
record NetworkPlan(
        FabricOptions fromA,
        FabricOptions fromB,
        double refusal,
        long blackoutNs,
        long blackoutLengthNs,
        long faultsNs) {
    /** One line for each fault that there is. */
    void describe(StringBuilder text) {
        text.append("network from A: ").append(fromA.describe()).append('\n');
        text.append("network from B: ").append(fromB.describe()).append('\n');
        if (refusal > 0) {
            text.append("sending refused: ").append(refusal).append('\n');
        }
        if (blackoutNs > 0) {
            text.append("dark: ")
                    .append(blackoutLengthNs)
                    .append(" ns from ")
                    .append(blackoutNs)
                    .append(" ns on\n");
        }
        text.append("healed: after ").append(faultsNs).append(" ns\n");
    }
}
