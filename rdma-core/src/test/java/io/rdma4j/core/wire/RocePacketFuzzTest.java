package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** No bytes from the network make the parser fail, and what it accepts lies inside the packet. */
class RocePacketFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void parse(byte[] data) {
        RocePacket packet = new RocePacket();
        ByteBuffer buffer = ByteBuffer.wrap(data);

        DropReason reason = packet.parse(buffer, 0, data.length);

        read(packet);
        if (reason == null) {
            int end = packet.payloadOffset() + packet.payloadLength() + packet.padCount() + RocePacket.ICRC_LENGTH;
            assertThat(end).isEqualTo(data.length);
            assertThat(packet.payloadOffset()).isEqualTo(packet.opcode().headerLength());
        } else {
            assertThat(packet.payloadLength() == 0 || reason == DropReason.LENGTH_MISMATCH)
                    .isTrue();
        }
        // The same bytes elsewhere in a buffer say the same.
        byte[] moved = new byte[data.length + 11];
        Arrays.fill(moved, (byte) 0xA5);
        System.arraycopy(data, 0, moved, 7, data.length);
        assertThat(new RocePacket().parse(ByteBuffer.wrap(moved), 7, data.length))
                .isEqualTo(reason);
    }

    private static void read(RocePacket packet) {
        assertThat(packet.opcodeCode()).isBetween(0, 255);
        assertThat(packet.destinationQp()).isBetween(0, 0xFFFFFF);
        assertThat(packet.psn()).isBetween(0, Psn.MASK);
        assertThat(packet.rethLength()).isBetween(0L, 0xFFFFFFFFL);
        assertThat(packet.syndrome()).isBetween(0, 255);
        assertThat(Syndrome.describe(packet.syndrome())).isNotEmpty();
        assertThat(packet.msn()).isBetween(0, 0xFFFFFF);
        long rest = packet.rethAddress()
                + packet.rethKey()
                + packet.immediate()
                + packet.invalidateKey()
                + packet.atomicAddress()
                + packet.atomicKey()
                + packet.atomicSwapOrAdd()
                + packet.atomicCompare()
                + packet.atomicOriginal()
                + packet.dethQkey()
                + packet.dethSourceQp()
                + packet.xrcSrqNumber()
                + packet.flushSelectivity()
                + packet.flushPlacement()
                + packet.icrc();
        assertThat(packet + " " + rest).isNotEmpty();
    }
}
