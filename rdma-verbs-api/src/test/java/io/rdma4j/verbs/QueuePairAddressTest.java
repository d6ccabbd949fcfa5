package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePairAddressTest {
    @Test
    void textIsThatOfThePingpongPrograms() {
        assertThat(new QueuePairAddress(0x11, 0xabcdef, Gid.parse("192.0.2.1")))
                .hasToString("0000:000011:abcdef:00000000000000000000ffffc0000201");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, ::", "0xffffff, 0xffffff, fe80::1", "0x11, 1, fd72:646d:6134:6a04:39c7:0:7f00:1"})
    void textRoundTrips(String number, String psn, String gid) {
        QueuePairAddress address = new QueuePairAddress(Integer.decode(number), Integer.decode(psn), Gid.parse(gid));

        assertThat(QueuePairAddress.parse(address.toString())).isEqualTo(address);
    }

    @Test
    void aLidAndAGidInOtherFormsAreTaken() {
        assertThat(QueuePairAddress.parse("0007:11:2:::ffff:192.0.2.1"))
                .isEqualTo(new QueuePairAddress(0x11, 2, Gid.parse("192.0.2.1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0000",
                "0000:000011:abcdef",
                "0000:000011:abcdef:",
                "0000:000011:abcdef:00",
                "0000:1000000:abcdef:00000000000000000000ffffc0000201",
                "0000:000011:1abcdef:00000000000000000000ffffc0000201",
                "0000:xyz:abcdef:00000000000000000000ffffc0000201",
                "zz:000011:abcdef:00000000000000000000ffffc0000201",
                "0000:-11:abcdef:00000000000000000000ffffc0000201"
            })
    void everythingElseIsRefused(String text) {
        assertRefused(ErrorCode.EINVAL, () -> QueuePairAddress.parse(text));
    }

    @Test
    void numbersHave24Bits() {
        assertRefused(ErrorCode.EINVAL, () -> new QueuePairAddress(1 << 24, 0, Gid.ZERO))
                .hasMessageContaining("queue pair number 0x1000000");
        assertRefused(ErrorCode.EINVAL, () -> new QueuePairAddress(0, -1, Gid.ZERO))
                .hasMessageContaining("packet sequence number");
    }

    @Test
    void addressVectorFieldsAreBounded() {
        assertThat(AddressVector.of(Gid.ZERO)).isEqualTo(new AddressVector(Gid.ZERO, 0, 64, 0));
        assertRefused(ErrorCode.EINVAL, () -> new AddressVector(Gid.ZERO, 256, 64, 0))
                .hasMessageContaining("traffic class 256");
        assertRefused(ErrorCode.EINVAL, () -> new AddressVector(Gid.ZERO, 0, -1, 0))
                .hasMessageContaining("hop limit -1");
        assertRefused(ErrorCode.EINVAL, () -> new AddressVector(Gid.ZERO, 0, 64, 1 << 20))
                .hasMessageContaining("flow label");
    }
}
