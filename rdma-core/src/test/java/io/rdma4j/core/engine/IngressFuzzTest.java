package io.rdma4j.core.engine;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

/**
 * Whatever datagrams come, the engine never throws, touches no memory outside the region that a packet names, and sends a
 * bounded answer. In an ordinary build the inputs in this module's test resources are run. To fuzz, set the environment
 * variable {@code JAZZER_FUZZ=1} and give Maven {@code -Dtest=IngressFuzzTest -Drdma4j.test.argLine=-Djazzer.hooks=true}.
 *
 * <p>An input is a sequence of datagrams: a byte of flags, two bytes of length, and as many bytes from the BTH to the pad.
 */
class IngressFuzzTest {
    private static final int STRANGER = 1;
    private static final int UNSEALED = 2;
    private static final int MAX_DATAGRAMS = 32;
    private static final int MAX_BYTES = 1024;

    @FuzzTest(maxDuration = "60s")
    void datagrams(byte[] data) {
        try (IngressFixture fixture = new IngressFixture()) {
            int at = 0;
            for (int i = 0; i < MAX_DATAGRAMS && at + 3 <= data.length; i++) {
                int flags = data[at];
                int length = (data[at + 1] & 0xFF) << 8 | data[at + 2] & 0xFF;
                int end = Math.min(data.length, at + 3 + length % MAX_BYTES);
                byte[] datagram = Arrays.copyOfRange(data, at + 3, end);
                fixture.feed(datagram, (flags & STRANGER) == 0, (flags & UNSEALED) == 0);
                at = end;
            }
        }
    }
}
