package io.rdma4j.testkit.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory for tests to register. */
public final class HostMemory {
    private static final int PAGE = 4096;

    private HostMemory() {}

    /**
     * Direct memory that begins a page, little-endian as atomics see it (§3). Addresses that a device hands out are
     * congruent to the native ones modulo a page, so without this they would differ from run to run.
     */
    public static ByteBuffer allocate(int bytes) {
        int pages = (bytes + PAGE - 1) / PAGE + 1;
        return ByteBuffer.allocateDirect(pages * PAGE)
                .alignedSlice(PAGE)
                .slice(0, bytes)
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
