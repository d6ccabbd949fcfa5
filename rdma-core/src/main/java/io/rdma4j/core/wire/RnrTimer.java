package io.rdma4j.core.wire;

import java.math.BigDecimal;

/** The codes of the receiver-not-ready timer (§4.3). */
public final class RnrTimer {
    /** Codes are 0 to 31. */
    public static final int MAX_CODE = 31;

    /** The table in units of 10 microseconds, in which all its entries are whole. */
    private static final int[] TENS_OF_MICROSECONDS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final long NANOS_PER_UNIT = 10_000;

    private RnrTimer() {}

    /**
     * The least time the requester waits before it sends again.
     *
     * @param code 0 to 31
     */
    public static long nanos(int code) {
        return TENS_OF_MICROSECONDS[code] * NANOS_PER_UNIT;
    }

    /** The code's time in words, such as {@code 0.64ms}. */
    static String describe(int code) {
        return BigDecimal.valueOf(TENS_OF_MICROSECONDS[code], 2)
                        .stripTrailingZeros()
                        .toPlainString() + "ms";
    }
}
