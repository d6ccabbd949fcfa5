package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    private static final InetAddress IPV4 = ip(192, 0, 2, 1);
    private static final InetAddress IPV6_LOOPBACK = ip(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
    private static final InetAddress IPV6 = ip(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f);

    @Test
    void ipv4IsMapped() {
        Gid gid = Gid.of(IPV4);

        assertThat(gid).hasToString("0000:0000:0000:0000:0000:ffff:c000:0201");
        assertThat(gid.isIpv4()).isTrue();
        assertThat(gid.address()).isInstanceOf(Inet4Address.class).isEqualTo(IPV4);
        assertThat(gid.devicePort()).isEqualTo(4791);
    }

    @ParameterizedTest
    @CsvSource({
        "224.0.0.0, true",
        "239.255.255.255, true",
        "223.255.255.255, false",
        "240.0.0.0, false",
        "ff00::, true",
        "ff0e::1, true",
        "feff:ffff::1, false",
        "::e000:1, false",
        "fd72:646d:6134:6a04:4e20:0:e000:1, false",
    })
    void groupsAreToldFromDevices(String address, boolean group) {
        assertThat(Gid.parse(address).isMulticast()).isEqualTo(group);
    }

    @Test
    void ipv6StandsForItself() {
        Gid gid = Gid.of(IPV6);

        assertThat(gid).hasToString("2001:0db8:0000:0000:0000:0000:0000:007f");
        assertThat(gid.isIpv4()).isFalse();
        assertThat(gid.address()).isInstanceOf(Inet6Address.class).isEqualTo(IPV6);
        assertThat(gid.devicePort()).isEqualTo(4791);
    }

    @Test
    void port4791IsNotTold() {
        assertThat(Gid.of(IPV4, 4791)).isEqualTo(Gid.of(IPV4));
        assertThat(Gid.of(IPV6, 4791)).isEqualTo(Gid.of(IPV6));
    }

    @Test
    void anotherPortIsToldWithAnIpv4Address() {
        Gid gid = Gid.of(IPV4, 14791);

        assertThat(gid).hasToString("fd72:646d:6134:6a04:39c7:0000:c000:0201");
        assertThat(gid).isEqualTo(Gid.parse("fd72:646d:6134:6a04:39c7:0:192.0.2.1"));
        assertThat(gid.devicePort()).isEqualTo(14791);
        assertThat(gid.isIpv4()).isTrue();
        assertThat(gid.address()).isInstanceOf(Inet4Address.class).isEqualTo(IPV4);
    }

    @Test
    void anotherPortIsToldWithTheIpv6Loopback() {
        Gid gid = Gid.of(IPV6_LOOPBACK, 14791);

        assertThat(gid).isEqualTo(Gid.parse("fd72:646d:6134:6a06:39c7::1"));
        assertThat(gid.devicePort()).isEqualTo(14791);
        assertThat(gid.isIpv4()).isFalse();
        assertThat(gid.address()).isInstanceOf(Inet6Address.class).isEqualTo(IPV6_LOOPBACK);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 4790, 4792, 32768, 49151})
    void allDevicePortsRoundTrip(int port) {
        assertThat(Gid.of(IPV4, port).devicePort()).isEqualTo(port);
        assertThat(Gid.of(IPV4, port).address()).isEqualTo(IPV4);
        assertThat(Gid.of(IPV6_LOOPBACK, port).devicePort()).isEqualTo(port);
        assertThat(Gid.of(IPV6_LOOPBACK, port).address()).isEqualTo(IPV6_LOOPBACK);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1023, 49152, 65536})
    void otherPortsAreRefused(int port) {
        assertRefused(ErrorCode.EINVAL, () -> Gid.of(IPV4, port))
                .hasMessageContaining("device port " + port)
                .hasMessageContaining("1024..49151");
    }

    @Test
    void anotherPortIsRefusedWithAnyOtherIpv6Address() {
        assertRefused(ErrorCode.EINVAL, () -> Gid.of(IPV6, 14791))
                .hasMessageContaining("14791")
                .hasMessageContaining(IPV6.getHostAddress());
    }

    /** A peer may send any sixteen bytes: what only resembles the port form is an ordinary IPv6 address. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fd72:646d:6134:6a04:39c7:1:192.0.2.1",
                "fd72:646d:6134:6a04:0:0:192.0.2.1",
                "fd72:646d:6134:6a06:39c7::2",
                "fd72:646d:6134:6a06:39c7:1::1",
                "fd72:646d:6134:6a06:0::1",
                "fd72:646d:6134:6a05:39c7::1",
                "fe80::1",
                "::"
            })
    void whatOnlyResemblesThePortFormIsPlainIpv6(String text) {
        Gid gid = Gid.parse(text);

        assertThat(gid.devicePort()).isEqualTo(Gid.ROCE_PORT);
        assertThat(gid.isIpv4()).isFalse();
        assertThat(gid.address().getAddress()).isEqualTo(gid.bytes());
    }

    @Test
    void addressHalvesAreThoseOfTheAddress() {
        assertThat(Gid.of(IPV4, 14791).addressHigh()).isEqualTo(Gid.of(IPV4).high());
        assertThat(Gid.of(IPV4, 14791).addressLow()).isEqualTo(Gid.of(IPV4).low());
        assertThat(Gid.of(IPV6_LOOPBACK, 14791).addressHigh()).isZero();
        assertThat(Gid.of(IPV6_LOOPBACK, 14791).addressLow()).isEqualTo(1);
        assertThat(Gid.of(IPV6).addressHigh()).isEqualTo(Gid.of(IPV6).high());
        assertThat(Gid.of(IPV6).addressLow()).isEqualTo(Gid.of(IPV6).low());
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 00000000000000000000ffffc0000201",
        "::ffff:192.0.2.1, 00000000000000000000ffffc0000201",
        "::ffff:c000:201, 00000000000000000000ffffc0000201",
        "0000:0000:0000:0000:0000:ffff:c000:0201, 00000000000000000000ffffc0000201",
        "00000000000000000000FFFFC0000201, 00000000000000000000ffffc0000201",
        "0:0:0:0:0:ffff:192.0.2.1, 00000000000000000000ffffc0000201",
        "255.255.255.255, 00000000000000000000ffffffffffff",
        "::, 00000000000000000000000000000000",
        "::1, 00000000000000000000000000000001",
        "1::, 00010000000000000000000000000000",
        "fe80::d3:cf17:10,fe80000000000000000000d3cf170010"
    })
    void allFormsOfTextAreRead(String text, String hex) {
        assertThat(Gid.parse(text).toHex()).isEqualTo(hex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "::g",
                "::-1",
                "::+1",
                "fe80::1%eth0",
                "cafe",
                "localhost",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.-4",
                "1.2..4",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "0000000000000000000000000000000g",
                "000000000000000000000000000000000"
            })
    void everythingElseIsRefusedWithoutAskingTheDns(String text) {
        assertRefused(ErrorCode.EINVAL, () -> Gid.parse(text)).hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "192.0.2.1", "2001:db8::7f", "fd72:646d:6134:6a04:39c7:0:7f00:1", "ffff:ffff::ffff"})
    void textHexAndBytesRoundTrip(String text) {
        Gid gid = Gid.parse(text);

        assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
        assertThat(Gid.parse(gid.toHex())).isEqualTo(gid);
        assertThat(Gid.ofBytes(gid.bytes())).isEqualTo(gid);
    }

    @Test
    void onlySixteenBytesAreAGid() {
        assertRefused(ErrorCode.EINVAL, () -> Gid.ofBytes(new byte[15])).hasMessageContaining("15");
    }

    private static InetAddress ip(int... bytes) {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
