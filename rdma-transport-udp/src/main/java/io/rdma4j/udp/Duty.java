package io.rdma4j.udp;

/** The part of an engine that a driver's turns need. */
interface Duty {
    /** Does what is due and what was asked for, within a bound. */
    void advance(long nowNs);

    /** When {@link #advance} must run again at the latest; {@code Long.MAX_VALUE} for never, not later than now for at once. */
    long nextDeadlineNs();
}
