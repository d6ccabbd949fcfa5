package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.PathMtu;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterfaceMtuTest {
    @ParameterizedTest
    @CsvSource({
        "1500, MTU_1024",
        "4200, MTU_4096",
        "9000, MTU_4096",
        "65535, MTU_4096",
        "4176, MTU_4096",
        "4175, MTU_2048",
        "336, MTU_256",
        "335, MTU_256",
        "68, MTU_256",
        "592, MTU_512",
        "1400, MTU_1024"
    })
    void subtractsHeaderRoomAndRoundsDown(int interfaceMtu, PathMtu expected) {
        assertThat(InterfaceMtu.pathMtu(interfaceMtu)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 65535", "-1, 65535", "65536, 65535", "2147483647, 65535", "1500, 1500", "65535, 65535"})
    void invalidMtuCountsAsLargest(int reported, int expected) {
        assertThat(InterfaceMtu.sane(reported)).isEqualTo(expected);
    }

    @Test
    void everyLoopbackAddressBelongsToTheLoopbackInterface() throws Exception {
        NetworkInterface loopback = InterfaceMtu.interfaceOf(InetAddress.getByName("127.3.2.1"));

        assertThat(loopback).isNotNull();
        assertThat(loopback.isLoopback()).isTrue();
        assertThat(InterfaceMtu.pathMtu(InterfaceMtu.bytes(loopback))).isEqualTo(PathMtu.MTU_4096);
    }

    @Test
    void addressOfNobodyHasNoInterface() throws Exception {
        assertThat(InterfaceMtu.interfaceOf(InetAddress.getByName("198.51.100.77")))
                .isNull();
    }
}
