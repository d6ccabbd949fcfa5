package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.DatagramNode.QKEY;
import static io.rdma4j.testkit.scenario.DatagramNode.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multicast groups across devices on the fabric (§14). */
class MulticastScenarioTest {
    private static final int TARGET = 32 << 10;
    private static final int ALL = DatagramDestination.MULTICAST_QUEUE_PAIR;

    /** Two nodes of one family of addresses, and a group of it. */
    private record Bed(TwoNodes nodes, DatagramNode a, DatagramNode b, DatagramNode alsoB, Gid group)
            implements AutoCloseable {
        static Bed of(String family) {
            boolean ipv4 = family.equals("IPv4");
            TwoNodes nodes =
                    new TwoNodes(ipv4 ? "192.0.2.2" : "fd00:4791::2", ipv4 ? "192.0.2.3" : "fd00:4791::3", 1 << 16);
            return new Bed(
                    nodes,
                    new DatagramNode(nodes.a),
                    new DatagramNode(nodes.b),
                    new DatagramNode(nodes.b),
                    Gid.parse(ipv4 ? "239.1.2.3" : "ff0e::4791"));
        }

        @Override
        public void close() {
            List.of(a, b, alsoB).forEach(DatagramNode::close);
            nodes.close();
        }
    }

    @ParameterizedTest
    @DisplayName("§14: every member of a group gets a datagram once, the sender's own queue pair among them")
    @ValueSource(strings = {"IPv4", "IPv6"})
    void everyMemberOnce(String family) {
        try (Bed bed = Bed.of(family);
                AddressHandle way = bed.a.wayTo(bed.group)) {
            for (DatagramNode member : List.of(bed.a, bed.b, bed.alsoB)) {
                member.queuePair.attachMulticast(bed.group);
                member.receive(member.queuePair.number(), TARGET, 200);
                member.receive(member.queuePair.number(), TARGET, 200);
            }
            bed.a.send(1, 64, way, ALL);
            bed.nodes.runToRest();
            assertThat(bed.nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(1L, (long) bed.a.queuePair.number());
            assertThat(bed.nodes.b.completions())
                    .allMatch(done -> done.isSuccess() && done.byteLength() == ROUTE + 64)
                    .extracting(WorkCompletion::queuePairNumber)
                    .containsExactly(bed.b.queuePair.number(), bed.alsoB.queuePair.number());
            assertThat(bed.nodes.b.bytes(TARGET + ROUTE, 64)).isEqualTo(bed.nodes.a.bytes(0, 64));
        }
    }

    @ParameterizedTest
    @DisplayName("§14: a group is entered and left while datagrams flow; a sender need not be a member")
    @ValueSource(strings = {"IPv4", "IPv6"})
    void comingAndGoing(String family) {
        try (Bed bed = Bed.of(family);
                AddressHandle way = bed.a.wayTo(bed.group)) {
            bed.b.receive(10, TARGET, 200);
            bed.b.receive(11, TARGET, 200);
            bed.alsoB.receive(12, TARGET, 200);
            bed.a.send(1, 1, way, ALL);
            bed.nodes.runToRest();
            bed.b.queuePair.attachMulticast(bed.group);
            bed.alsoB.queuePair.attachMulticast(bed.group);
            bed.a.send(2, 2, way, ALL);
            bed.nodes.runToRest();
            bed.alsoB.queuePair.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RESET).build());
            bed.a.send(3, 3, way, ALL);
            bed.nodes.runToRest();
            bed.b.queuePair.detachMulticast(bed.group);
            bed.a.send(4, 4, way, ALL);
            bed.nodes.runToRest();
            assertThat(bed.nodes.a.completions()).hasSize(4).allMatch(WorkCompletion::isSuccess);
            assertThat(bed.nodes.b.completions())
                    .extracting(WorkCompletion::byteLength)
                    .containsExactly(42L, 43L); // what alsoB had got was not polled before its RESET
        }
    }

    @ParameterizedTest
    @DisplayName("§14: who got a datagram of a group answers its sender alone")
    @ValueSource(strings = {"IPv4", "IPv6"})
    void answered(String family) {
        try (Bed bed = Bed.of(family);
                AddressHandle way = bed.a.wayTo(bed.group)) {
            bed.b.queuePair.attachMulticast(bed.group);
            bed.b.receive(10, TARGET, 200);
            bed.a.receive(11, TARGET, 200);
            bed.a.queuePair.postSend(SendWithImmediate.of(1, 0x16).to(way, ALL, QKEY));
            bed.nodes.runToRest();
            WorkCompletion got = bed.nodes.b.completions().get(0);
            assertThat(got.immediateData()).isEqualTo(0x16);
            ByteBuffer route = bed.nodes.b.memory.slice(TARGET, ROUTE);
            try (AddressHandle back = bed.nodes.b.domain.createAddressHandle(got, route)) {
                assertThat(back.addressVector().destination()).isEqualTo(bed.a.gid());
                bed.b.send(2, 5, back, got.sourceQueuePair());
                bed.nodes.runToRest();
            }
            assertThat(bed.nodes.a.completions())
                    .singleElement()
                    .matches(done -> done.workRequestId() == 11 && done.byteLength() == ROUTE + 5);
        }
    }
}
