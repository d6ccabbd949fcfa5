package io.rdma4j.testkit.sweep;

/**
 * What a seed amounted to.
 *
 * @param seed the seed
 * @param frames how many frames were sent
 * @param virtualNs how long it took in virtual time
 * @param traceHash of every frame
 */
public record SweepResult(long seed, long frames, long virtualNs, long traceHash) {}
