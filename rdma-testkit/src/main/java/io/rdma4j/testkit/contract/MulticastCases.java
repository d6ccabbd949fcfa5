package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;

/** Multicast groups. */
final class MulticastCases {
    private static final int ALL = DatagramDestination.MULTICAST_QUEUE_PAIR;
    private static final int QKEY = Datagrams.QKEY;
    private static final int ROUTE = Datagrams.ROUTE;

    private MulticastCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("multicast/Send", "a member gets a datagram to its group, to the byte")
                        .covers(Feature.MULTICAST)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::send),
                ContractCase.of("multicast/Sender", "the sender's own queue pair gets it too when attached, once")
                        .covers(Feature.MULTICAST, Feature.LOOPBACK)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::sender),
                ContractCase.of(
                                "multicast/Replication",
                                "each queue pair of a device takes its own receive, or misses it")
                        .covers(Feature.MULTICAST)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::replication),
                ContractCase.of("multicast/QKey", "a member with another Q_Key does not take it")
                        .covers(Feature.MULTICAST, Feature.UD_ERRORS)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::otherKey),
                ContractCase.of("multicast/AttachTwice", "S; one copy; one detach ends it")
                        .covers(Feature.MULTICAST)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::attachTwice),
                ContractCase.of("multicast/Detach", "after a detach, a RESET or a destroy nothing arrives")
                        .covers(Feature.MULTICAST)
                        .needs(Need.MULTICAST)
                        .run(MulticastCases::leaving),
                ContractCase.of("multicast/DetachOfNonMember", "EINVAL")
                        .covers(Feature.MULTICAST, Feature.BAD_ARGUMENTS)
                        .run(MulticastCases::nonMember),
                ContractCase.of("multicast/OnlyUd", "EINVAL for another type of queue pair, and for what is no group")
                        .covers(Feature.MULTICAST, Feature.BAD_ARGUMENTS)
                        .run(MulticastCases::refused));
    }

    private static Gid group(ContractBed bed) {
        return Gid.parse(bed.device(0).gid().isIpv4() ? "239.1.2.3" : "ff15::4791");
    }

    private static AddressHandle wayToGroup(ContractBed bed) {
        return bed.closing(bed.domain(0).createAddressHandle(AddressVector.of(group(bed))));
    }

    private static void send(Datagrams ud, long id, AddressHandle way) {
        ud.a().post(Send.of(id, ud.a().slice(0, 64)).to(way, ALL, QKEY).signaled());
        ud.a().expectSent(id);
    }

    private static void send(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().queuePair().attachMulticast(group(bed));
        ud.b().postReceive(100, 0, 200);
        send(ud, 1, wayToGroup(bed));
        WorkCompletion received = ud.b().expectReceived(100);
        assertEquals(ROUTE + 64, received.byteLength());
        assertEquals(ud.a().queuePair().number(), received.sourceQueuePair());
        Pair.expectSame(ud.a(), 0, ud.b(), ROUTE, 64);
    }

    private static void sender(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        for (End end : List.of(ud.a(), ud.b())) {
            end.queuePair().attachMulticast(group(bed));
            end.postReceive(100, 500, 200);
            end.postReceive(101, 500, 200);
        }
        send(ud, 1, wayToGroup(bed));
        ud.a().expectReceived(100);
        ud.b().expectReceived(100);
        ud.a().expectNothing();
        ud.b().expectNothing();
    }

    private static QueuePair neighbour(ContractBed bed, End end, int qkey) {
        QueuePair queuePair = bed.closing(end.domain().createQueuePair(QueuePairConfig.datagram(end.receives())));
        queuePair.activate(qkey);
        return queuePair;
    }

    private static void replication(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        QueuePair hasNone = neighbour(bed, ud.b(), QKEY);
        QueuePair third = neighbour(bed, ud.b(), QKEY);
        for (QueuePair member : List.of(ud.b().queuePair(), hasNone, third)) {
            member.attachMulticast(group(bed));
        }
        ud.b().postReceive(100, 0, 200);
        third.postReceive(ReceiveRequest.of(102, ud.b().slice(500, 200)));
        send(ud, 1, wayToGroup(bed));
        ud.b().expectReceived(100);
        WorkCompletion other = ud.b().nextReceived();
        assertEquals(third.number(), other.queuePairNumber());
        assertEquals(102, other.workRequestId());
        Pair.expectSame(ud.a(), 0, ud.b(), ROUTE, 64);
        Pair.expectSame(ud.a(), 0, ud.b(), 500 + ROUTE, 64);
        ud.expectCounted("dropped_no_receiver", 1);
    }

    private static void otherKey(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        QueuePair other = neighbour(bed, ud.b(), QKEY + 1);
        other.attachMulticast(group(bed));
        ud.b().queuePair().attachMulticast(group(bed));
        other.postReceive(ReceiveRequest.of(101, ud.b().slice(500, 200)));
        ud.b().postReceive(100, 0, 200);
        send(ud, 1, wayToGroup(bed));
        ud.b().expectReceived(100);
        ud.b().expectNothing();
    }

    private static void attachTwice(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        AddressHandle way = wayToGroup(bed);
        ud.b().queuePair().attachMulticast(group(bed));
        ud.b().queuePair().attachMulticast(group(bed));
        ud.b().postReceive(100, 0, 200);
        ud.b().postReceive(101, 0, 200);
        send(ud, 1, way);
        ud.b().expectReceived(100);
        ud.b().queuePair().detachMulticast(group(bed));
        send(ud, 2, way);
        ud.b().expectNothing();
    }

    private static void leaving(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        AddressHandle way = wayToGroup(bed);
        QueuePair destroyed = neighbour(bed, ud.b(), QKEY);
        QueuePair reset = neighbour(bed, ud.b(), QKEY);
        for (QueuePair member : List.of(ud.b().queuePair(), destroyed, reset)) {
            member.attachMulticast(group(bed));
        }
        ud.b().queuePair().detachMulticast(group(bed));
        destroyed.close();
        reset.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        reset.activate(QKEY);
        ud.b().postReceive(100, 0, 200);
        reset.postReceive(ReceiveRequest.of(101, ud.b().slice(500, 200)));
        send(ud, 1, way);
        ud.b().expectNothing();
        reset.attachMulticast(group(bed));
        send(ud, 2, way);
        assertEquals(101, ud.b().nextReceived().workRequestId());
    }

    private static void nonMember(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        expectRefused(ErrorCode.EINVAL, () -> ud.a().queuePair().detachMulticast(group(bed)));
    }

    private static void refused(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        Pair connected = bed.pair();
        expectRefused(ErrorCode.EINVAL, () -> connected.a().queuePair().attachMulticast(group(bed)));
        expectRefused(
                ErrorCode.EINVAL,
                () -> ud.a().queuePair().attachMulticast(bed.device(1).gid()));
    }
}
