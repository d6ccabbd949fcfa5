package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.DatagramNode.QKEY;
import static io.rdma4j.testkit.scenario.DatagramNode.ROUTE;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams between devices on the fabric (§14). */
class DatagramScenarioTest {
    private static final int TARGET = 32 << 10;

    private static TwoNodes nodes() {
        return new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16);
    }

    @ParameterizedTest
    @DisplayName("§14: over IPv4 and IPv6: datagrams of every size up to the MTU, and answers that find their way back")
    @CsvSource({"192.0.2.2, 192.0.2.3, 20", "fd00:4791::2, fd00:4791::3, 0"})
    void thereAndBack(String addressA, String addressB, int routeStart) {
        try (TwoNodes nodes = new TwoNodes(addressA, addressB, 1 << 16);
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = a.wayTo(b.gid())) {
            for (int length : new int[] {0, 1, 33, 1024, 4096}) {
                b.receive(1, TARGET, ROUTE + 4096);
                a.send(2, length, way, b.queuePair.number());
                nodes.runToRest();
                WorkCompletion got = nodes.b.completions().remove(0);
                assertThat(got.isSuccess()).as(got.cause()).isTrue();
                assertThat(got.byteLength()).isEqualTo(ROUTE + length);
                assertThat(got.flags()).isEqualTo(WorkCompletion.FLAG_GRH);
                assertThat(got.sourceQueuePair()).isEqualTo(a.queuePair.number());
                assertThat(nodes.b.bytes(TARGET + ROUTE, length)).isEqualTo(nodes.a.bytes(0, length));
                assertThat(nodes.b.bytes(TARGET, routeStart)).isEqualTo(new byte[routeStart]);

                ByteBuffer route = nodes.b.memory.slice(TARGET, ROUTE);
                try (AddressHandle back = nodes.b.domain.createAddressHandle(got, route)) {
                    assertThat(back.addressVector()).isEqualTo(AddressVector.of(a.gid()));
                    a.receive(3, TARGET, ROUTE + 8);
                    b.send(4, 8, back, got.sourceQueuePair());
                    nodes.runToRest();
                    assertThat(nodes.a.completions())
                            .hasSize(2)
                            .allMatch(WorkCompletion::isSuccess)
                            .extracting(WorkCompletion::byteLength)
                            .containsExactly((long) length, (long) ROUTE + 8);
                }
                nodes.a.completions().clear();
                nodes.b.completions().clear();
            }
        }
    }

    @ParameterizedTest
    @DisplayName("§14: the route tells traffic class and hop limit as they came, and the way back has the class")
    @CsvSource({"192.0.2.2, 192.0.2.3", "fd00:4791::2, fd00:4791::3"})
    void trafficClass(String addressA, String addressB) {
        try (TwoNodes nodes = new TwoNodes(addressA, addressB, 1 << 16);
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = nodes.a.domain.createAddressHandle(new AddressVector(b.gid(), 0x68, 17, 0))) {
            b.receive(1, TARGET, 100);
            a.send(2, 8, way, b.queuePair.number());
            nodes.runToRest();
            ByteBuffer route = nodes.b.memory.slice(TARGET, ROUTE);
            int hopLimit = b.gid().isIpv4() ? route.get(28) : route.get(7);
            assertThat(hopLimit).isEqualTo(17);
            AddressHandle back =
                    nodes.b.domain.createAddressHandle(nodes.b.completions().get(0), route);
            assertThat(back.addressVector().trafficClass()).isEqualTo(0x68);
            back.close();
        }
    }

    @Test
    @DisplayName("§14: loopback: to itself, and to another queue pair of the same device, as to a remote one")
    void loopback() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode neighbour = new DatagramNode(nodes.a);
                AddressHandle self = a.wayTo(a.gid())) {
            a.receive(1, TARGET, 100);
            neighbour.receive(2, TARGET + 1000, 100);
            a.send(3, 20, self, a.queuePair.number());
            a.send(4, 30, self, neighbour.queuePair.number());
            nodes.runToRest();
            assertThat(nodes.a.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(3L, 4L, 1L, 2L);
            assertThat(nodes.a.bytes(TARGET + ROUTE, 20)).isEqualTo(nodes.a.bytes(0, 20));
            assertThat(nodes.a.bytes(TARGET + 1000 + ROUTE, 30)).isEqualTo(nodes.a.bytes(0, 30));
        }
    }

    @Test
    @DisplayName(
            "§8.4: wrong Q_Key, wrong number, no receive: the sender succeeds, the receiver counts, and nothing comes")
    void silentlyDropped() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = a.wayTo(b.gid())) {
            a.send(1, 8, way, b.queuePair.number()); // no receive yet
            nodes.runToRest();
            b.receive(10, TARGET, 100);
            a.queuePair.postSend(
                    Send.of(2).to(way, b.queuePair.number(), QKEY ^ 1).signaled());
            a.send(3, 8, way, b.queuePair.number() ^ 0x800000);
            a.send(4, 8, way, nodes.b.queuePair.number()); // a reliable connection
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(4).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.completions()).isEmpty();
            assertThat(nodes.b.counter("dropped_no_receiver")).isEqualTo(1);
            assertThat(nodes.b.counter("dropped_bad_qkey")).isEqualTo(1);
            assertThat(nodes.b.counter("dropped_unknown_qp")).isEqualTo(1);
            assertThat(nodes.b.counter("dropped_wrong_transport")).isEqualTo(1);
            a.send(5, 8, way, b.queuePair.number());
            nodes.runToRest();
            assertThat(nodes.b.completions()).singleElement().matches(WorkCompletion::isSuccess);
        }
    }

    @Test
    @DisplayName("§6.1(7): what the network loses is lost: one frame for each request, and success all the same")
    void lost() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = a.wayTo(b.gid())) {
            nodes.fabric.addRule(FrameRule.drop().opcode(Opcode.UD_SEND_ONLY).first(2));
            for (int id = 0; id < 5; id++) {
                b.receive(id, TARGET, 100);
                a.send(id, id, way, b.queuePair.number());
            }
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(5).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::byteLength)
                    .containsExactly(42L, 43L, 44L);
            assertThat(nodes.sent(nodes.a, Opcode.UD_SEND_ONLY)).hasSize(5);
        }
    }

    @Test
    @DisplayName(
            "bug/38, §8.4: receives of 39, 40 and 50 bytes do not end the queue pair; the next that is large enough is filled")
    void tooSmall() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = a.wayTo(b.gid())) {
            int[] sizes = {39, 40, 50, 200};
            for (int size : sizes) {
                b.receive(size, TARGET, size);
                a.send(1, 100, way, b.queuePair.number());
            }
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(4).allMatch(WorkCompletion::isSuccess);
            List<WorkCompletion> received = nodes.b.completions();
            assertThat(received.subList(0, 3))
                    .allMatch(done -> done.status() == WorkCompletionStatus.LOC_LEN_ERR)
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(39L, 40L, 50L);
            assertThat(received.get(3)).matches(done -> done.isSuccess() && done.byteLength() == 140);
            assertThat(b.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    @DisplayName("bug/10, §6.1(7): the queue pair is destroyed when its completion is seen, and the datagram arrives")
    void destroyedAtOnce() {
        try (TwoNodes nodes = nodes();
                DatagramNode b = new DatagramNode(nodes.b)) {
            DatagramNode a = new DatagramNode(nodes.a);
            AddressHandle way = a.wayTo(b.gid());
            b.receive(1, TARGET, 100);
            a.send(2, 8, way, b.queuePair.number());
            nodes.runUntilCompletions(nodes.a, 1, MILLISECOND);
            assertThat(nodes.a.completions()).hasSize(1);
            a.close();
            way.close();
            nodes.runToRest();
            assertThat(nodes.b.completions()).singleElement().matches(WorkCompletion::isSuccess);
        }
    }

    @Test
    @DisplayName("bug/40, §14: messages without bytes: no elements, or one of length 0; byte_len is the route alone")
    void empty() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                AddressHandle way = a.wayTo(b.gid())) {
            b.receive(1, TARGET, ROUTE);
            b.receive(2, TARGET, ROUTE);
            a.queuePair.postSend(Send.of(3).to(way, b.queuePair.number(), QKEY));
            a.queuePair.postSend(
                    SendWithImmediate.of(4, 9, nodes.a.region.slice(0, 0)).to(way, b.queuePair.number(), QKEY));
            nodes.runToRest();
            assertThat(nodes.b.completions())
                    .allMatch(done -> done.isSuccess() && done.byteLength() == ROUTE)
                    .extracting(WorkCompletion::immediateData)
                    .containsExactly(0, 9);
        }
    }

    @Test
    @DisplayName("§14: one queue pair talks to many, and many to one")
    void manyPeers() {
        try (TwoNodes nodes = nodes();
                DatagramNode a = new DatagramNode(nodes.a);
                DatagramNode b = new DatagramNode(nodes.b);
                Node third = new Node(nodes.fabric.addDevice("c", Gid.parse("192.0.2.4")), 1 << 16);
                DatagramNode c = new DatagramNode(third);
                AddressHandle toB = a.wayTo(b.gid());
                AddressHandle toC = a.wayTo(c.gid());
                AddressHandle fromC = c.wayTo(b.gid())) {
            for (int i = 0; i < 20; i++) {
                b.queuePair.postReceive(ReceiveRequest.of(i, nodes.b.region.slice(TARGET, 200)));
                c.queuePair.postReceive(ReceiveRequest.of(i, third.region.slice(TARGET, 200)));
            }
            for (int i = 0; i < 10; i++) {
                a.send(i, 100, i % 2 == 0 ? toB : toC, (i % 2 == 0 ? b : c).queuePair.number());
                c.send(i, 50, fromC, b.queuePair.number());
            }
            nodes.runToRest();
            assertThat(nodes.b.completions()).hasSize(15);
            assertThat(nodes.b.completions())
                    .filteredOn(done -> done.sourceQueuePair() == a.queuePair.number())
                    .hasSize(5)
                    .allMatch(done -> done.byteLength() == 140);
            assertThat(third.completions()).hasSize(15); // 10 sent, 5 received
        }
    }
}
