package io.rdma4j.core.wire;

/** The codes of the transport (ACK) timer: 4.096 microseconds times a power of two (§4.4). */
public final class AckTimeout {
    /** Codes are 0 to 31. */
    public static final int MAX_CODE = 31;

    /** What code 0 means: wait for ever. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long UNIT_NANOS = 4096;

    private AckTimeout() {}

    /**
     * The least time without an answer after which the requester sends again, or {@link #NEVER}.
     *
     * @param code 0 to 31
     */
    public static long nanos(int code) {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException("timeout code " + code + " is not in 0..31");
        }
        return code == 0 ? NEVER : UNIT_NANOS << code;
    }
}
