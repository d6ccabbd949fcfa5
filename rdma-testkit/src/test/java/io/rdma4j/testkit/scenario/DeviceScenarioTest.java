package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Who may talk to whom, and by which addresses (§7.1, architecture §4). */
class DeviceScenarioTest {
    private static final int TARGET = 32 << 10;
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.timeout(8).retryCount(1);

    @Test
    void packetsFromAnotherSourceThanThePeerAreDropped() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            Node stranger = new Node(nodes.fabric.addDevice("c", Gid.parse("192.0.2.4")), 1 << 16);
            ConnectionEnd victim = new ConnectionEnd(nodes.b.queuePair, TwoNodes.PSN_B);
            ConnectionEnd attacker = new ConnectionEnd(stranger.queuePair, TwoNodes.PSN_A);
            attacker.prepare(victim, OPTIONS);
            attacker.start(OPTIONS);
            byte[] before = nodes.b.bytes(0, 1 << 16);
            stranger.queuePair.postSend(RdmaWrite.of(1, stranger.region.slice(0, 100))
                    .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey()));

            nodes.runUntilCompletions(stranger, 1, SECOND);

            assertThat(stranger.completions().get(0).status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(nodes.b.counter("dropped_wrong_source")).isEqualTo(2);
            assertThat(nodes.b.bytes(0, 1 << 16)).isEqualTo(before);
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTS);
            assertWrites(nodes);
        }
    }

    @Test
    void writeToNobodyEndsInRetryExceeded() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16)) {
            nodes.connect(OPTIONS);
            nodes.b.device.rdma().close();
            nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.slice(0, 100))
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey()));

            nodes.runUntilCompletions(nodes.a, 1, SECOND);

            assertThat(nodes.a.completions().get(0).status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    void ipv6Works() {
        try (TwoNodes nodes = new TwoNodes("fd00::a", "fd00::b", 1 << 16)) {
            nodes.connect(OPTIONS);

            assertWrites(nodes);
        }
    }

    @Test
    void devicesAtOneAddressAreToldApartByTheirPorts() throws UnknownHostException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        String first = Gid.of(loopback, 14_791).toHex();
        String second = Gid.of(loopback, 14_792).toHex();
        try (TwoNodes nodes = new TwoNodes(first, second, 1 << 16)) {
            nodes.connect(OPTIONS);

            assertWrites(nodes);
        }
    }

    @Test
    void deviceReachesItself() {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16)) {
            QueuePair other = nodes.a.createQueuePair();
            new ConnectionEnd(nodes.a.queuePair, 1).connect(new ConnectionEnd(other, 2), OPTIONS);
            nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.slice(0, 20_000))
                    .to(nodes.a.region.address() + TARGET, nodes.a.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertThat(nodes.a.completions()).hasSize(1);
            assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
            assertThat(nodes.a.bytes(TARGET, 20_000)).isEqualTo(nodes.a.bytes(0, 20_000));
        }
    }

    private static void assertWrites(TwoNodes nodes) {
        nodes.a.queuePair.postSend(RdmaWrite.of(7, nodes.a.region.slice(0, 20_000))
                .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                .signaled());

        nodes.runToRest();

        assertThat(nodes.a.completions()).hasSize(1);
        assertThat(nodes.a.completions().get(0).isSuccess()).isTrue();
        assertThat(nodes.b.bytes(TARGET, 20_000)).isEqualTo(nodes.a.bytes(0, 20_000));
    }
}
