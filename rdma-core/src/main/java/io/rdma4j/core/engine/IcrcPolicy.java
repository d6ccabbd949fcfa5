package io.rdma4j.core.engine;

/** What becomes of a received frame whose ICRC is wrong (§1.1). */
public enum IcrcPolicy {
    /** Dropped and counted. */
    STRICT,
    /** Taken; the ICRC is not looked at. */
    OFF
}
