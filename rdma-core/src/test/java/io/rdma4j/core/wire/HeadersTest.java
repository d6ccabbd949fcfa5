package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Each header's exact bytes (§3), written into a buffer of ones so that what a setter forgets shows. */
class HeadersTest {
    private static final int AT = 3;

    private final ByteBuffer buffer = ones(64);

    @Test
    void bth() {
        Bth bth = new Bth()
                .wrap(buffer, AT)
                .init(Opcode.RC_RDMA_WRITE_ONLY, 0x123456, 0xABCDEF)
                .ackRequest(true)
                .solicited(true)
                .padCount(3);

        assertThat(written(Bth.LENGTH)).isEqualTo("0ab0ffff00123456" + "80abcdef");
        assertThat(bth).hasToString("BTH(RC_RDMA_WRITE_ONLY qpn=0x123456 psn=11259375 A SE pad=3 pkey=0xffff)");
        bth.migrated(true)
                .fecn(true)
                .becn(true)
                .pkey(0x7FFF)
                .version(5)
                .reserved6(0x2A)
                .reserved7(0x55)
                .opcode(0xFE);
        assertThat(written(Bth.LENGTH)).isEqualTo("fef57fffea123456" + "d5abcdef");
        assertThat(bth.toString()).startsWith("BTH(0xfe ");
        bth.ackRequest(false)
                .solicited(false)
                .migrated(false)
                .fecn(false)
                .becn(false)
                .padCount(0)
                .version(0);
        assertThat(written(Bth.LENGTH)).isEqualTo("fe007fff2a123456" + "55abcdef");
    }

    @Test
    void reth() {
        Reth reth = new Reth()
                .wrap(buffer, AT)
                .address(0xFEDCBA9876543210L)
                .key(0x89ABCDEF)
                .length(0x80000000L);

        assertThat(written(Reth.LENGTH)).isEqualTo("fedcba9876543210" + "89abcdef" + "80000000");
        assertThat(reth.address()).isEqualTo(0xFEDCBA9876543210L);
        assertThat(reth.key()).isEqualTo(0x89ABCDEF);
        assertThat(reth.length()).isEqualTo(1L << 31);
        assertThat(reth).hasToString("RETH(va=0xfedcba9876543210 rkey=0x89abcdef len=2147483648)");
    }

    @Test
    void atomicEthHasTheSwapBeforeTheCompare() {
        new AtomicEth().wrap(buffer, AT).address(1).key(2).swapOrAdd(3).compare(4);

        assertThat(written(AtomicEth.LENGTH))
                .isEqualTo("0000000000000001" + "00000002" + "0000000000000003" + "0000000000000004");
    }

    @Test
    void aeth() {
        Aeth aeth = new Aeth().wrap(buffer, AT).set(Syndrome.NAK_REMOTE_ACCESS, 0x01020304);

        assertThat(written(Aeth.LENGTH)).isEqualTo("62020304");
        aeth.syndrome(0x1F).msn(0xFFFFFE);
        assertThat(written(Aeth.LENGTH)).isEqualTo("1ffffffe");
        assertThat(aeth.syndrome()).isEqualTo(0x1F);
        assertThat(aeth.msn()).isEqualTo(0xFFFFFE);
    }

    @Test
    void atomicAckImmediateAndInvalidate() {
        new AtomicAckEth().wrap(buffer, AT).original(0x8877665544332211L);
        assertThat(written(AtomicAckEth.LENGTH)).isEqualTo("8877665544332211");
        new ImmediateData().wrap(buffer, AT).value(0xDEADBEEF);
        assertThat(written(ImmediateData.LENGTH)).isEqualTo("deadbeef");
        new Ieth().wrap(buffer, AT).key(0x00DEAD01);
        assertThat(written(Ieth.LENGTH)).isEqualTo("00dead01");
    }

    @Test
    void deth() {
        Deth deth = new Deth().wrap(buffer, AT).qkey(0x80010000).reserved(0).sourceQp(1);

        assertThat(written(Deth.LENGTH)).isEqualTo("8001000000000001");
        assertThat(deth.reserved(0xEE).sourceQp()).isEqualTo(1);
        assertThat(deth.sourceQp(0xFFFFFF).reserved()).isEqualTo(0xEE);
    }

    @Test
    void xrceth() {
        Xrceth xrceth = new Xrceth().wrap(buffer, AT).reserved(0).srqNumber(0x654321);

        assertThat(written(Xrceth.LENGTH)).isEqualTo("00654321");
        assertThat(xrceth.srqNumber()).isEqualTo(0x654321);
        assertThat(xrceth).hasToString("XRCETH(srq=6636321)");
    }

    @Test
    void feth() {
        Feth feth = new Feth()
                .wrap(buffer, AT)
                .reserved(0)
                .selectivity(Feth.REGION)
                .placement(Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE);

        assertThat(written(Feth.LENGTH)).isEqualTo("00000013");
        assertThat(feth.reserved(0x3FFFFFF).selectivity()).isEqualTo(Feth.REGION);
        assertThat(feth.reserved()).isEqualTo(0x3FFFFFF);
        assertThat(written(Feth.LENGTH)).isEqualTo("ffffffd3");
    }

    @Test
    void ipv4WithTheChecksumThatLinuxSent() {
        // the IP header of §1.1's captured CNP
        Ipv4Header header = new Ipv4Header()
                .wrap(buffer, AT)
                .init()
                .trafficClass(0xC2)
                .totalLength(60)
                .identification(0x718C)
                .hopLimit(64)
                .source(0x0A001101)
                .destination(0x0A001201);
        header.checksum(header.computeChecksum());

        assertThat(written(Ipv4Header.LENGTH)).isEqualTo("45c2003c718c4000401191610a0011010a001201");
        assertThat(header.computeChecksum()).isEqualTo(0x9161);
        assertThat(header.dontFragment()).isTrue();
        assertThat(header.isFragment()).isFalse();
        assertThat(header.flagsAndFragment(0x2000).isFragment()).isTrue();
        assertThat(header.flagsAndFragment(0x0001).isFragment()).isTrue();
        assertThat(header).hasToString("IPv4(10.0.17.1>10.0.18.1 id=29068 length=60)");
    }

    @Test
    void ipv6() {
        Ipv6Header header = new Ipv6Header()
                .wrap(buffer, AT)
                .init()
                .trafficClass(0x6A)
                .flowLabel(0x12345)
                .payloadLength(52)
                .hopLimit(17)
                .source(0xFD00479100000000L, 2)
                .destination(0xFD00479100000000L, 3);

        assertThat(written(Ipv6Header.LENGTH))
                .isEqualTo("66a12345" + "00341111" + "fd004791000000000000000000000002"
                        + "fd004791000000000000000000000003");
        assertThat(header.trafficClass()).isEqualTo(0x6A);
        assertThat(header.flowLabel()).isEqualTo(0x12345);
        assertThat(header).hasToString("IPv6(fd00:4791::2>fd00:4791::3 length=52)");
    }

    @Test
    void addressesAsText() {
        assertThat(IpText.of(0, 0xFFFFC0000202L)).isEqualTo("192.0.2.2");
        assertThat(IpText.of(0, 0)).isEqualTo("::");
        assertThat(IpText.of(0, 1)).isEqualTo("::1");
        assertThat(IpText.of(0xFE80000000000000L, 0x505400FFFE000202L)).isEqualTo("fe80::5054:ff:fe00:202");
        assertThat(IpText.of(0x20010DB800000000L, 0x0001000000000000L)).isEqualTo("2001:db8:0:0:1::");
        assertThat(IpText.of(0x20010DB800000001L, 0x0001000100010001L)).isEqualTo("2001:db8:0:1:1:1:1:1");
    }

    private String written(int length) {
        for (int i = 0; i < buffer.capacity(); i++) {
            if (i < AT || i >= AT + Ipv6Header.LENGTH) {
                assertThat(buffer.get(i)).as("byte %d, outside the header", i).isEqualTo((byte) -1);
            }
        }
        byte[] bytes = new byte[length];
        buffer.get(AT, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static ByteBuffer ones(int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        java.util.Arrays.fill(buffer.array(), (byte) -1);
        return buffer;
    }
}
