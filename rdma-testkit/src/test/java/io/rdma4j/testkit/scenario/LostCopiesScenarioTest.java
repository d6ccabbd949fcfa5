package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.RuleInForce;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of datagram queue pairs on several devices, and a network that loses copies. */
class LostCopiesScenarioTest {
    private static final int QKEY = 0x22222222;
    private static final int MESSAGES = 100;
    private static final int SLOT = 64;
    private static final int ROUTE_BYTES = 40;
    private static final long PATIENCE_NS = 1_000_000_000;

    /** A datagram queue pair that takes messages of one number each. */
    private static final class Member {
        final FabricDevice device;
        final QueuePair queuePair;
        final CompletionQueue receives;
        private final ProtectionDomain domain;
        private final ByteBuffer memory = HostMemory.allocate(2 * MESSAGES * SLOT);

        Member(FabricDevice device) {
            this.device = device;
            domain = device.rdma().allocateProtectionDomain();
            CompletionQueue sends = device.rdma().createCompletionQueue(MESSAGES);
            receives = device.rdma().createCompletionQueue(2 * MESSAGES);
            MemoryRegion region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
            queuePair = domain.createQueuePair(QueuePairConfig.of(QueuePairType.UD, sends, receives)
                    .maxSendWorkRequests(MESSAGES)
                    .maxReceiveWorkRequests(2 * MESSAGES));
            queuePair.activate(QKEY);
            for (int i = 0; i < 2 * MESSAGES; i++) {
                queuePair.postReceive(ReceiveRequest.of(i, region.slice((long) i * SLOT, SLOT)));
            }
        }

        void sendAll(Gid group) {
            AddressHandle way = domain.createAddressHandle(AddressVector.of(group));
            for (int i = 0; i < MESSAGES; i++) {
                queuePair.postSend(Send.inline(i, ByteBuffer.allocate(4).putInt(0, i))
                        .to(way, DatagramDestination.MULTICAST_QUEUE_PAIR, QKEY));
            }
        }

        /** The numbers that have arrived, in order. */
        List<Integer> arrived() {
            List<Integer> numbers = new ArrayList<>();
            WorkCompletion[] done = WorkCompletion.array(1);
            while (receives.poll(done) == 1) {
                assertThat(done[0].isSuccess()).as(done[0].cause()).isTrue();
                assertThat(done[0].byteLength()).isEqualTo(ROUTE_BYTES + 4);
                int at = (int) done[0].workRequestId() * SLOT + ROUTE_BYTES;
                numbers.add(Integer.reverseBytes(memory.getInt(at)));
            }
            return numbers;
        }
    }

    private static List<Integer> numbers() {
        return IntStream.range(0, MESSAGES).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.1, 192.0.2.2, 239.1.2.3", "2001:db8::1, 2001:db8::2, ff0e::1:2:3"})
    @DisplayName("§14: a lost copy is the loss of one device, all its members included")
    void aLostCopyIsTheLossOfOneMember(String addressA, String addressB, String groupAddress) {
        Gid group = Gid.parse(groupAddress);
        try (Fabric fabric = new Fabric(5)) {
            Member a = new Member(fabric.addDevice("a", Gid.parse(addressA)));
            Member b = new Member(fabric.addDevice("b", Gid.parse(addressB)));
            Member second = new Member(b.device);
            Member outside = new Member(b.device);
            for (Member member : List.of(a, b, second)) {
                member.queuePair.attachMulticast(group);
            }
            RuleInForce lost =
                    fabric.addRule(FrameRule.drop().toGroup(group).to(b.device).every(10));

            a.sendAll(group);
            fabric.runUntilIdle(PATIENCE_NS);

            assertThat(lost.acted()).isEqualTo(MESSAGES / 10);
            assertThat(a.arrived()).isEqualTo(numbers());
            List<Integer> arrived =
                    numbers().stream().filter(number -> number % 10 != 9).toList();
            assertThat(b.arrived()).isEqualTo(arrived);
            assertThat(second.arrived()).isEqualTo(arrived);
            assertThat(outside.arrived()).isEmpty();
        }
    }

    @Test
    @DisplayName("§14: copies are lost and doubled on each way by itself")
    void everyMemberHasItsOwnLuck() {
        Gid group = Gid.parse("239.1.2.3");
        try (Fabric fabric = new Fabric(6)) {
            Member a = new Member(fabric.addDevice("a", Gid.parse("192.0.2.1")));
            Member b = new Member(fabric.addDevice("b", Gid.parse("192.0.2.2")));
            Member c = new Member(fabric.addDevice("c", Gid.parse("192.0.2.3")));
            for (Member member : List.of(b, c)) {
                member.queuePair.attachMulticast(group);
            }
            fabric.options(a.device, b.device, FabricOptions.clean().loss(0.3));
            fabric.options(a.device, c.device, FabricOptions.clean().duplicate(1));

            a.sendAll(group);
            fabric.runUntilIdle(PATIENCE_NS);

            assertThat(b.arrived()).hasSizeBetween(MESSAGES / 2, MESSAGES - 1).doesNotHaveDuplicates();
            assertThat(c.arrived()).hasSize(2 * MESSAGES).containsAll(numbers());
        }
    }
}
