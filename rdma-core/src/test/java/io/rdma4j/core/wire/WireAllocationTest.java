package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is called per packet allocates nothing once it is warm. */
class WireAllocationTest {
    private static final int ROUNDS = 5_000;
    private static final int WINDOWS = 10;
    private static final int[] LENGTHS = {28, 60, 1052, 4124};

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
    private final PacketAddresses ipv4 =
            new PacketAddresses().source(0, 0xFFFF_C000_0202L, 50752).destination(0, 0xFFFF_C000_0203L, 4791);
    private final PacketAddresses ipv6 =
            new PacketAddresses().source(0xFD00479100000000L, 2, 50752).destination(0xFD00479100000000L, 3, 4791);
    private final Icrc icrc = new Icrc();
    private final Bth bth = new Bth();
    private final RocePacket packet = new RocePacket();

    private long sink;

    @Test
    void sealingAllocatesNothing() {
        assertThat(allocated(() -> {
                    for (int length : LENGTHS) {
                        bth.wrap(buffer, 64).init(Opcode.RC_SEND_ONLY, 17, 42).ackRequest(true);
                        int value = icrc.compute(ipv4, 1, buffer, 64, length);
                        sink += icrc.reidentify(value, length, 1, 5) + icrc.compute(ipv6, 0, buffer, 64, length);
                        Icrc.write(buffer, 64 + length, value);
                    }
                }))
                .isZero();
    }

    @Test
    void checkingAllocatesNothing() {
        bth.wrap(buffer, 64).init(Opcode.RC_SEND_ONLY, 17, 42).ackRequest(true);
        assertThat(allocated(() -> {
                    for (int length : LENGTHS) {
                        Icrc.write(buffer, 64 + length, icrc.compute(ipv4, 0x4711, buffer, 64, length));
                        sink += icrc.verify(ipv4, 0, buffer, 64, length + 4) ? icrc.lastIdentification() : 0;
                        sink += icrc.verify(ipv6, 0, buffer, 64, length + 4) ? 1 : 0;
                        sink += packet.parse(buffer, 64, length + 4) == null ? packet.payloadLength() : 0;
                    }
                }))
                .isZero();
        assertThat(sink).isNotZero();
    }

    /** The least that any of several windows allocated: what the virtual machine does once for itself is not per packet. */
    private long allocated(Runnable round) {
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS && least != 0; window++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                round.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
