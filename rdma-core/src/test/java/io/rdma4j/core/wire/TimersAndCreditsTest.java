package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimersAndCreditsTest {
    /** §4.3 in milliseconds, by code. */
    private static final String[] RNR_MILLIS = {
        "655.36", "0.01", "0.02", "0.03", "0.04", "0.06", "0.08", "0.12", "0.16", "0.24", "0.32", "0.48", "0.64",
        "0.96", "1.28", "1.92", "2.56", "3.84", "5.12", "7.68", "10.24", "15.36", "20.48", "30.72", "40.96", "61.44",
        "81.92", "122.88", "163.84", "245.76", "327.68", "491.52"
    };

    /** §4.2 by code. */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    @Test
    void rnrTimerFollowsTheTable() {
        assertThat(RNR_MILLIS).hasSize(RnrTimer.MAX_CODE + 1);
        for (int code = 0; code <= RnrTimer.MAX_CODE; code++) {
            long nanos = new BigDecimal(RNR_MILLIS[code]).movePointRight(6).longValueExact();
            assertThat(RnrTimer.nanos(code)).as("code %d", code).isEqualTo(nanos);
            assertThat(RnrTimer.describe(code)).isEqualTo(RNR_MILLIS[code] + "ms");
        }
    }

    @Test
    void ackTimeoutDoublesWithEachCode() {
        assertThat(AckTimeout.nanos(0)).isEqualTo(AckTimeout.NEVER);
        assertThat(AckTimeout.nanos(1)).isEqualTo(8_192);
        assertThat(AckTimeout.nanos(14)).isEqualTo(67_108_864);
        assertThat(AckTimeout.nanos(18)).isEqualTo(1_073_741_824);
        assertThat(AckTimeout.nanos(31)).isEqualTo(8_796_093_022_208L);
        assertThatThrownBy(() -> AckTimeout.nanos(32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AckTimeout.nanos(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void creditCodesFollowTheTable() {
        for (int code = 0; code < CREDITS.length; code++) {
            assertThat(Credits.count(code)).as("code %d", code).isEqualTo(CREDITS[code]);
            assertThat(Credits.encode(CREDITS[code])).isEqualTo(code);
        }
        assertThat(Credits.count(Credits.UNLIMITED_CODE)).isEqualTo(Credits.UNLIMITED);
    }

    @Test
    void creditsNeverPromiseMoreThanThereIs() {
        IntStream.rangeClosed(0, 40_000).forEach(receives -> {
            int code = Credits.encode(receives);
            assertThat(Credits.count(code)).isLessThanOrEqualTo(receives);
            assertThat(code == 30 || Credits.count(code + 1) > receives)
                    .as("%d receives", receives)
                    .isTrue();
        });
        assertThat(Credits.encode(Integer.MAX_VALUE)).isEqualTo(30);
    }
}
