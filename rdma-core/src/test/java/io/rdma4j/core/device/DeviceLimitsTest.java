package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.DeviceProfile;
import io.rdma4j.core.tape.InlineDriver;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a device publishes is what it grants: the figure can be reached, over all contexts, and not passed. */
@DisplayName("device limits")
class DeviceLimitsTest {
    private final DeviceEngine engine = new DeviceEngine(
            new EngineConfig(
                    Tape.HERE,
                    Gid.ROCE_PORT,
                    PathMtu.MTU_4096,
                    4 << 20,
                    new Random(11),
                    IcrcPolicy.STRICT,
                    DeviceLimits.of(DeviceProfile.TINY)),
            () -> {});
    private final Context one = new Context(new SoftDevice("one", engine, new InlineDriver()));
    private final Context two = new Context(new SoftDevice("two", engine, new InlineDriver()));

    /** A context with what the objects of a test are made from. */
    private static final class Context {
        final SoftDevice device;
        final ProtectionDomain domain;
        final CompletionQueue queue;

        Context(SoftDevice device) {
            this.device = device;
            domain = device.allocateProtectionDomain();
            queue = device.createCompletionQueue(1);
        }
    }

    private interface Maker {
        AutoCloseable make(Context context);
    }

    /** Every kind of object that is counted; one of it may exist in each context already. */
    private enum Counted {
        PD(DeviceAttributes::maxProtectionDomains, 2, context -> context.device.allocateProtectionDomain()),
        CQ(DeviceAttributes::maxCompletionQueues, 2, context -> context.device.createCompletionQueue(1)),
        CHANNEL(DeviceAttributes::maxCompletionQueues, 0, context -> context.device.createCompletionChannel()),
        QP(
                DeviceAttributes::maxQueuePairs,
                0,
                context -> context.domain.createQueuePair(QueuePairConfig.reliable(context.queue)
                        .capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0)))),
        MR(
                DeviceAttributes::maxMemoryRegions,
                0,
                context -> context.domain.registerMemory(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE)),
        FAST_REGISTRATION(DeviceAttributes::maxMemoryRegions, 0, context -> context.domain.allocateFastRegistration(1)),
        NULL_REGION(DeviceAttributes::maxMemoryRegions, 0, context -> context.domain.allocateNullRegion()),
        MW(
                DeviceAttributes::maxMemoryWindows,
                0,
                context -> context.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2)),
        AH(
                DeviceAttributes::maxAddressHandles,
                0,
                context -> context.domain.createAddressHandle(AddressVector.of(Tape.PEER))),
        SRQ(
                DeviceAttributes::maxSharedReceiveQueues,
                0,
                context -> context.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1)));

        private final ToIntFunction<DeviceAttributes> published;
        private final int existing;
        private final Maker maker;

        Counted(ToIntFunction<DeviceAttributes> published, int existing, Maker maker) {
            this.published = published;
            this.existing = existing;
            this.maker = maker;
        }
    }

    @AfterEach
    void closeAll() {
        one.device.close();
        two.device.close();
    }

    @ParameterizedTest
    @EnumSource(Counted.class)
    @DisplayName(
            "so many objects as published can be made in two contexts, one more is ENOMEM, a closed one makes room")
    void countedObjects(Counted kind) throws Exception {
        int room = kind.published.applyAsInt(one.device.attributes()) - kind.existing;
        List<AutoCloseable> made = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = made.size(); i < room; i++) {
                made.add(kind.maker.make(i % 2 == 0 ? one : two));
            }
            refused(ErrorCode.ENOMEM, () -> kind.maker.make(one));
            refused(ErrorCode.ENOMEM, () -> kind.maker.make(two));
            made.remove(round % made.size()).close();
        }
        for (AutoCloseable object : made) {
            object.close();
        }
    }

    @Test
    @DisplayName("closing a context makes room for what it held")
    void closedContext() {
        for (int i = 2; i < one.device.attributes().maxProtectionDomains(); i++) {
            two.device.allocateProtectionDomain();
        }
        refused(ErrorCode.ENOMEM, one.device::allocateProtectionDomain);
        two.device.close();
        for (int i = 1; i < one.device.attributes().maxProtectionDomains(); i++) {
            one.device.allocateProtectionDomain();
        }
        refused(ErrorCode.ENOMEM, one.device::allocateProtectionDomain);
    }

    private static QueuePair datagrams(Context context) {
        return context.domain.createQueuePair(
                QueuePairConfig.datagram(context.queue).capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0)));
    }

    @Test
    @DisplayName("§14: two groups, two members of each, three memberships in all, over both contexts")
    void multicast() {
        Gid first = Gid.parse("239.0.0.1");
        Gid second = Gid.parse("239.0.0.2");
        Gid third = Gid.parse("239.0.0.3");
        QueuePair a = datagrams(one);
        QueuePair b = datagrams(two);
        QueuePair c = datagrams(one);
        a.attachMulticast(first);
        b.attachMulticast(first);
        refused(ErrorCode.ENOMEM, () -> c.attachMulticast(first)); // its members
        c.attachMulticast(second);
        refused(ErrorCode.ENOMEM, () -> a.attachMulticast(second)); // memberships
        b.detachMulticast(first);
        a.attachMulticast(second);
        refused(ErrorCode.ENOMEM, () -> b.attachMulticast(first)); // memberships again
        c.close();
        refused(ErrorCode.ENOMEM, () -> b.attachMulticast(third)); // groups
        b.attachMulticast(second);
    }

    @Test
    @DisplayName("what is refused for another reason takes no place")
    void refusalsTakeNoPlace() {
        for (int i = 0; i < 10; i++) {
            refused(ErrorCode.EINVAL, () -> one.device.createCompletionQueue(17));
            refused(
                    ErrorCode.EINVAL,
                    () -> one.domain.registerMemory(ByteBuffer.allocateDirect(8), AccessFlag.REMOTE_WRITE));
            refused(
                    ErrorCode.EINVAL,
                    () -> one.domain.createQueuePair(
                            QueuePairConfig.reliable(one.queue).maxSendWorkRequests(9)));
        }
        for (int i = 0; i < 4; i++) {
            Counted.QP.maker.make(one);
            Counted.MR.maker.make(one);
        }
    }

    @Test
    @DisplayName("sizes: the published one is granted, one more is EINVAL")
    void sizes() {
        DeviceAttributes a = one.device.attributes();
        int requests = a.maxQueuePairWorkRequests();
        int elements = a.maxScatterGather();
        QueuePairCapabilities most =
                new QueuePairCapabilities(requests, requests, elements, elements, a.maxInlineData());
        QueuePairConfig config = QueuePairConfig.reliable(one.queue).capabilities(most);
        QueuePair qp = one.domain.createQueuePair(config);
        assertThat(qp.capabilities()).isEqualTo(most);
        for (QueuePairConfig tooMuch : List.of(
                config.maxSendWorkRequests(requests + 1),
                config.maxReceiveWorkRequests(requests + 1),
                config.maxSendScatterGather(elements + 1),
                config.maxReceiveScatterGather(elements + 1),
                config.maxInlineData(a.maxInlineData() + 1),
                config.maxSendWorkRequests(-1))) {
            refused(ErrorCode.EINVAL, () -> one.domain.createQueuePair(tooMuch));
        }
        refused(ErrorCode.EINVAL, () -> one.device.createCompletionQueue(a.maxCompletionQueueEntries() + 1));
        one.queue.resize(a.maxCompletionQueueEntries());
        refused(ErrorCode.EINVAL, () -> one.queue.resize(a.maxCompletionQueueEntries() + 1));
        int bytes = Math.toIntExact(a.maxMemoryRegionSize());
        one.domain.registerMemory(ByteBuffer.allocateDirect(bytes)).close();
        refused(ErrorCode.EINVAL, () -> one.domain.registerMemory(ByteBuffer.allocateDirect(bytes + 1)));
    }

    @Test
    @DisplayName("sizes of shared receive queues and fast registrations")
    void otherSizes() {
        DeviceAttributes a = one.device.attributes();
        int requests = a.maxSharedReceiveQueueWorkRequests();
        int elements = a.maxSharedReceiveQueueScatterGather();
        one.domain
                .createSharedReceiveQueue(SharedReceiveQueueAttributes.of(requests, elements))
                .close();
        refused(
                ErrorCode.EINVAL,
                () -> one.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(requests + 1, elements)));
        refused(
                ErrorCode.EINVAL,
                () -> one.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(requests, elements + 1)));
        one.domain.allocateFastRegistration(a.maxFastRegistrationBuffers()).close();
        refused(ErrorCode.EINVAL, () -> one.domain.allocateFastRegistration(a.maxFastRegistrationBuffers() + 1));
    }

    @Test
    @DisplayName("§14: groups, members of a group, and members of all groups together have their limits")
    void multicastMembersOfAllGroups() {
        DeviceAttributes a = one.device.attributes();
        assertThat(a.maxMulticastGroups()).isEqualTo(2);
        assertThat(a.maxMulticastGroupMembers()).isEqualTo(2);
        assertThat(a.maxMulticastMembers()).isEqualTo(3);
        Gid first = Gid.parse("::ffff:239.0.0.1");
        Gid second = Gid.parse("::ffff:239.0.0.2");
        List<QueuePair> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Context context = i % 2 == 0 ? one : two;
            members.add(context.domain.createQueuePair(
                    QueuePairConfig.datagram(context.queue).capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0))));
        }
        members.get(0).attachMulticast(first);
        members.get(1).attachMulticast(first);
        refused(ErrorCode.ENOMEM, () -> members.get(2).attachMulticast(first));
        members.get(2).attachMulticast(second);
        refused(ErrorCode.ENOMEM, () -> members.get(1).attachMulticast(second));
        refused(ErrorCode.ENOMEM, () -> members.get(0).attachMulticast(Gid.parse("::ffff:239.0.0.3")));
        members.get(0).detachMulticast(first);
        members.get(1).attachMulticast(second);
        members.get(2).close();
        members.get(0).attachMulticast(second);
        refused(ErrorCode.ENOMEM, () -> members.get(0).attachMulticast(Gid.parse("::ffff:239.0.0.3")));
    }

    @Test
    @DisplayName(
            "READs and atomics: each way of a queue pair has its limit (§9), and all responders together have theirs")
    void readsAndAtomics() {
        DeviceAttributes a = one.device.attributes();
        TapeSetup most = new TapeSetup().readAtomic(a.maxInitiatorReadAtomic(), a.maxReadAtomic());
        List<QueuePair> connected = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            connected.add(small(one));
            most.connect(connected.get(i));
        }
        QueuePair last = small(two);
        last.modify(most.attributes(QueuePairState.INIT));
        refused(ErrorCode.ENOMEM, () -> last.modify(most.attributes(QueuePairState.RTR)));
        assertThat(last.state()).isEqualTo(QueuePairState.INIT);
        connected
                .get(0)
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RESET)
                        .build());
        last.modify(most.attributes(QueuePairState.RTR));
        refused(
                ErrorCode.EINVAL,
                () -> last.modify(new TapeSetup()
                        .readAtomic(a.maxInitiatorReadAtomic() + 1, 0)
                        .attributes(QueuePairState.RTS)));
        last.modify(most.attributes(QueuePairState.RTS));
        connected.get(1).close();
        TapeSetup tooMuch = new TapeSetup().readAtomic(0, a.maxReadAtomic() + 1);
        connected.get(0).modify(tooMuch.attributes(QueuePairState.INIT));
        refused(ErrorCode.EINVAL, () -> connected.get(0).modify(tooMuch.attributes(QueuePairState.RTR)));
        connected.get(0).modify(most.attributes(QueuePairState.RTR));
    }

    @ParameterizedTest
    @EnumSource(DeviceProfile.class)
    @DisplayName("every profile is found by its name, and has a figure above 0 for every limit")
    void profiles(DeviceProfile profile) {
        assertThat(DeviceProfile.parse(profile.text())).isEqualTo(profile);
        for (DeviceLimit limit : DeviceLimit.values()) {
            assertThat(DeviceLimits.of(profile).maxLong(limit)).as(limit.text()).isPositive();
        }
    }

    @Test
    @DisplayName("one figure can be another than the profile's")
    void oneFigure() {
        DeviceLimits limits = DeviceLimits.DEFAULT.with(DeviceLimit.MAX_QP, 7);
        assertThat(limits.max(DeviceLimit.MAX_QP)).isEqualTo(7);
        assertThat(limits.max(DeviceLimit.MAX_CQ)).isEqualTo(16_384);
        assertThat(DeviceLimits.DEFAULT.max(DeviceLimit.MAX_QP)).isEqualTo(16_384);
    }

    private static QueuePair small(Context context) {
        return (QueuePair) Counted.QP.maker.make(context);
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
