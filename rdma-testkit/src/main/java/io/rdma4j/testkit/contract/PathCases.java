package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.GidEntry;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PortState;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;

/** Addresses, what they say of the way to a peer, and the port. */
final class PathCases {
    private static final int CLASS_OF_A = 0x6A;
    private static final int CLASS_OF_B = 0x20;
    private static final int HOPS_OF_A = 33;
    private static final int HOPS_OF_B = 7;
    private static final int FLOW = 0x12345;
    private static final int QKEY = 0x11111111;

    /** The bits of a traffic class below the DSCP, which congestion control may change. */
    private static final int ECN_BITS = 2;

    private PathCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("path/GidTable", "as many entries as the port says, each by its index; no others")
                        .covers(Feature.GID_TABLE, Feature.QUERY_PORT)
                        .run(PathCases::gidTable),
                ContractCase.of("path/AddressVector", "the query shows what was set; a number too large is refused")
                        .covers(Feature.QUERY_QP, Feature.TRAFFIC_CLASS, Feature.VALUE_CHECKS)
                        .run(PathCases::addressVector),
                ContractCase.of(
                                "path/TrafficClass",
                                "requests and responses carry their own side's class and hop limit")
                        .covers(Feature.TRAFFIC_CLASS)
                        .needs(Need.FRAME_RULES)
                        .each(List.of(QueuePairType.RC, QueuePairType.UC), PathCases::onTheWire),
                ContractCase.of("ud/SendTrafficClass", "the DSCP and the hop limit stand in the GRH that arrives")
                        .covers(Feature.TRAFFIC_CLASS, Feature.UD_SEND)
                        .needs(Need.TRAFFIC_CLASS_ON_ARRIVAL)
                        .run(PathCases::inTheRoute),
                ContractCase.of("path/FlowLabel", "class, flow label and hop limit stand in an IPv6 GRH")
                        .covers(Feature.TRAFFIC_CLASS, Feature.UD_SEND, Feature.ROCE)
                        .needs(Need.FRAME_RULES)
                        .run(PathCases::flowLabel),
                ContractCase.of(
                                "path/PortEvents",
                                "PORT_ERR and DOWN without a link, PORT_ACTIVE and ACTIVE with it again")
                        .covers(Feature.PORT_EVENTS, Feature.ASYNC_EVENTS, Feature.QUERY_PORT)
                        .needs(Need.FRAME_RULES)
                        .run(PathCases::portEvents),
                ContractCase.of("bug/11", "a GID that leads nowhere is refused in words, and the right one then taken")
                        .covers(Feature.VALUE_CHECKS, Feature.MODIFY_ATOMIC, Feature.GID_TABLE)
                        .each(List.of("::", "of the other IP version", "of a multicast group"), PathCases::wrongGid));
    }

    private static void gidTable(ContractBed bed) {
        RdmaDevice device = bed.device(0);
        List<GidEntry> table = device.gidTable();
        assertEquals(device.port().gidTableLength(), table.size());
        for (int i = 0; i < table.size(); i++) {
            assertEquals(i, table.get(i).index());
            assertEquals(1, table.get(i).port());
            assertEquals(table.get(i).gid(), device.gid(i));
            assertFalse(table.get(i).gid().isMulticast());
        }
        assertEquals(device.gid(), device.gid(0));
        expectRefused(ErrorCode.EINVAL, () -> device.gid(table.size()));
        expectRefused(ErrorCode.EINVAL, () -> device.gid(-1));
    }

    private static void addressVector(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        QueuePair qp = pair.a().queuePair();
        Gid peer = pair.b().device().gid();
        AddressVector vector = new AddressVector(peer, CLASS_OF_A, HOPS_OF_A, FLOW);
        qp.modify(QpModifyCases.required(qp, QueuePairState.INIT));
        qp.modify(QpModifyCases.required(qp, QueuePairState.RTR).toBuilder()
                .addressVector(vector)
                .build());
        assertEquals(vector, qp.query().addressVector());
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 256, 64, 0));
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 0, 256, 0));
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 0, 64, 1 << 20));
    }

    private static void onTheWire(ContractBed bed, QueuePairType type) {
        Pair pair = bed.pair(PairPlan.of(type).unconnected());
        End a = pair.a();
        End b = pair.b();
        ConnectOptions options = ConnectOptions.DEFAULT;
        a.connect(b, options.trafficClass(CLASS_OF_A).hopLimit(HOPS_OF_A));
        b.connect(a, options.trafficClass(CLASS_OF_B).hopLimit(HOPS_OF_B));
        b.postReceive(100, 0, 10_000);
        a.post(Send.of(1, a.slice(0, 10_000)).signaled());
        a.expectSent(1);
        b.expectReceived(100);
        List<FrameView> frames =
                bed.fabric().trace().entries().stream().map(TraceEntry::frame).toList();
        assertTrue(
                frames.stream().anyMatch(frame -> frame.from().equals(a.device().name())));
        for (FrameView frame : frames) {
            boolean fromA = frame.from().equals(a.device().name());
            assertEquals(fromA ? CLASS_OF_A : CLASS_OF_B, frame.trafficClass(), frame::toString);
            assertEquals(fromA ? HOPS_OF_A : HOPS_OF_B, frame.hopLimit(), frame::toString);
        }
    }

    private static void inTheRoute(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.of(QueuePairType.UD));
        pair.a().queuePair().activate(QKEY);
        pair.b().queuePair().activate(QKEY);
        AddressVector vector = new AddressVector(pair.b().device().gid(), CLASS_OF_A, HOPS_OF_A, 0);
        AddressHandle way = bed.closing(pair.a().domain().createAddressHandle(vector));
        pair.b().postReceive(100, 0, 1_000);
        pair.a()
                .post(Send.of(1, pair.a().slice(0, 100))
                        .to(way, pair.b().queuePair().number(), QKEY)
                        .signaled());
        pair.a().expectSent(1);
        WorkCompletion received = pair.b().expectReceived(100);
        assertTrue((received.flags() & WorkCompletion.FLAG_GRH) != 0);
        byte[] route = pair.b().bytes(0, 40);
        boolean ipv4 = pair.b().device().gid().isIpv4();
        int arrived = ipv4 ? route[21] & 0xFF : ((route[0] & 0xF) << 4) | (route[1] & 0xFF) >> 4;
        assertEquals(CLASS_OF_A >> ECN_BITS, arrived >> ECN_BITS, "the DSCP");
        assertEquals(HOPS_OF_A, route[ipv4 ? 28 : 7] & 0xFF, "the hop limit");
    }

    private static void flowLabel(ContractBed bed) {
        FabricDevice six = bed.fabric().addDevice("six", Gid.parse("2001:db8::1"));
        RdmaDevice device = six.rdma();
        ProtectionDomain domain = bed.closing(device.allocateProtectionDomain());
        CompletionQueue completions = bed.closing(device.createCompletionQueue(4));
        ByteBuffer memory = HostMemory.allocate(256);
        MemoryRegion region = bed.closing(domain.registerMemory(memory, AccessFlag.LOCAL_WRITE));
        QueuePair qp = bed.closing(domain.createQueuePair(QueuePairConfig.datagram(completions)));
        qp.activate(QKEY);
        AddressHandle toItself =
                bed.closing(domain.createAddressHandle(new AddressVector(six.gid(), CLASS_OF_A, HOPS_OF_A, FLOW)));
        qp.postReceive(ReceiveRequest.of(100, region.all()));
        qp.postSend(Send.inline(1, new byte[] {1, 2, 3, 4}).to(toItself, qp.number(), QKEY));
        WorkCompletion[] done = WorkCompletion.array(1);
        bed.expect("the datagram", () -> completions.poll(done) == 1);
        assertEquals(100, done[0].workRequestId());
        int firstWord = memory.order(ByteOrder.BIG_ENDIAN).getInt(0);
        int expected = 6 << 28 | CLASS_OF_A << 20 | FLOW;
        assertEquals(hex(expected), hex(firstWord), "version, class and flow label");
        assertEquals(HOPS_OF_A, memory.get(7), "the hop limit");
    }

    private static String hex(int word) {
        return String.format(Locale.ROOT, "%08x", word);
    }

    private static void portEvents(ContractBed bed) {
        FabricDevice fabricDevice = bed.fabric().addDevice("unplugged", Gid.parse("192.0.2.200"));
        RdmaDevice device = fabricDevice.rdma();
        assertEquals(PortState.ACTIVE, device.port().state());
        fabricDevice.linkDown();
        bed.expectEvent(device, AsyncEventType.PORT_ERR, 1);
        assertEquals(PortState.DOWN, device.port().state());
        fabricDevice.linkUp();
        bed.expectEvent(device, AsyncEventType.PORT_ACTIVE, 1);
        assertEquals(PortState.ACTIVE, device.port().state());
    }

    private static void wrongGid(ContractBed bed, String which) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        QueuePair qp = pair.a().queuePair();
        boolean ipv4 = pair.b().device().gid().isIpv4();
        Gid wrong = switch (which) {
            case "of the other IP version" -> Gid.parse(ipv4 ? "2001:db8::1" : "192.0.2.1");
            case "of a multicast group" -> Gid.parse(ipv4 ? "239.1.2.3" : "ff0e::1");
            default -> Gid.parse(which);
        };
        qp.modify(QpModifyCases.required(qp, QueuePairState.INIT));
        QueuePairAttributes before = qp.query();
        QueuePairAttributes right = QpModifyCases.required(qp, QueuePairState.RTR);
        expectRefused(
                ErrorCode.EINVAL,
                () -> qp.modify(
                        right.toBuilder().addressVector(AddressVector.of(wrong)).build()));
        assertEquals(before, qp.query());
        qp.modify(right);
        assertEquals(QueuePairState.RTR, qp.state());
    }
}
