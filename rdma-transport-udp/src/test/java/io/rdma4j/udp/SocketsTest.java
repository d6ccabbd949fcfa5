package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketsTest {
    private static SocketOptions port(int port, NativeTransport transport) {
        return new SocketOptions(port, transport, true, true, 1 << 20, 1 << 20);
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void freePortIsOneADeviceCanHave(NativeTransport transport) throws Exception {
        try (Loops loops = new Loops(transport)) {
            BoundSocket socket = loops.bind("127.9.1.1", port(0, transport));

            assertThat(socket.local().getPort()).isBetween(1024, 49151);
            assertThat(socket.local().getAddress()).isEqualTo(InetAddress.getByName("127.9.1.1"));
            assertThat(socket.features().receiveBuffer()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void freePortIsSoughtFurtherWhenTheFirstIsTaken(NativeTransport transport) throws Exception {
        try (Loops loops = new Loops(transport);
                DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress("127.9.1.4", 0))) {
            int taken = ((InetSocketAddress) other.getLocalAddress()).getPort();
            PrimitiveIterator.OfInt ports = IntStream.of(taken, taken, 0).iterator();

            BoundSocket socket = loops.bindFirstFree("127.9.1.4", port(0, transport), ports::nextInt);

            assertThat(socket.local().getPort()).isNotEqualTo(taken).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void portInUseSaysWhoAndWhatToDo(NativeTransport transport) throws Exception {
        try (Loops loops = new Loops(transport);
                DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress("127.9.1.2", 0))) {
            int taken = ((InetSocketAddress) other.getLocalAddress()).getPort();

            assertThatThrownBy(() -> loops.bind("127.9.1.2", port(taken, transport)))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRINUSE))
                    .hasMessageContaining("UDP port " + taken + " of 127.9.1.2")
                    .hasMessageContaining("another process or the rdma_rxe module")
                    .hasMessageContaining("?port=0");
        }
    }

    @ParameterizedTest
    @EnumSource(NativeTransport.class)
    void addressOfAnotherHostIsRefusedWithThoseOfThisOne(NativeTransport transport) throws Exception {
        try (Loops loops = new Loops(transport)) {
            assertThatThrownBy(() -> loops.bind("198.51.100.77", port(4791, transport)))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRNOTAVAIL))
                    .hasMessageContaining("no network interface has the address 198.51.100.77")
                    .hasMessageContaining("127.0.0.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.9.1.3", "::1"})
    void epollSocketFixesTheIdentification(String host) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Loops loops = new Loops(NativeTransport.EPOLL)) {
            BoundSocket socket = loops.bind(host, port(0, NativeTransport.EPOLL));

            assertThat(socket.features().identificationZero()).isTrue();
            assertThat(socket.features().isEpoll()).isTrue();
            assertThat(socket.channel().config().getOption(new IntegerUnixChannelOption("read", 0, 10)))
                    .isEqualTo(3);
        }
    }

    @Test
    void epollWithGsoReceivesCoalescedDatagramsWhole() {
        Assumptions.assumeTrue(Epoll.isAvailable());
        Assumptions.assumeTrue(io.netty.channel.epoll.EpollDatagramChannel.isSegmentedDatagramPacketSupported());

        // Not a check of this machine but of Netty: an update that changes the order of its calls must not go unseen.
        assertThat(GroSelfCheck.passes()).isTrue();
    }
}
