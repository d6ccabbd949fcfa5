package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Address handles. */
final class AhCases {
    private static final int WORKERS = 4;
    private static final int ROUNDS = 50;

    private AhCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "ah/CreateAndDestroy",
                                "a handle tells its domain and its way; it closes, twice is once")
                        .covers(Feature.ADDRESS_HANDLE)
                        .run(AhCases::createAndDestroy),
                ContractCase.of("ah/DestroyWithInvalidHandle", "a closed handle is refused in a request")
                        .covers(Feature.ADDRESS_HANDLE, Feature.BAD_ARGUMENTS)
                        .run(AhCases::closed),
                ContractCase.of("ah/BadDestination", "the empty GID and one of the other family are refused")
                        .covers(Feature.ADDRESS_HANDLE)
                        .run(AhCases::badDestination),
                ContractCase.of("ah/BadNumbers", "traffic class, hop limit and flow label have their ranges")
                        .covers(Feature.ADDRESS_HANDLE)
                        .run(AhCases::badNumbers),
                ContractCase.of("ah/OtherDevice", "a handle of another device is refused in a request")
                        .covers(Feature.ADDRESS_HANDLE, Feature.BAD_ARGUMENTS)
                        .run(AhCases::otherDevice),
                ContractCase.of(
                                "ah/FromCompletion",
                                "the way back to the sender of a datagram, and an answer that takes it")
                        .covers(Feature.ADDRESS_HANDLE_FROM_COMPLETION, Feature.UD_SEND)
                        .run(AhCases::fromCompletion),
                ContractCase.of("ah/FromCompletionRefused", "a completion without GRH, and bytes that are no header")
                        .covers(Feature.ADDRESS_HANDLE_FROM_COMPLETION, Feature.BAD_ARGUMENTS)
                        .run(AhCases::noWayBack),
                ContractCase.of("ah/BusyDomain", "a domain with a handle is busy, and names it")
                        .covers(Feature.PD, Feature.ADDRESS_HANDLE)
                        .run(AhCases::busyDomain),
                ContractCase.of("ud/MultiThreadedAhLifecycle", "handles are made, used and closed by several threads")
                        .covers(Feature.ADDRESS_HANDLE, Feature.THREADS)
                        .run(AhCases::manyThreads));
    }

    private static AddressVector toPeer(ContractBed bed) {
        return AddressVector.of(bed.device(1).gid());
    }

    private static void createAndDestroy(ContractBed bed) {
        AddressVector vector = new AddressVector(bed.device(1).gid(), 8, 3, 5);
        AddressHandle handle = bed.domain(0).createAddressHandle(vector);
        assertSame(bed.domain(0), handle.protectionDomain());
        assertEquals(vector, handle.addressVector());
        handle.close();
        handle.close();
    }

    private static void closed(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        AddressHandle handle = bed.domain(0).createAddressHandle(toPeer(bed));
        handle.close();
        expectRefused(ErrorCode.EINVAL, () -> ud.a().post(Send.of(1).to(handle, 2, Datagrams.QKEY)));
    }

    private static void badDestination(ContractBed bed) {
        String otherFamily = bed.device(0).gid().isIpv4() ? "fd00::1" : "192.0.2.1";
        for (Gid gid : List.of(Gid.ZERO, Gid.parse(otherFamily))) {
            expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createAddressHandle(AddressVector.of(gid)));
        }
    }

    private static void badNumbers(ContractBed bed) {
        Gid peer = bed.device(1).gid();
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 256, 64, 0));
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 0, -1, 0));
        expectRefused(ErrorCode.EINVAL, () -> new AddressVector(peer, 0, 64, 1 << 20));
    }

    private static void otherDevice(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        AddressHandle foreign = bed.closing(bed.domain(1).createAddressHandle(toPeer(bed)));
        expectRefused(ErrorCode.EINVAL, () -> ud.a().post(Send.of(1).to(foreign, 2, Datagrams.QKEY)));
    }

    private static void fromCompletion(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.a().postReceive(101, 0, 200);
        ud.b().postReceive(100, 0, 200);
        ud.send(1, 8);
        ud.a().expectSent(1);
        WorkCompletion received = ud.b().expectReceived(100);
        ByteBuffer header = ByteBuffer.wrap(ud.b().bytes(0, Datagrams.ROUTE));
        AddressHandle back = bed.closing(ud.b().domain().createAddressHandle(received, header));
        assertEquals(bed.device(0).gid(), back.addressVector().destination());
        ud.b()
                .post(Send.of(2, ud.b().slice(300, 8))
                        .to(back, received.sourceQueuePair(), Datagrams.QKEY)
                        .signaled());
        ud.b().expectSent(2);
        ud.a().expectReceived(101);
        Pair.expectSame(ud.b(), 300, ud.a(), Datagrams.ROUTE, 8);
    }

    private static void noWayBack(ContractBed bed) {
        Datagrams ud = new Datagrams(bed);
        ud.b().postReceive(100, 0, 200);
        ud.send(1, 8);
        ud.a().expectSent(1);
        WorkCompletion received = ud.b().expectReceived(100);
        ProtectionDomain domain = ud.b().domain();
        ByteBuffer header = ByteBuffer.wrap(ud.b().bytes(0, Datagrams.ROUTE));
        expectRefused(
                ErrorCode.EINVAL, () -> domain.createAddressHandle(received, ByteBuffer.allocate(Datagrams.ROUTE)));
        expectRefused(
                ErrorCode.EINVAL, () -> domain.createAddressHandle(received, header.slice(0, Datagrams.ROUTE - 1)));
        expectRefused(ErrorCode.EINVAL, () -> domain.createAddressHandle(new WorkCompletion(), header));
    }

    private static void busyDomain(ContractBed bed) {
        ProtectionDomain domain = bed.closing(bed.device(0).allocateProtectionDomain());
        AddressHandle handle = domain.createAddressHandle(toPeer(bed));
        String words =
                String.valueOf(expectRefused(ErrorCode.EBUSY, domain::close).getMessage());
        assertTrue(words.contains("address handle"), words);
        handle.close();
        domain.close();
    }

    private static void manyThreads(ContractBed bed) {
        Datagrams ud = new Datagrams(
                bed, PairPlan.of(QueuePairType.UD).shape(config -> config.maxSendWorkRequests(WORKERS * ROUNDS)));
        int rounds = bed.scaled("rounds", ROUNDS, 20);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            int[] left = {rounds};
            workers.add(() -> {
                try (AddressHandle handle = ud.a().domain().createAddressHandle(toPeer(bed))) {
                    ud.a()
                            .post(Send.of(7)
                                    .to(handle, ud.b().queuePair().number(), Datagrams.QKEY)
                                    .signaled());
                }
                return --left[0] > 0;
            });
        }
        bed.run(workers);
        for (int i = 0; i < WORKERS * rounds; i++) {
            ud.a().expectSent(7);
        }
    }
}
