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
        long faultsNs) {}
