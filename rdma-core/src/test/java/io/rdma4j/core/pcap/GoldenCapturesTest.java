package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.RocePacket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every frame that Linux rdma_rxe sent must be understood, said again byte for byte, and found right by the ICRC. */
class GoldenCapturesTest {
    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @MethodSource("io.rdma4j.core.pcap.Golden#names")
    void everyFrameParses(String name) throws IOException {
        for (RoceFrame frame : Golden.frames(name)) {
            assertThat(frame.malformed()).as(frame.line()).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("io.rdma4j.core.pcap.Golden#names")
    void everyFrameEncodesToTheBytesItCameFrom(String name) throws IOException {
        List<PcapPacket> packets = Golden.packets(name);
        List<RoceFrame> frames = Golden.frames(name);
        for (int i = 0; i < frames.size(); i++) {
            ByteBuffer captured = packets.get(i).data();
            int at = packets.get(i).linkType().ipOffset(captured);
            byte[] expected = new byte[captured.limit() - at];
            captured.get(at, expected);
            assertThat(frames.get(i).encode()).as(frames.get(i).line()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("io.rdma4j.core.pcap.Golden#goodNames")
    void icrcIsRightByTheCapturedIpHeader(String name) throws IOException {
        for (RoceFrame frame : Golden.frames(name)) {
            assertThat(frame.isIcrcValid()).as(frame.line()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("io.rdma4j.core.pcap.Golden#goodNames")
    void icrcIsRightByWhatTheSenderKnows(String name) throws IOException {
        for (RoceFrame frame : Golden.frames(name)) {
            RocePacket packet = frame.packet();
            assertThat(icrc.compute(
                            frame.addresses(),
                            identification(frame),
                            packet.buffer(),
                            packet.offset(),
                            packet.length() - RocePacket.ICRC_LENGTH))
                    .as(frame.line())
                    .isEqualTo(frame.icrc());
        }
    }

    @ParameterizedTest
    @MethodSource("io.rdma4j.core.pcap.Golden#goodNames")
    void icrcIsRightByWhatAUdpReceiverSeesAndGivesTheIdentificationBack(String name) throws IOException {
        for (RoceFrame frame : Golden.frames(name)) {
            assertThat(verifyBlind(frame)).as(frame.line()).isTrue();
            assertThat(icrc.lastIdentification()).as(frame.line()).isEqualTo(identification(frame));
        }
    }

    @Test
    void damageIsSeenInEveryFrameOfSomeCaptures() throws IOException {
        for (String name : List.of("rc_send_only_1024.pcap", "v6_rc_all.pcap", "ud_v4.pcap")) {
            for (RoceFrame frame : Golden.frames(name)) {
                RocePacket packet = frame.packet();
                int at = packet.offset() + 9;
                packet.buffer().put(at, (byte) (packet.buffer().get(at) ^ 0x10));
                assertThat(frame.isIcrcValid()).as(frame.line()).isFalse();
                assertThat(verifyBlind(frame)).as(frame.line()).isFalse();
            }
        }
    }

    @Test
    void exactlyTheSpoiltFramesOfTheBadCaptureAreFound() throws IOException {
        List<RoceFrame> frames = Golden.frames(Golden.BAD_ICRC);

        List<Integer> bad = IntStream.range(0, frames.size())
                .filter(i -> !frames.get(i).isIcrcValid())
                .boxed()
                .toList();

        assertThat(frames).hasSize(9);
        // Each of three queue pairs gets a spoilt SEND, which nobody answers, then the right one and its ACK.
        assertThat(bad).containsExactly(0, 3, 6);
        assertThat(frames.get(0).icrc() ^ frames.get(0).computeIcrc()).isEqualTo(0x100);
        assertThat(frames.get(3).icrc()).isZero();
    }

    @Test
    void anIcrcMadeForAnotherIdentificationPassesOnlyBlind() throws IOException {
        List<RoceFrame> frames = Golden.frames(Golden.BAD_ICRC);

        assertThat(verifyBlind(frames.get(0))).isFalse();
        assertThat(verifyBlind(frames.get(3))).isFalse();
        // The third was made for identification 1 and sent with 0: a receiver that does not see the header takes it.
        assertThat(verifyBlind(frames.get(6))).isTrue();
        assertThat(icrc.lastIdentification()).isEqualTo(1);
        assertThat(identification(frames.get(6))).isZero();
    }

    private boolean verifyBlind(RoceFrame frame) {
        RocePacket packet = frame.packet();
        return icrc.verify(frame.addresses(), 0, packet.buffer(), packet.offset(), packet.length());
    }

    private static int identification(RoceFrame frame) {
        Ipv4Header ipv4 = frame.ipv4();
        return ipv4 == null ? 0 : ipv4.identification();
    }
}
