package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.LinkFaults;
import io.rdma4j.core.qp.DeviceProfile;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpOptionsTest {
    private static UdpOptions parse(String uri) {
        return UdpOptions.parse(DeviceConfig.parse(uri));
    }

    @Test
    void nothingGivenMeansPort4791AndEverythingThatHelps() {
        UdpOptions options = parse("udp://127.0.0.1");

        assertThat(options.socket())
                .isEqualTo(new SocketOptions(4791, NativeTransport.AUTO, true, true, 4 << 20, 1 << 20));
        assertThat(options.mtu()).isNull();
        assertThat(options.icrc()).isEqualTo(IcrcPolicy.STRICT);
        assertThat(options.profile()).isEqualTo(DeviceProfile.DEFAULT);
        assertThat(options.capture()).isNull();
        assertThat(options.trace()).isNull();
        assertThat(options.faults()).isNull();
    }

    @Test
    void everyOptionIsTaken() {
        UdpOptions options =
                parse("udp://127.0.0.1?port=14791&mtu=1024&gso=off&gro=off&native=nio&icrc=off&profile=connectx-like"
                        + "&receivebuffer=65536&sendbuffer=32768&pcap=/tmp/x.pcap&pcapframes=10"
                        + "&trace=/tmp/x.txt&faults=loss:0.1,delay:1ms,seed:7");

        assertThat(options.socket())
                .isEqualTo(new SocketOptions(14791, NativeTransport.NIO, false, false, 65536, 32768));
        assertThat(options.mtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(options.icrc()).isEqualTo(IcrcPolicy.OFF);
        assertThat(options.profile()).isEqualTo(DeviceProfile.CONNECTX_LIKE);
        assertThat(options.capture()).isEqualTo(new UdpOptions.Capture(Path.of("/tmp/x.pcap"), 10));
        assertThat(options.trace()).isEqualTo(Path.of("/tmp/x.txt"));
        assertThat(options.faults()).isEqualTo(new LinkFaults(0.1, 0, 0, 0, 1_000_000, 7L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port=70000|option port=70000 for udp://: must be a number from 0 to 65535",
                "port=80|option port=80 for udp://: must be 4791, 0 (a free one) or from 1024 to 49151",
                "port=49152|option port=49152 for udp://: must be 4791, 0 (a free one) or from 1024 to 49151",
                "port=x|option port=x for udp://: must be a number from 0 to 65535",
                "mtu=1500|option mtu=1500 for udp://: must be 256, 512, 1024, 2048 or 4096",
                "gso=on|option gso=on for udp://: must be auto or off",
                "native=io_uring|option native=io_uring for udp://: must be one of auto, epoll, nio",
                "faults=loss:2|option faults=loss:2 for udp://: loss must be from 0 to 1, not 2.0",
                "faults=lose:0.1|option faults=lose:0.1 for udp://: it knows no lose, only loss, duplicate, reorder,"
                        + " corrupt, delay and seed",
                "icrc=maybe|option icrc=maybe for udp://: must be one of strict, off",
                "profile=small|option profile=small for udp://: must be one of default, rxe-like, ConnectX-like, tiny",
                "receivebuffer=1|option receivebuffer=1 for udp://: must be a number from 16384 to 1073741824",
            })
    void badValueIsRefusedWithTheRule(String option, String text) {
        assertThatThrownBy(() -> parse("udp://127.0.0.1?" + option))
                .isInstanceOf(RdmaException.class)
                .hasMessage("EINVAL: " + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://0.0.0.0", "udp://[::]", "udp://224.0.0.1"})
    void addressOfNoOneDeviceIsRefused(String uri) {
        assertThatThrownBy(() -> parse(uri))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("a device has one address of its own")
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void otherIpv6AddressesNeedPort4791() {
        assertThat(parse("udp://[::1]?port=14791").socket().port()).isEqualTo(14791);
        assertThatThrownBy(() -> parse("udp://[fd00::2]?port=14791"))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("fills the whole GID");
    }

    @Test
    void nameThatDoesNotResolveIsAnUnknownAddress() {
        assertThatThrownBy(() -> parse("udp://no-such-host.invalid"))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRNOTAVAIL))
                .hasMessageContaining("no network interface has the address no-such-host.invalid")
                .hasMessageContaining("127.0.0.1");
    }
}
