package io.rdma4j.core.pcap;

import static io.rdma4j.core.pcap.Captures.packet;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.DropReason;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameDecoderTest {
    private static final String UDP = "c000 12b7 0018 0000";
    private static final String PACKET = "0400ffff 00000011 80000001 12345678";
    private static final String IPV4 = "4500002c 00014000 40110000 c0000202 c0000203";
    private static final String IPV6 =
            "60000000 00181140 fd004791000000000000000000000002" + "fd004791000000000000000000000003";
    private static final String MACS = "525400000203 525400000202";

    private final FrameDecoder decoder = new FrameDecoder();

    @ParameterizedTest
    @CsvSource({
        "ETHERNET, 525400000203 525400000202 0800",
        "ETHERNET, 525400000203 525400000202 8100 0064 0800",
        "ETHERNET, 525400000203 525400000202 88a8 0001 8100 0064 0800",
        "RAW_OLD, ''",
        "RAW_IP, ''",
        "RAW_IPV4, ''",
        "LINUX_COOKED, 0000 0001 0006 525400000202 0000 0800",
        "LINUX_COOKED_2, 0800 0000 00000002 0001 00 06 5254000002020000"
    })
    void findsIpv4BehindEveryLinkLayer(LinkType type, String before) {
        RoceFrame frame = roce(packet(type, before + IPV4 + UDP + PACKET));

        assertThat(frame.isIpv4()).isTrue();
        assertThat(frame.packet().destinationQp()).isEqualTo(0x11);
        assertThat(frame.line())
                .startsWith("192.0.2.2:49152>192.0.2.3 id=1 df=1 ttl=64 tos=0x00 RC_SEND_ONLY qpn=17 psn=1 A nomig ");
    }

    @ParameterizedTest
    @CsvSource({
        "ETHERNET, 525400000203 525400000202 86dd",
        "RAW_IP, ''",
        "RAW_IPV6, ''",
        "LINUX_COOKED, 0000 0001 0006 525400000202 0000 86dd",
        "LINUX_COOKED_2, 86dd 0000 00000002 0001 00 06 5254000002020000"
    })
    void findsIpv6BehindEveryLinkLayer(LinkType type, String before) {
        RoceFrame frame = roce(packet(type, before + IPV6 + UDP + PACKET));

        assertThat(frame.isIpv4()).isFalse();
        assertThat(frame.ipv4()).isNull();
        assertThat(frame.line())
                .startsWith("[fd00:4791::2]:49152>[fd00:4791::3] flow=0x0 ttl=64 tos=0x00 RC_SEND_ONLY ");
    }

    @Test
    void leavesOutWhatEthernetAddsToShortFrames() {
        RoceFrame frame = roce(packet(LinkType.ETHERNET, MACS + "0800" + IPV4 + UDP + PACKET + "0000"));

        assertThat(frame.encode()).isEqualTo(Captures.hex(IPV4 + UDP + PACKET));
    }

    @ParameterizedTest
    @CsvSource({
        // link layer
        "ETHERNET, 525400000203 5254, no IP packet",
        "ETHERNET, 525400000203 525400000202 0806 00010800, no IP packet",
        "ETHERNET, 525400000203 525400000202 0800, no IP packet",
        "ETHERNET, 525400000203 525400000202 8100 00, no IP packet",
        "LINUX_COOKED, 00, no IP packet",
        "RAW_IP, '', no IP packet",
        // IP
        "RAW_IP, 75, IP version 7",
        "RAW_IP, 4500002c 0001, cut: 6 of 20 bytes of the IPv4 header",
        "RAW_IP, 60000000 00181140, cut: 8 of 40 bytes of the IPv6 header",
        "RAW_IP, 4500002c 00014000 40060000 c0000202 c0000203, 'IP protocol 6, not UDP'",
        "RAW_IP, 4500002c 00012000 40110000 c0000202 c0000203, an IP fragment",
        "RAW_IP, 4500002c 00010010 40110000 c0000202 c0000203, an IP fragment",
        "RAW_IP, 4600002c 00014000 40110000 c0000202 c0000203 01010101,"
                + " an IPv4 header of 24 bytes; RoCEv2 has no IP options",
        "RAW_IP, 60000000 00180040 00000000000000000000000000000001 00000000000000000000000000000001,"
                + " 'IPv6 next header 0, not UDP'",
        // UDP
        "RAW_IP, 4500002c 00014000 40110000 c0000202 c0000203 c000, cut: 2 of 8 bytes of the UDP header",
        "RAW_IP, 4500002c 00014000 40110000 c0000202 c0000203 c000 12b8 0018 0000, UDP port 4792",
        "RAW_IP, 4500002c 00014000 40110000 c0000202 c0000203 c000 12b7 0017 0000,"
                + " UDP length 23 where the IP header leaves 24",
        "RAW_IP, 4500002c 00014000 40110000 c0000202 c0000203 c000 12b7 0018 0000 0400ffff,"
                + " cut: 32 of 44 bytes of the IP packet",
        "RAW_IP, 4500001e 00014000 40110000 c0000202 c0000203 c000 12b7 000a 0000 0400,"
                + " 'UDP payload of 2 bytes, too short for BTH and ICRC'"
    })
    void saysWhyARecordHoldsNoFrame(LinkType type, String hex, String reason) {
        CapturedFrame frame = decoder.decode(packet(type, hex));

        assertThat(frame).isEqualTo(new OtherFrame(reason));
        assertThat(frame.line()).isEqualTo("not RoCEv2: " + reason);
    }

    @Test
    void takesOtherPortsWhenTheCallerNamesThem() {
        PcapPacket packet = packet(LinkType.RAW_IP, IPV4 + "12b7 39c7 0018 0000" + PACKET);

        assertThat(decoder.decode(packet)).isEqualTo(new OtherFrame("UDP port 14791"));
        CapturedFrame frame = new FrameDecoder(Set.of(14_791)).decode(packet);
        assertThat(frame).isInstanceOf(RoceFrame.class);
        assertThat(frame.line()).startsWith("192.0.2.2:4791>192.0.2.3:14791 ");
    }

    @Test
    void everyTruncationOfAFrameIsExplained() {
        byte[] whole = Captures.hex(MACS + "0800" + IPV4 + UDP + PACKET);
        for (int length = 0; length < whole.length; length++) {
            PcapPacket cut = new PcapPacket(
                    0,
                    whole.length,
                    LinkType.ETHERNET,
                    ByteBuffer.wrap(whole, 0, length).slice());
            assertThat(decoder.decode(cut)).as("%d bytes", length).isInstanceOf(OtherFrame.class);
        }
    }

    @Test
    void showsAMalformedPacketAsFarAsItGoes() {
        RoceFrame reserved = roce(packet(LinkType.RAW_IP, IPV4 + UDP + PACKET.replaceFirst("04", "15")));
        RoceFrame version = roce(packet(LinkType.RAW_IP, IPV4 + UDP + PACKET.replaceFirst("0400", "0405")));

        assertThat(reserved.malformed()).isEqualTo(DropReason.UNKNOWN_OPCODE);
        assertThat(reserved.line())
                .contains(
                        " 0x15 qpn=17 psn=1 A nomig pad=0 pkey=0xffff malformed=UNKNOWN_OPCODE icrc=0x78563412 BAD(calc");
        assertThat(reserved.fields()).containsEntry("malformed", "UNKNOWN_OPCODE");
        assertThat(version.line()).contains(" nomig tver=5 pad=0 ").contains(" malformed=BAD_VERSION ");
        assertThat(version.encode()).isEqualTo(Captures.hex(IPV4 + UDP + PACKET.replaceFirst("0400", "0405")));
    }

    private RoceFrame roce(PcapPacket packet) {
        CapturedFrame frame = decoder.decode(packet);
        assertThat(frame).isInstanceOf(RoceFrame.class);
        return (RoceFrame) frame;
    }
}
