package io.rdma4j.core.pcap;

import static io.rdma4j.core.pcap.Captures.packet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class RoceFrameTest {
    /** §1.1's congestion notification, as a ConnectX-4 sent it. */
    private static final String CNP = "45c2003c718c4000401191610a0011010a001201 000012b700280000"
            + "8100ffff4000011800000000 00000000000000000000000000000000 82fd002a";

    /** §1.1's published UC SEND. */
    private static final String UC_SEND = "45010040047840004011b4d5c0a80007c0a80007 c00012b7002caca2"
            + "2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e500000 78f353f3";

    private static final String XRC_FLUSH = "45000044 00014000 40110000 c0000202 c0000203 c000 12b7 0030 0000"
            + "bc00ffff 00000011 80000001 00000007 00000013 fedcba9876543210 89abcdef 80000000 12345678";

    @Test
    void readsThePublishedFrames() {
        RoceFrame cnp = frame(CNP);
        RoceFrame send = frame(UC_SEND);

        assertThat(cnp.isIcrcValid()).isTrue();
        assertThat(cnp.line())
                .isEqualTo("10.0.17.1:0>10.0.18.1 id=29068 df=1 ttl=64 tos=0xc2 CNP qpn=280 psn=0 nomig BECN pad=0"
                        + " pkey=0xffff payload=0 icrc=0x2a00fd82 ok");
        assertThat(cnp.encode()).isEqualTo(Captures.hex(CNP));
        assertThat(send.isIcrcValid()).isTrue();
        assertThat(send.payload().limit()).isEqualTo(18);
        assertThat(send.encode()).isEqualTo(Captures.hex(UC_SEND));
        assertThat(send.udp().checksum()).isEqualTo(0xACA2).isEqualTo(send.udp().computeChecksum(send.addresses()));
    }

    @Test
    void ignoresWhatRoutersMayChange() {
        // another DSCP and CE, a hop less, a new header checksum, a UDP checksum, FECN
        RoceFrame frame = frame(CNP.replace("45c2", "4503")
                .replace("40119161", "3f11ffff")
                .replace("00280000", "0028beef")
                .replace("ffff40000118", "ffffc0000118"));

        assertThat(frame.isIcrcValid()).isTrue();
    }

    @Test
    void showsTheRarerHeadersInTheLine() {
        assertThat(frame(XRC_FLUSH).line())
                .contains(
                        " XRC_FLUSH qpn=17 psn=1 A nomig pad=0 pkey=0xffff XRCETH(srq=7) FETH(selectivity=1 placement=3)"
                                + " RETH(va=0xfedcba9876543210 rkey=0x89abcdef len=2147483648) payload=0 icrc=0x78563412 BAD(calc");
    }

    @Test
    void isAMapOfNamedValues() {
        Map<String, Object> fields = frame(XRC_FLUSH).fields();

        assertThat(fields.keySet())
                .containsExactly(
                        "timestampNanos", "ip", "udp", "bth", "xrceth", "feth", "reth", "payloadLength", "icrc");
        assertThat(fields)
                .containsEntry("xrceth", Map.of("srqNumber", 7))
                .containsEntry("feth", Map.of("selectivity", 1, "placement", 3))
                .containsEntry(
                        "reth", Map.of("address", "0xfedcba9876543210", "key", "0x89abcdef", "length", 2_147_483_648L))
                .containsEntry("payloadLength", 0);
        assertThat(fields.get("ip"))
                .isEqualTo(Map.of(
                        "version",
                        4,
                        "source",
                        "192.0.2.2",
                        "destination",
                        "192.0.2.3",
                        "trafficClass",
                        0,
                        "hopLimit",
                        64,
                        "identification",
                        1,
                        "dontFragment",
                        true,
                        "checksumValid",
                        false));
        assertThat(fields.get("udp"))
                .isEqualTo(Map.of("sourcePort", 49_152, "destinationPort", 4791, "length", 48, "checksum", 0));
        assertThat(fields.get("bth"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("opcode", "XRC_FLUSH")
                .containsEntry("opcodeCode", 0xBC)
                .containsEntry("ackRequest", true)
                .containsEntry("psn", 1);
        assertThat(fields.get("icrc"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("value", "0x78563412")
                .containsEntry("valid", false);
    }

    @Test
    void everyKindOfHeaderOfTheCapturesIsInTheMap() throws Exception {
        assertThat(fieldOf("rc_atomic.pcap", 0, "atomicEth"))
                .isEqualTo(Map.of(
                        "address", "0x000056297b3af040",
                        "key", "0x00001e9d",
                        "swapOrAdd", "0x0000000000002222",
                        "compare", "0x0000000000001111"));
        assertThat(fieldOf("rc_atomic.pcap", 1, "atomicAckEth")).isEqualTo(Map.of("original", "0x0000000000001111"));
        assertThat(fieldOf("rc_rnr_nak.pcap", 1, "aeth"))
                .isEqualTo(Map.of("syndrome", 0x32, "meaning", "RNR_NAK timer=18(5.12ms)", "msn", 0));
        assertThat(fieldOf("rc_send_imm.pcap", 0, "immediate")).isEqualTo("0xdeadbeef");
        assertThat(fieldOf("rc_send_inv_bad.pcap", 0, "ieth")).isEqualTo(Map.of("key", "0x00dead01"));
        assertThat(fieldOf("ud_v6.pcap", 0, "deth")).isEqualTo(Map.of("qkey", "0x11223344", "sourceQp", 95));
        assertThat(fieldOf("ud_v6.pcap", 0, "ip"))
                .isEqualTo(Map.of(
                        "version", 6,
                        "source", "fd00:4791::2",
                        "destination", "fd00:4791::3",
                        "trafficClass", 0,
                        "hopLimit", 64,
                        "flowLabel", 0));
    }

    @Test
    void doesNotChangeWhenTheRecordDoes() {
        PcapPacket packet = packet(LinkType.RAW_IP, CNP);
        RoceFrame frame = (RoceFrame) new FrameDecoder().decode(packet);

        packet.data().put(30, (byte) 0);

        assertThat(frame.isIcrcValid()).isTrue();
        assertThat(frame.bytes().isReadOnly()).isTrue();
    }

    private static Object fieldOf(String capture, int index, String name) throws Exception {
        return Golden.frames(capture).get(index).fields().get(name);
    }

    private static RoceFrame frame(String hex) {
        return (RoceFrame) new FrameDecoder().decode(packet(LinkType.RAW_IP, hex));
    }
}
