package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Devices and their contexts. */
final class DeviceCases {
    /** Objects of a kind that are made where making them takes real time. */
    private static final int REDUCED = 1_000;

    private DeviceCases() {}

    static List<ContractCase> cases() {
        return Stream.of(queries(), limits()).flatMap(List::stream).toList();
    }

    private static List<ContractCase> queries() {
        return List.of(
                ContractCase.of(
                                "device/OpenMany",
                                "several devices at once, each with a name and an identity of its own")
                        .covers(Feature.DEVICE_LIST)
                        .run(DeviceCases::openMany),
                ContractCase.of("device/QueryDevice", "every limit is positive, and what belongs together fits")
                        .covers(Feature.QUERY_DEVICE)
                        .run(DeviceCases::queryDevice),
                ContractCase.of("device/QueryPort", "state, MTUs and tables of port 1; another port is EINVAL")
                        .covers(Feature.QUERY_PORT, Feature.BAD_PORT)
                        .run(DeviceCases::queryPort),
                ContractCase.of("device/QueryPkey", "the default P_Key at index 0; another index or key is EINVAL")
                        .covers(Feature.QUERY_PORT)
                        .run(DeviceCases::queryPartitionKeys),
                ContractCase.of(
                                "device/ContextTomfoolery",
                                "objects of another device are refused, and nothing is made")
                        .covers(Feature.SEVERAL_CONTEXTS, Feature.BAD_ARGUMENTS)
                        .run(DeviceCases::foreignObjects));
    }

    private static List<ContractCase> limits() {
        return List.of(
                limit(
                        "device/MaxPd",
                        DeviceAttributes::maxProtectionDomains,
                        bed -> bed.device(0)::allocateProtectionDomain),
                limit("device/MaxCq", DeviceAttributes::maxCompletionQueues, bed -> {
                    RdmaDevice device = bed.device(0);
                    return () -> device.createCompletionQueue(1);
                }),
                limit("device/MaxQp", DeviceAttributes::maxQueuePairs, DeviceCases::smallQueuePairs),
                limit("device/MaxMr", DeviceAttributes::maxMemoryRegions, bed -> {
                    ProtectionDomain domain = bed.domain(0);
                    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
                    return () -> domain.registerMemory(buffer, AccessFlag.LOCAL_WRITE);
                }),
                limit("device/MaxMw", DeviceAttributes::maxMemoryWindows, bed -> {
                    ProtectionDomain domain = bed.domain(0);
                    return () -> domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
                }),
                limit("device/MaxAh", DeviceAttributes::maxAddressHandles, bed -> {
                    ProtectionDomain domain = bed.domain(0);
                    AddressVector vector = AddressVector.of(bed.device(0).gid());
                    return () -> domain.createAddressHandle(vector);
                }),
                limit("device/MaxSrq", DeviceAttributes::maxSharedReceiveQueues, bed -> {
                    ProtectionDomain domain = bed.domain(0);
                    return () -> domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1));
                }));
    }

    /** As many as published can be made; one more is ENOMEM; closing one makes room. */
    private static ContractCase limit(
            String id,
            ToIntFunction<DeviceAttributes> published,
            Function<ContractBed, Supplier<? extends AutoCloseable>> makers) {
        return ContractCase.of(
                        id, "so many objects as published can be made; one more is ENOMEM; a closed one makes room")
                .covers(Feature.QUERY_DEVICE)
                .run(bed -> {
                    Supplier<? extends AutoCloseable> maker = makers.apply(bed);
                    int most = published.applyAsInt(bed.device(0).attributes());
                    int count = bed.scaled("objects", most, REDUCED);
                    for (int i = 1; i < count; i++) {
                        bed.closing(maker.get());
                    }
                    AutoCloseable last = maker.get();
                    if (count == most) {
                        expectRefused(ErrorCode.ENOMEM, maker::get);
                    }
                    close(last);
                    bed.closing(maker.get());
                });
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new AssertionError("it is not closed", e);
        }
    }

    private static Supplier<QueuePair> smallQueuePairs(ContractBed bed) {
        ProtectionDomain domain = bed.domain(0);
        QueuePairConfig config = QueuePairConfig.reliable(
                        bed.closing(bed.device(0).createCompletionQueue(1)))
                .capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0));
        return () -> domain.createQueuePair(config);
    }

    private static void openMany(ContractBed bed) {
        RdmaDevice one = bed.device(0);
        RdmaDevice other = bed.device(1);
        assertFalse(one.name().isEmpty());
        assertNotEquals(one.name(), other.name());
        assertNotEquals(one.gid(), other.gid());
        assertNotEquals(one.attributes().nodeGuid(), other.attributes().nodeGuid());
        for (RdmaDevice device : List.of(one, other)) {
            ProtectionDomain domain = device.allocateProtectionDomain();
            assertSame(device, domain.device());
            domain.close();
        }
    }

    private static void queryDevice(ContractBed bed) {
        DeviceAttributes a = bed.device(0).attributes();
        assertEquals(a, bed.device(0).attributes());
        for (int limit : new int[] {
            a.maxQueuePairs(),
            a.maxQueuePairWorkRequests(),
            a.maxScatterGather(),
            a.maxReadAtomic(),
            a.maxInitiatorReadAtomic(),
            a.maxCompletionQueues(),
            a.maxCompletionQueueEntries(),
            a.maxProtectionDomains(),
            a.maxMemoryRegions(),
            a.physicalPortCount()
        }) {
            assertTrue(limit > 0, a::toString);
        }
        assertTrue(a.queuePairs().maxReadAtomicResources() >= a.maxReadAtomic(), a::toString);
        assertTrue(a.maxMulticastMembers() >= a.maxMulticastGroupMembers(), a::toString);
        assertFalse(a.firmwareVersion().isEmpty());
        assertNotEquals(0, a.nodeGuid());
        assertNotEquals(0, a.systemImageGuid());
    }

    private static void queryPort(ContractBed bed) {
        RdmaDevice device = bed.device(0);
        assertEquals(device.port(), device.port(1));
        assertTrue(device.port().activeMtu().bytes() <= device.port().maxMtu().bytes());
        for (int number : new int[] {0, -1, device.attributes().physicalPortCount() + 1, Integer.MAX_VALUE}) {
            expectRefused(ErrorCode.EINVAL, () -> device.port(number));
        }
    }

    private static void queryPartitionKeys(ContractBed bed) {
        RdmaDevice device = bed.device(0);
        assertEquals(0xFFFF, device.partitionKey(0));
        assertEquals(0, device.partitionKeyIndex(0xFFFF));
        expectRefused(ErrorCode.EINVAL, () -> device.partitionKey(-1));
        expectRefused(ErrorCode.EINVAL, () -> device.partitionKey(device.port().pkeyTableLength()));
        expectRefused(ErrorCode.EINVAL, () -> device.partitionKeyIndex(0x1234));
    }

    private static void foreignObjects(ContractBed bed) {
        CompletionQueue foreign = bed.closing(bed.device(1).createCompletionQueue(4));
        CompletionQueue own = bed.closing(bed.device(0).createCompletionQueue(4));
        ProtectionDomain domain = bed.domain(0);
        expectRefused(ErrorCode.EINVAL, () -> domain.createQueuePair(QueuePairConfig.reliable(foreign)));
        expectRefused(ErrorCode.EINVAL, () -> domain.createQueuePair(QueuePairConfig.reliable(own, foreign)));
        expectRefused(ErrorCode.EINVAL, () -> domain.createQueuePair(QueuePairConfig.reliable(foreign, own)));
        var channel = bed.closing(bed.device(1).createCompletionChannel());
        expectRefused(ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(4, channel));
        domain.createQueuePair(QueuePairConfig.reliable(own)).close();
    }
}
