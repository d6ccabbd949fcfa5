package io.rdma4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class DemoDevicesTest {
    private static final DeviceConfig ANY_PORT = DeviceConfig.parse("udp://127.0.0.1?port=0");

    private final List<String> notes = new ArrayList<>();

    /** Only Linux gives every address of 127/8 to the loopback interface; this one is of this process alone. */
    private static String ownLoopbackAddress() {
        long pid = ProcessHandle.current().pid();
        return "127.77." + (pid >> 8 & 0xFF) + "." + ((pid & 0x7F) + 1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void takesAnotherPortWhenTheUsualOneIsInUseAndSaysSo() throws IOException {
        String host = ownLoopbackAddress();
        try (DatagramSocket taken = new DatagramSocket(4791, InetAddress.getByName(host));
                RdmaDevice device = DemoDevices.open(DeviceConfig.of("udp", host), notes::add)) {
            assertThat(taken.isBound()).isTrue();
            assertThat(device.gid().devicePort()).isNotEqualTo(4791);
            assertThat(notes)
                    .singleElement()
                    .asString()
                    .contains(host, "4791", "port " + device.gid().devicePort());
        }
    }

    @Test
    void doesNotLeaveAPortThatWasAskedFor() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            DeviceConfig config = DeviceConfig.of("udp", "127.0.0.1").with("port", 14791 + taken.getLocalPort() % 1000);
            try (DatagramSocket same =
                    new DatagramSocket(config.intOption("port", 0), InetAddress.getByName("127.0.0.1"))) {
                assertThat(same.isBound()).isTrue();
                assertThatThrownBy(() -> DemoDevices.open(config, notes::add))
                        .isInstanceOf(RdmaException.class)
                        .hasMessageStartingWith("EADDRINUSE");
            }
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void putsThePeerOnAnotherPortWhereTheMachineHasOneAddressOnly() {
        // An address of the block for documentation, which no machine has.
        DeviceConfig missing = DeviceConfig.of("udp", "203.0.113.77");

        try (RdmaDevice device = DemoDevices.openPeer(missing, ANY_PORT, notes::add)) {
            assertThat(device.gid().address().getHostAddress()).isEqualTo("127.0.0.1");
            assertThat(notes).singleElement().asString().contains("203.0.113.77", "127.0.0.1");
        }
    }
}
