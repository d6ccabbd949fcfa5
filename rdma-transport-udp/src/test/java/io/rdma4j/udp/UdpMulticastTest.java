package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
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
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams to groups, and of several traffic classes, from verbs to verbs over real sockets. */
@Timeout(60)
class UdpMulticastTest {
    private static final int QKEY = 0x1234;
    private static final int GRH = 40;
    private static final int SLOT = 256;
    private static final int SLOTS = 512;

    /** A device with one datagram queue pair, ready to send, and receives posted. */
    private static final class Station implements AutoCloseable {
        final RdmaDevice device;
        final ProtectionDomain domain;
        final CompletionQueue sends;
        final CompletionQueue receives;
        final ByteBuffer memory = ByteBuffer.allocateDirect(SLOT * SLOTS);
        final MemoryRegion region;
        final QueuePair queuePair;
        private final WorkCompletion[] polled = WorkCompletion.array(1);

        Station(String uri) {
            device = RdmaDevices.open(uri);
            domain = device.allocateProtectionDomain();
            sends = device.createCompletionQueue(SLOTS);
            receives = device.createCompletionQueue(SLOTS);
            region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
            queuePair = domain.createQueuePair(QueuePairConfig.of(QueuePairType.UD, sends, receives)
                    .maxSendWorkRequests(SLOTS)
                    .maxReceiveWorkRequests(SLOTS));
            queuePair.activate(QKEY);
            for (int i = 0; i < SLOTS; i++) {
                queuePair.postReceive(ReceiveRequest.of(i, region.slice((long) i * SLOT, SLOT)));
            }
        }

        void send(AddressHandle way, int queuePairNumber, byte... bytes) {
            queuePair.postSend(
                    Send.inline(1, bytes).to(way, queuePairNumber, QKEY).signaled());
        }

        /** Waits for the next datagram, which must be this. */
        WorkCompletion expect(byte... bytes) {
            WorkCompletion done = next(receives);
            int at = (int) done.workRequestId() * SLOT;
            byte[] seen = new byte[(int) done.byteLength() - GRH];
            memory.get(at + GRH, seen);
            assertThat(seen).isEqualTo(bytes);
            return done;
        }

        WorkCompletion next(CompletionQueue queue) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (queue.poll(polled) == 0) {
                assertThat(System.nanoTime()).as("a completion comes in time").isLessThan(end);
                Thread.onSpinWait();
            }
            assertThat(polled[0].isSuccess()).as(polled[0].cause()).isTrue();
            return polled[0].copy();
        }

        /** The header before the payload of a received datagram. */
        ByteBuffer route(WorkCompletion done) {
            return memory.slice((int) done.workRequestId() * SLOT, GRH);
        }

        @Override
        public void close() {
            device.close();
        }
    }

    @ParameterizedTest(name = "{0} and {1}")
    @CsvSource({"gso=auto, gso=auto", "gso=off, native=nio", "native=nio, native=nio"})
    @DisplayName("a datagram to a group comes once to each member, the sender included, with the way back (§14)")
    void aGroupOfTwoDevices(String optionsA, String optionsB) {
        Gid group = OwnAddresses.group(71);
        try (Station a = new Station("udp://127.9.8.1?port=0&" + optionsA);
                Station b = new Station("udp://127.9.8.2?port=0&" + optionsB);
                AddressHandle way = a.domain.createAddressHandle(new AddressVector(group, 0x20, 1, 0))) {
            a.queuePair.attachMulticast(group);
            b.queuePair.attachMulticast(group);

            a.send(way, DatagramDestination.MULTICAST_QUEUE_PAIR, (byte) 1);
            a.send(way, DatagramDestination.MULTICAST_QUEUE_PAIR, (byte) 2);

            a.expect((byte) 1);
            a.expect((byte) 2);
            b.expect((byte) 1);
            WorkCompletion second = b.expect((byte) 2);
            assertThat(second.sourceQueuePair()).isEqualTo(a.queuePair.number());
            assertThat(b.route(second).getInt(36))
                    .as("the destination is the group")
                    .isEqualTo((int) group.low());

            try (AddressHandle back = b.domain.createAddressHandle(second, b.route(second))) {
                b.send(back, second.sourceQueuePair(), (byte) 3);
            }
            a.expect((byte) 3); // and nothing of the group a second time before it

            b.queuePair.detachMulticast(group);
            a.send(way, DatagramDestination.MULTICAST_QUEUE_PAIR, (byte) 4);
            a.expect((byte) 4);
            try (AddressHandle direct = a.domain.createAddressHandle(AddressVector.of(b.device.gid()))) {
                a.send(direct, b.queuePair.number(), (byte) 5);
            }
            b.expect((byte) 5);
        }
    }

    @Test
    void aClosingDeviceLeavesItsGroups() throws Exception {
        Gid group = OwnAddresses.group(72);
        try (Station a = new Station("udp://127.9.8.3?port=0")) {
            a.queuePair.attachMulticast(group);
        }

        // Without sharing this fails as long as a socket of the group is open.
        InetSocketAddress address = new InetSocketAddress(group.address(), Gid.ROCE_PORT);
        try (DatagramChannel alone = DatagramChannel.open().bind(address)) {
            assertThat(alone.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"gso=auto", "gso=off", "native=nio"})
    void datagramsOfAllClassesArriveInOrder(String options) {
        Assumptions.assumeTrue(Epoll.isAvailable());
        int count = 400;
        try (Station a = new Station("udp://127.9.8.4?port=0&" + options);
                Station b = new Station("udp://127.9.8.5?port=0")) {
            AddressHandle[] ways = new AddressHandle[3];
            Arrays.setAll(ways, i -> a.domain.createAddressHandle(new AddressVector(b.device.gid(), 0x20 * i, 64, 0)));

            for (int i = 0; i < count; i++) {
                a.send(ways[i / 3 % ways.length], b.queuePair.number(), (byte) i, (byte) (i >> 8));
            }

            for (int i = 0; i < count; i++) {
                b.expect((byte) i, (byte) (i >> 8));
            }
            assertThat(a.device.counters().keySet()).noneMatch(name -> name.startsWith("send_error"));
        }
    }
}
