package io.rdma4j.core.wire;

import java.util.Arrays;

/** End-to-end flow control credit codes: how an ACK tells the number of receives that wait at the responder (§4.2). */
public final class Credits {
    /** The code that switches flow control by credits off. */
    public static final int UNLIMITED_CODE = Syndrome.UNLIMITED_CREDITS;

    /** The number of receives that {@link #UNLIMITED_CODE} stands for. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final int[] COUNTS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    private Credits() {}

    /**
     * The number of receives a code stands for.
     *
     * @param code 0 to 31
     */
    public static int count(int code) {
        return code == UNLIMITED_CODE ? UNLIMITED : COUNTS[code];
    }

    /** The code of the largest table value that is not above {@code receives}. */
    public static int encode(int receives) {
        int found = Arrays.binarySearch(COUNTS, receives);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }
}
