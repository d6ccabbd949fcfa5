package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Multicast over real sockets, without an engine: which socket gets what. */
@Timeout(30)
class GroupSocketsTest {
    private static final int FRAME = 64;
    private static final int FRAMES = 20;
    private static final int END_OF_GROUP = 1_000;
    private static final int END_OF_UNICAST = 2_000;

    private record Seen(int number, Gid local, int localPort, boolean intact) {}

    /** One device's sockets and what they receive. */
    private static final class Party implements AutoCloseable {
        final Loops loops;
        final BoundSocket socket;
        final UdpDriver driver;
        final UdpLink link;
        final GroupSockets groups;
        final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

        Party(String host, NativeTransport transport, boolean gso) throws Exception {
            SocketOptions options = new SocketOptions(0, transport, gso, true, 1 << 20, 1 << 20);
            loops = new Loops(transport);
            socket = loops.bind(host, options);
            link = new UdpLink(socket.channel(), socket.features().gso(), new Icrc(), () -> {});
            driver = new UdpDriver(loops.loop);
            groups = new GroupSockets(
                    Sockets.forGroups(loops.group, socket, options),
                    socket.local().getAddress(),
                    local -> new DatagramReceiver(driver, this::look, local, () -> {}));
            loops.run(() -> {
                socket.channel().pipeline().addLast(new DatagramReceiver(driver, this::look, socket.local(), () -> {}));
                return socket.channel().config().setAutoRead(true);
            });
        }

        Gid gid() {
            return Gid.of(socket.local().getAddress(), socket.local().getPort());
        }

        void join(Gid group) throws Exception {
            loops.run(() -> {
                groups.join(group);
                return true;
            });
        }

        void leave(Gid group) throws Exception {
            loops.run(() -> {
                groups.leave(group);
                return true;
            });
        }

        private void look(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
            PacketAddresses addresses = new PacketAddresses()
                    .source(arrival.senderHigh, arrival.senderLow, arrival.senderPort)
                    .destination(arrival.localHigh, arrival.localLow, arrival.localPort);
            seen.add(new Seen(
                    buffer.getInt(offset + 8),
                    new Gid(arrival.localHigh, arrival.localLow),
                    arrival.localPort,
                    new Icrc().verify(addresses, arrival.identificationHint, buffer, offset, length)));
        }

        void send(Gid to, int first, int count) throws Exception {
            Path path = Path.between(Gid.of(socket.local().getAddress()), to);
            loops.run(() -> {
                for (int i = first; i < first + count; i++) {
                    assertThat(link.claim(path, FRAME)).isTrue();
                    link.buffer().putInt(link.offset() + 8, i);
                    link.commit();
                }
                link.flush();
                return true;
            });
        }

        /** Waits until a frame of this number has come and returns the numbers of all before it. */
        List<Integer> until(int number) throws InterruptedException {
            return until(number, number);
        }

        /**
         * Waits for frames of two numbers, one by each of two sockets, which are read in any order; returns all numbers but
         * the second.
         */
        List<Integer> until(int first, int second) throws InterruptedException {
            List<Integer> numbers = new ArrayList<>();
            Set<Integer> missing = new HashSet<>(List.of(first, second));
            while (!missing.isEmpty()) {
                Seen next = seen.poll(10, TimeUnit.SECONDS);
                assertThat(next).as("frame %s after %s", missing, numbers).isNotNull();
                assertThat(next.intact).as("ICRC of %s", next).isTrue();
                missing.remove(next.number);
                if (next.number != second) {
                    numbers.add(next.number);
                }
            }
            return numbers;
        }

        @Override
        public void close() {
            loops.loop
                    .submit(() -> {
                        driver.close();
                        groups.close();
                        return socket.channel().close();
                    })
                    .syncUninterruptibly();
            loops.close();
        }
    }

    @ParameterizedTest(name = "{0} gso={1} to {2} and {0}")
    @CsvSource({"EPOLL, true, EPOLL", "EPOLL, false, NIO", "NIO, false, EPOLL", "NIO, false, NIO"})
    @DisplayName("every member of this host gets each datagram once, the sender too when it has joined (§14)")
    void everyMemberGetsEachDatagramOnce(NativeTransport sending, boolean gso, NativeTransport other) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        Gid group = OwnAddresses.group(1);
        try (Party a = new Party("127.9.5.1", sending, gso);
                Party b = new Party("127.9.5.2", other, true);
                Party sameAddress = new Party("127.9.5.1", other, true);
                Party outside = new Party("127.9.5.3", other, true)) {
            for (Party member : List.of(a, b, sameAddress)) {
                member.join(group);
            }

            a.send(group, 0, FRAMES);
            a.send(group, END_OF_GROUP, 1);
            List<Integer> each =
                    new ArrayList<>(IntStream.range(0, FRAMES).boxed().toList());
            each.add(END_OF_GROUP);
            for (Party member : List.of(a, b, sameAddress)) {
                a.send(member.gid(), END_OF_UNICAST, 1);
                assertThat(member.until(END_OF_GROUP, END_OF_UNICAST)).isEqualTo(each);
            }
            a.send(outside.gid(), END_OF_UNICAST, 1);
            assertThat(outside.until(END_OF_UNICAST)).isEmpty();
            assertThat(a.link.errors().counts()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void theGroupIsWhereItArrivedAtPort4791(NativeTransport transport) throws Exception {
        Gid group = OwnAddresses.group(2);
        try (Party a = new Party("127.9.5.1", transport, true);
                Party b = new Party("127.9.5.2", transport, true)) {
            b.join(group);

            a.send(group, 7, 1);
            assertThat(b.seen.poll(10, TimeUnit.SECONDS)).isEqualTo(new Seen(7, group, Gid.ROCE_PORT, true));

            a.send(b.gid(), 8, 1);
            Seen unicast = b.seen.poll(10, TimeUnit.SECONDS);
            assertThat(unicast)
                    .isEqualTo(new Seen(
                            8,
                            Gid.of(b.socket.local().getAddress()),
                            b.socket.local().getPort(),
                            true));
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void groupSocketsTakeNothingFromOthersAtTheirPort(NativeTransport transport) throws Exception {
        Gid group = OwnAddresses.group(3);
        Gid otherGroup = OwnAddresses.group(4);
        InetAddress host = InetAddress.getByName(OwnAddresses.host(51));
        try (Party a = new Party("127.9.5.1", transport, true);
                Party b = new Party("127.9.5.2", transport, true);
                DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress(host, Gid.ROCE_PORT))) {
            b.join(group);
            a.join(otherGroup); // that another is in it must not bring it to b

            a.send(Gid.of(host), 1, 1);
            a.send(otherGroup, 2, 1);
            a.send(group, 3, 1);

            ByteBuffer datagram = ByteBuffer.allocate(1024);
            other.socket().setSoTimeout(10_000);
            DatagramPacket packet = new DatagramPacket(datagram.array(), 1024);
            other.socket().receive(packet);
            assertThat(datagram.getInt(8)).isEqualTo(1);
            assertThat(b.until(3)).isEmpty();
            assertThat(a.until(2)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void afterLeavingNothingComesAndJoiningAgainIsPossible(NativeTransport transport) throws Exception {
        Gid group = OwnAddresses.group(5);
        try (Party a = new Party("127.9.5.1", transport, true);
                Party b = new Party("127.9.5.2", transport, true)) {
            b.join(group);
            b.join(group); // once more is no more
            a.send(group, 1, 1);
            assertThat(b.until(1)).isEmpty();

            b.leave(group);
            b.leave(group);
            a.send(group, 2, 1);
            a.send(b.gid(), 3, 1);
            assertThat(b.until(3)).isEmpty();

            b.join(group);
            a.send(group, 4, 1);
            assertThat(b.until(4)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void refusalsSayWhyAndLeaveNothingOpen(NativeTransport transport) throws Exception {
        Gid taken = OwnAddresses.group(6);
        try (Party a = new Party("127.9.5.1", transport, true)) {
            refused(a, Gid.parse("192.0.2.1"), ErrorCode.EINVAL, "is no multicast group");
            refused(a, Gid.parse("ff0e::1"), ErrorCode.EINVAL, "of different versions of IP");
            try (DatagramChannel unshared =
                    DatagramChannel.open().bind(new InetSocketAddress(taken.address(), Gid.ROCE_PORT))) {
                assertThat(unshared.isOpen()).isTrue();
                refused(a, taken, ErrorCode.EADDRINUSE, "UDP port 4791 is held by another process");
            }
            a.join(taken);
            a.send(taken, 1, 1);
            assertThat(a.until(1)).isEmpty();
        }
    }

    /** Of the groups of IPv6 those of the smallest scope, which stay in this host; the loopback interface has no way to any. */
    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void ipv6GroupsAreJoinedOnTheInterfaceOfTheDevice(NativeTransport transport) throws Exception {
        Optional<InetAddress> address = LocalAddress.all()
                .filter(any -> any instanceof Inet6Address && !any.isLoopbackAddress())
                .findFirst();
        Assumptions.assumeTrue(address.isPresent(), "no network interface has an IPv6 address");
        String host = address.get().getHostAddress();
        long process = ProcessHandle.current().pid();
        Gid group = Gid.parse(String.format("ff01::%x:%x", process >> 16, process & 0xFFFF));
        try (Party a = new Party(host, transport, true);
                Party b = new Party(host, transport, true)) {
            a.join(group);
            b.join(group);

            a.send(group, 0, FRAMES);

            List<Integer> before = IntStream.range(0, FRAMES - 1).boxed().toList();
            assertThat(b.until(FRAMES - 1)).isEqualTo(before);
            assertThat(a.until(FRAMES - 1)).isEqualTo(before);
            assertThat(a.link.errors().counts()).isEmpty();
        }
    }

    @Test
    void groupsAreBounded() throws Exception {
        try (Party a = new Party("127.9.5.1", NativeTransport.AUTO, true)) {
            for (int i = 0; i < GroupSockets.MAX_GROUPS; i++) {
                a.join(OwnAddresses.group(i));
            }
            refused(a, Gid.parse("239.255.255.254"), ErrorCode.ENOMEM, "256 multicast groups at most");

            a.leave(OwnAddresses.group(0));
            a.join(Gid.parse("239.255.255.254"));
        }
    }

    private static void refused(Party party, Gid group, ErrorCode code, String words) {
        assertThatThrownBy(() -> party.join(group))
                .cause()
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }
}
