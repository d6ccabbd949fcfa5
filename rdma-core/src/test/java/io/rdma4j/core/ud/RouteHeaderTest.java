package io.rdma4j.core.ud;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §3, §14: what stands before a payload, against what Linux was seen to put there (ud_v4, ud_v6). */
class RouteHeaderTest {
    private static final String LINUX_IPV4 =
            "000000000000000000000000000000000000000045001034fd2d40004011a985c0000202c0000203";
    private static final String LINUX_IPV6 =
            "6000000010201140fd004791000000000000000000000002fd004791000000000000000000000003";

    /** BTH, DETH, 4096 bytes and ICRC. */
    private static final int PACKET = 12 + 8 + 4096 + 4;

    private final RouteHeader header = new RouteHeader();

    private static Arrival arrival(String from, String to) {
        Gid sender = Gid.parse(from);
        Gid local = Gid.parse(to);
        Arrival arrival = new Arrival();
        arrival.sender(sender.high(), sender.low(), 0xC123);
        arrival.local(local.high(), local.low(), Gid.ROCE_PORT);
        return arrival;
    }

    private String hex(Arrival arrival) {
        byte[] bytes = new byte[RouteHeader.LENGTH];
        header.of(arrival, PACKET).get(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    @DisplayName("§3: IPv4: as Linux has it, but for the identification, which no socket tells, and so the checksum")
    void ipv4() {
        ByteBuffer linux = ByteBuffer.wrap(HexFormat.of().parseHex(LINUX_IPV4));
        Ipv4Header ipv4 = new Ipv4Header().wrap(linux, 20);
        assertThat(ipv4.checksum()).isEqualTo(ipv4.computeChecksum());
        ipv4.identification(0);
        ipv4.checksum(ipv4.computeChecksum());

        assertThat(hex(arrival("192.0.2.2", "192.0.2.3")))
                .isEqualTo(HexFormat.of().formatHex(linux.array()));
    }

    @Test
    @DisplayName("§3: IPv6: to the byte as Linux has it")
    void ipv6() {
        assertThat(hex(arrival("fd00:4791::2", "fd00:4791::3"))).isEqualTo(LINUX_IPV6);
    }

    @Test
    @DisplayName("§3: traffic class and hop limit as the link tells them; nothing of the last header is left")
    void told() {
        Arrival arrival = arrival("fd00:4791::2", "fd00:4791::3");
        hex(arrival);
        Arrival ipv4 = arrival("192.0.2.2", "239.1.2.3");
        ipv4.trafficClass = 0x6A;
        ipv4.hopLimit = 3;
        assertThat(hex(ipv4))
                .startsWith("00".repeat(20) + "456a1034000040000311")
                .endsWith("c0000202ef010203");
        arrival.trafficClass = 0x6A;
        arrival.hopLimit = 3;
        assertThat(hex(arrival)).startsWith("66a0000010201103fd004791");
    }
}
