package io.rdma4j.core.wire;

/** A packet's place in its message. */
public enum Position {
    FIRST,
    MIDDLE,
    LAST,
    ONLY;

    /** Whether a message begins with such a packet. */
    public boolean begins() {
        return this == FIRST || this == ONLY;
    }

    /** Whether a message ends with such a packet. */
    public boolean ends() {
        return this == LAST || this == ONLY;
    }
}
